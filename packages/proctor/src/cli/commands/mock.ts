// `proctor mock`: stand-ins for what agents talk to.
import { InvalidArgumentError, type Command } from "commander";
import type { Execute } from "../context.ts";
import { collect, wholeNumber } from "../options.ts";

export interface MockToolsFlags {
  host: string;
  port: number;
  log?: string;
  json?: boolean;
}

const EXAMPLES = `
Examples:
  $ proctor mock tools tools.yaml
  $ proctor mock tools tools.yaml --port 0 --log calls.jsonl
  $ curl 127.0.0.1:8080/tools/web_search -d '{"input": {"query": "Slack"}}'
  $ curl http://127.0.0.1:8080/calls

An agent finds the tools at the address that is printed, its
context.tools_endpoint. Ctrl-C stops it and says how often each tool was called.
Outside of this machine the address has a secret in it.`;

const LLM_EXAMPLES = `
Examples:
  $ proctor mock llm llm.yaml
  $ proctor mock llm llm.yaml --port 0 --key sk-test --log calls.jsonl
  $ OPENAI_BASE_URL=http://127.0.0.1:8081/v1 OPENAI_API_KEY=sk-test node agent.mjs
  $ curl http://127.0.0.1:8081/calls

Clients of OpenAI's API take the address that is printed as their base URL.
Ctrl-C stops it and says how often each answer was given. Outside of this
machine callers need the key or, without one, the secret in the address.`;

export interface MockAgentFlags {
  port: number;
  stdio?: boolean;
  speed: number;
  fault?: string[];
  seed: number;
  json?: boolean;
}

const AGENT_EXAMPLES = `
Examples:
  $ proctor run --agent writer --task "Write a haiku" --record haiku.jsonl
  $ proctor mock agent haiku.jsonl
  $ proctor mock agent recordings/ --port 0 --fault drop:10% --seed 7
  $ proctor run -a "atp+stdio:proctor mock agent haiku.jsonl --stdio" -t "x"

Faults: drop:<n>, drop:<p>%, delay:<ms>, delay:<ms>:<n>, reorder, corrupt:<n>,
cut:<n>, duplicate:<n>, garbage:<n>, stall:<n>. Messages are counted from 1.
"proctor docs recordings" says what each of them does.`;

const MAX_PORT = 65_535;

export interface MockLlmFlags extends MockToolsFlags {
  key?: string;
}

export function defineMock(program: Command, execute: Execute): void {
  const mock = program
    .command("mock")
    .summary("stand in for what agents talk to")
    .description("Stand in for what agents talk to.");
  mock
    .command("tools")
    .summary("serve mock, recorded and real tools to agents")
    .description("Serve the tools that a YAML file defines, and show every call of them.")
    .argument("<file>", "the tools; see: proctor docs tools")
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("-p, --port <number>", "port to listen on, 0 for any free one", portNumber, 8080)
    .option("--log <file>", "append every call to this file, as a line of JSON")
    .option("--json", "print one line of JSON for every call on stdout, and nothing else there")
    .addHelpText("after", EXAMPLES)
    .action((file: string, flags: MockToolsFlags) =>
      execute(async (context) =>
        (await import("../actions/mock/mock-tools.ts")).mockTools(file, flags, context),
      ),
    );
  mock
    .command("llm")
    .summary("answer like an LLM, from a script")
    .description(
      "Serve an endpoint in the shape of OpenAI's API that answers from a YAML file, and show every call.",
    )
    .argument("<file>", "the script; see: proctor docs mock-llm")
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("-p, --port <number>", "port to listen on, 0 for any free one", portNumber, 8081)
    .option("--key <text>", "answer only who sends this key as a bearer token")
    .option("--log <file>", "append every call to this file, as a line of JSON")
    .option("--json", "print one line of JSON for every call on stdout, and nothing else there")
    .addHelpText("after", LLM_EXAMPLES)
    .action((file: string, flags: MockLlmFlags) =>
      execute(async (context) => (await import("../actions/mock/mock-llm.ts")).mockLlm(file, flags, context)),
    );
  mock
    .command("agent")
    .summary("serve a recorded agent over ATP, with faults on demand")
    .description("Serve a recorded agent over HTTP and WebSocket, or as a program, with faults on demand.")
    .argument("<recording>", "a recording, or a folder of them; see: proctor docs recordings")
    .option("-p, --port <number>", "port to listen on, 0 for any free one", portNumber, 8080)
    .option("--stdio", "speak on stdin and stdout instead, for one task")
    .option("--speed <factor>", "how many times as fast as recorded; 0 does not wait at all", factor, 0)
    .option("--fault <spec>", "do something wrong, such as drop:2 or cut:3 (repeatable)", collect)
    .option("--seed <number>", "what is random is the same for the same seed", wholeNumber, 1)
    .option("--json", "print one line of JSON for every task on stdout, and nothing else there")
    .addHelpText("after", AGENT_EXAMPLES)
    .action((recording: string, flags: MockAgentFlags) =>
      execute(async (context) =>
        (await import("../actions/mock/mock-agent.ts")).mockAgent(recording, flags, context),
      ),
    );
}

function factor(value: string): number {
  const number = Number(value);
  if (/^\d+(?:\.\d+)?$/.test(value) && number <= 1_000_000) return number;
  throw new InvalidArgumentError("It must be a number of at least 0.");
}

function portNumber(value: string): number {
  if (/^\d{1,5}$/.test(value) && Number(value) <= MAX_PORT) return Number(value);
  throw new InvalidArgumentError(`It must be a whole number from 0 to ${MAX_PORT}.`);
}
