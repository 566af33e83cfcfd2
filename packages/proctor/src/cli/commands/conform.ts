// `proctor conform`: whether an agent keeps to its protocol, rule by rule.
import type { Command } from "commander";
import type { Execute, HubFlags } from "../context.ts";
import { addHubOptions, addJsonOption, collect, positiveInteger } from "../options.ts";

export interface ConformFlags extends HubFlags {
  task?: string;
  only?: string[];
  timeout?: number;
  strict?: boolean;
  env?: string[];
  header?: string[];
  json?: boolean;
}

const EXAMPLES = `
Examples:
  $ proctor conform "atp+stdio:python agent.py"
  $ proctor conform atp+http://localhost:8000 --task "Summarise: it rains."
  $ proctor conform writer --env OPENAI_API_KEY --strict
  $ proctor conform atp+ws://localhost:8000 --only atp.event --json

The exit code is 0 when every rule of the protocol's document is kept, 1 when
one is broken, and 3 when none is broken but the agent gave no occasion for
some. A broken "should" is a warning unless --strict. Proctor's own rules are
advice: they are shown, and fail nothing.`;

export function defineConform(program: Command, execute: Execute): void {
  const command = program
    .command("conform")
    .summary("check that an agent keeps to its protocol")
    .description("Check that an agent keeps to its protocol, rule by rule.")
    .argument("<agent>", "an address like atp+stdio:<command>, or a registered name")
    .option("-t, --task <text>", 'what the agent is asked to do ("Say hello.")')
    .option("--only <rule>", "only this rule, or those whose name begins so (repeatable)", collect)
    .option("--timeout <seconds>", "time limit of one exchange with the agent (30)", positiveInteger)
    .option("--strict", 'a broken "should" is a failure, too')
    .option(
      "-e, --env <key[=value]>",
      "give the agent a secret; without a value, the one set here (repeatable)",
      collect,
    )
    .option("--header <key=value>", "send this HTTP header to the agent (repeatable)", collect);
  addJsonOption(command, "{agent, transport, rules, summary}");
  addHubOptions(command)
    .addHelpText("after", EXAMPLES)
    .action((agent: string, flags: ConformFlags) =>
      execute(async (context) =>
        (await import("../actions/conform/conform-agent.ts")).conformAgent(agent, flags, context),
      ),
    );
}
