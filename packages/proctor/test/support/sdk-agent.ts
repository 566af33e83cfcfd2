// An agent written with the SDK for TypeScript, as its user has it: a file that is started, or served over HTTP and WebSocket.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { formatAddress } from "../../src/core/address.ts";
import { afterEveryFile } from "./closing.ts";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
const SDK = pathToFileURL(join(ROOT, "sdk/typescript/dist/index.js")).href;

/** Of the repository's own examples. */
export const SDK_EXAMPLE = join(ROOT, "examples/sdk-typescript/agent.mjs");
export const MINIMAL_EXAMPLE = join(ROOT, "examples/minimal-node/agent.mjs");
export const MOCK_TOOLS_EXAMPLE = join(ROOT, "examples/mock-tools/tools.yaml");

const servers: { child: ChildProcess; closed: Promise<unknown> }[] = [];
afterEveryFile(async () => {
  const started = servers.splice(0);
  for (const { child } of started) child.kill("SIGTERM");
  await Promise.all(started.map(({ closed }) => closed));
});

/** The agents' addresses, by transport. */
export type Addresses = Record<"stdio" | "http" | "ws", string>;

/** Writes `await serve(async (task, emit) => { body })` into a file and returns its path. */
export function writeAgent(folder: string, name: string, body: string): string {
  const file = join(folder, name);
  const served = 'const served = process.argv.includes("--serve");';
  const lines = [
    'import { readFileSync, writeFileSync } from "node:fs";',
    `import { serve } from ${JSON.stringify(SDK)};`,
    "void [readFileSync, writeFileSync];",
    served,
    `await serve(async (task, emit) => {\n${body}\n});`,
  ];
  writeFileSync(file, `${lines.join("\n")}\n`);
  return file;
}

/** Starts it as a server, which ends with the test file; over stdio whoever runs it starts it. */
export async function serveAgent(file: string): Promise<Addresses> {
  const child = spawn(process.execPath, [file, "--serve"], { stdio: ["ignore", "pipe", "inherit"] });
  servers.push({ child, closed: once(child, "close") });
  for await (const line of createInterface({ input: child.stdout })) {
    const [, place] = /^listening on http:(\/\/\S+)$/.exec(line) ?? [];
    if (place === undefined) continue;
    const stdio = formatAddress({ protocol: "atp", transport: "stdio", command: [process.execPath, file] });
    return { stdio, http: `atp+http:${place}`, ws: `atp+ws:${place}` };
  }
  throw new Error(`${file} ended before it listened`);
}
