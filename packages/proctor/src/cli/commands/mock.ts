// `proctor mock`: stand-ins for what agents talk to.
import type { Command } from "commander";
import { MOCK_AGENT_FLAGS, MOCK_LLM_FLAGS, MOCK_TOOLS_FLAGS } from "../actions/mock/flags.ts";
import type { Execute } from "../compose/compose.ts";
import { defineCommand } from "./define-command.ts";

export function defineMock(program: Command, execute: Execute): void {
  const mock = program
    .command("mock")
    .summary("stand in for what agents talk to")
    .description("Stand in for what agents talk to.");
  defineCommand(mock, execute, {
    name: "tools",
    summary: "serve mock, recorded and real tools to agents",
    description: "Serve the tools that a YAML file defines, and show every call of them.",
    arguments: [["<file>", "the tools; see: proctor docs tools"]],
    flags: MOCK_TOOLS_FLAGS,
    examples: [
      "proctor mock tools tools.yaml",
      "proctor mock tools tools.yaml --port 0 --log calls.jsonl",
      `curl 127.0.0.1:8080/tools/web_search -d '{"input": {"query": "Slack"}}'`,
      "curl http://127.0.0.1:8080/calls",
    ],
    note: `An agent finds the tools at the address that is printed, its
context.tools_endpoint. Ctrl-C stops it and says how often each tool was called.
Outside of this machine the address has a secret in it.`,
    action: async () => (await import("../actions/mock/mock-tools.ts")).mockTools,
  });
  defineCommand(mock, execute, {
    name: "llm",
    summary: "answer like an LLM, from a script",
    description:
      "Serve an endpoint in the shape of OpenAI's API that answers from a YAML file, and show every call.",
    arguments: [["<file>", "the script; see: proctor docs mock-llm"]],
    flags: MOCK_LLM_FLAGS,
    examples: [
      "proctor mock llm llm.yaml",
      "proctor mock llm llm.yaml --port 0 --key sk-test --log calls.jsonl",
      "OPENAI_BASE_URL=http://127.0.0.1:8081/v1 OPENAI_API_KEY=sk-test node agent.mjs",
      "curl http://127.0.0.1:8081/calls",
    ],
    note: `Clients of OpenAI's API take the address that is printed as their base URL.
Ctrl-C stops it and says how often each answer was given. Outside of this
machine callers need the key or, without one, the secret in the address.`,
    action: async () => (await import("../actions/mock/mock-llm.ts")).mockLlm,
  });
  defineCommand(mock, execute, {
    name: "agent",
    summary: "serve a scripted or a recorded agent, with faults on demand",
    description:
      "Serve an agent that plays a script, or a recording, over A2A and ATP (a recording of ATP over ATP alone), with faults on demand. Without a file, tests say in their messages what the agent answers.",
    arguments: [
      [
        "[file]",
        "a script (proctor docs scripted-agent), a recording, or a folder of recordings (proctor docs recordings)",
      ],
    ],
    flags: MOCK_AGENT_FLAGS,
    examples: [
      "proctor mock agent                       # obeys directives in messages",
      'proctor mock agent script.yaml --fault "cut:2*1"',
      "proctor mock agent --pack tck --port 9999",
      'proctor run --agent writer --task "Write a haiku" --record haiku.jsonl',
      "proctor mock agent haiku.jsonl",
      "proctor mock agent talk.jsonl --save-script talk.yaml   # of an A2A agent",
      "proctor mock agent recordings/ --port 0 --fault drop:10% --seed 7",
      'proctor run -a "atp+stdio:proctor mock agent haiku.jsonl --stdio" -t "x"',
    ],
    note: `Faults: drop:<n>, drop:<p>%, delay:<ms>, delay:<ms>:<n>, reorder, corrupt:<n>,
cut:<n>, duplicate:<n>, garbage:<n>, stall:<n>. Messages are counted from 1.
"proctor docs recordings" says what each of them does, and
"proctor docs scripted-agent" which more a scripted agent has.`,
    action: async () => (await import("../actions/mock/mock-agent.ts")).mockAgent,
  });
}
