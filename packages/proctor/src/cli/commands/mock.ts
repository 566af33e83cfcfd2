// `proctor mock`: stand-ins for what agents talk to.
import type { Command } from "commander";
import {
  MOCK_AGENT_FLAGS,
  MOCK_LLM_FLAGS,
  MOCK_OAUTH_FLAGS,
  MOCK_PUSH_FLAGS,
  MOCK_TOOLS_FLAGS,
} from "../actions/mock/flags.ts";
import type { Execute } from "../compose/compose.ts";
import { defineCommand } from "./define-command.ts";

export function defineMock(program: Command, execute: Execute): void {
  const mock = program
    .command("mock")
    .summary("stand in for what agents talk to")
    .description(
      "Stand in for what agents talk to. A hub that is known (--hub, PROCTOR_URL, or one that holds the data directory) shows what was asked.",
    );
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
  defineCommand(mock, execute, {
    name: "oauth",
    summary: "serve an OAuth and OpenID Connect server, with faults on demand",
    description:
      "Serve an OAuth 2.0 and OpenID Connect server whose clients, users and faults a YAML file defines, and show every request. Without a file there is one client, test, with the secret secret.",
    arguments: [["[file]", "clients, users, scopes and faults; see: proctor docs labs"]],
    flags: MOCK_OAUTH_FLAGS,
    examples: [
      "proctor mock oauth",
      "proctor mock oauth oauth.yaml --port 0 --json",
      "curl -u test:secret 127.0.0.1:8084/token -d grant_type=client_credentials",
      "curl http://127.0.0.1:8084/.well-known/openid-configuration",
    ],
    note: `Clients find everything at the issuer that is printed. Who logs in is logged in
and consents at once, as the file says. Ctrl-C stops it and says how many tokens
it gave. Secrets, codes and tokens are shown nowhere.`,
    action: async () => (await import("../actions/mock/mock-oauth.ts")).mockOAuth,
  });
  defineCommand(mock, execute, {
    name: "push",
    summary: "receive push notifications and webhooks, well or badly",
    description:
      "Receive the push notifications of A2A agents and the webhooks of Proctor at any path, answer as a YAML file says, and show every delivery: what it tells, what it proves, and whether it is repeated, late or missing something.",
    arguments: [["[file]", "answers and what is verified; see: proctor docs labs"]],
    flags: MOCK_PUSH_FLAGS,
    examples: [
      "proctor mock push",
      "proctor mock push push.yaml --port 0 --json",
      'curl 127.0.0.1:8085/hook -d \'{"kind": "task", "id": "t"}\'',
      "curl http://127.0.0.1:8085/__control/deliveries",
    ],
    note: `Without a file every delivery is accepted. Ctrl-C stops it and says how many
deliveries were accepted, refused, repeated and out of order.`,
    action: async () => (await import("../actions/mock/mock-push.ts")).mockPush,
  });
}
