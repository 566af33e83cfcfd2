// `proctor mock`: stand-ins for what agents talk to.
import { InvalidArgumentError, type Command } from "commander";
import type { Execute } from "../context.ts";

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

const MAX_PORT = 65_535;

export function defineMock(program: Command, execute: Execute): void {
  const mock = program
    .command("mock")
    .summary("stand in for what agents talk to")
    .description("Stand in for what agents talk to.");
  mock
    .command("tools")
    .summary("serve mock, recorded and real tools to agents")
    .description("Serve the tools that a YAML file defines, and show every call of them.")
    .argument("<file>", "the tools: docs/reference/tools.md")
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("-p, --port <number>", "port to listen on, 0 for any free one", portNumber, 8080)
    .option("--log <file>", "append every call to this file, as a line of JSON")
    .option("--json", "print one line of JSON for every call on stdout, and nothing else there")
    .addHelpText("after", EXAMPLES)
    .action((file: string, flags: MockToolsFlags) =>
      execute(async (context) => (await import("../actions/mock-tools.ts")).mockTools(file, flags, context)),
    );
}

function portNumber(value: string): number {
  if (/^\d{1,5}$/.test(value) && Number(value) <= MAX_PORT) return Number(value);
  throw new InvalidArgumentError(`It must be a whole number from 0 to ${MAX_PORT}.`);
}
