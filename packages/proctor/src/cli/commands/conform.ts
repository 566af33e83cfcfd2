// `proctor conform`: whether an agent keeps to its protocol, rule by rule.
import type { Command } from "commander";
import { CONFORM_FLAGS } from "../actions/conform/flags.ts";
import type { Execute } from "../compose/compose.ts";
import { defineCommand } from "./define-command.ts";

export function defineConform(program: Command, execute: Execute): void {
  defineCommand(program, execute, {
    name: "conform",
    summary: "check that an agent, a client or a gateway keeps to its protocol",
    description: "Check that an agent, a client or a gateway keeps to its protocol, rule by rule.",
    arguments: [["[agent]", "an address like atp+stdio:<command>, or a registered name"]],
    flags: CONFORM_FLAGS,
    examples: [
      'proctor conform "atp+stdio:python agent.py"',
      'proctor conform atp+http://localhost:8000 --task "Summarise: it rains."',
      "proctor conform writer --env OPENAI_API_KEY --strict",
      "proctor conform atp+ws://localhost:8000 --only atp.event --json",
      "proctor conform a2a+http://localhost:8000 --only a2a.card",
      'proctor conform --as-agent a2a "python client.py {url} {message}"',
      "proctor conform --gateway http://localhost:8080 --upstream 127.0.0.1:7777",
      'proctor conform --gateway http://localhost:8080 --start "node gateway.mjs {upstream}"',
      "proctor conform a2a+http://localhost:8000 --acts tests/acts --profile main",
      "proctor conform writer --reporter html=report.html --baseline last.json",
    ],
    note: `The exit code is 0 when every rule of the protocol's document is kept, 1 when
one is broken, and 3 when none is broken but the agent gave no occasion for
some. A broken "should" is a warning unless --strict. Proctor's own rules are
advice: they are shown, and fail nothing. With --baseline only what got worse
fails.`,
    action: async () => (await import("../actions/conform/conform-agent.ts")).conformAgent,
  });
}
