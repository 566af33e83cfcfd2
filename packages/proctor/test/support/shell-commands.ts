// `proctor` for scripts of shells, carried out in the process of the test (run-command.ts): for guides whose commands are joined by a shell, where the
// start of a program for each of them is most of what they cost.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { runCommand } from "./run-command.ts";
import type { ProgramOptions } from "./program.ts";

export interface ShellCommands {
  /** A line for the beginning of a script. What a command prints is on stdout and stderr, and whether it succeeded is its exit code. */
  definition: string;
  close: () => void;
}

/** The commands have no stdin. */
export async function openShellCommands(
  options: Pick<ProgramOptions, "folder" | "env">,
): Promise<ShellCommands> {
  async function carryOut(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const args = Buffer.concat(chunks).toString().split("\0").slice(0, -1);
    const { code, stdout, stderr } = await runCommand(args, options);
    answer.writeHead(code === 0 ? 200 : 500).end(stdout + stderr);
  }

  const server = createServer((incoming, answer) => void carryOut(incoming, answer)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const send = `curl -s --fail-with-body --data-binary @- http://127.0.0.1:${port}/`;
  return {
    definition: `proctor() { printf '%s\\0' "$@" | ${send}; }`,
    close: () => void server.close(),
  };
}
