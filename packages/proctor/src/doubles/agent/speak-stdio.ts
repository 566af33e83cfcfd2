// A mock agent as a program: the request is the first line of stdin, events go to stderr, the response to stdout.
import type { MockAgent } from "./mock-agent.ts";
import { ProctorError } from "../../core/errors.ts";
import { parseJson } from "../../core/parse-json.ts";
import { MAX_REQUEST_BYTES, readRequest, type AskedTask } from "./read-request.ts";

export interface Pipes {
  stdin: AsyncIterable<Uint8Array | string>;
  writeOut: (line: string) => void;
  writeError: (line: string) => void;
}

const CRASHED = 1;
const NOT_UNDERSTOOD = 2;

/** Resolves to the exit code of the program. */
export async function speakStdio(
  agent: MockAgent,
  { stdin, writeOut, writeError }: Pipes,
  signal: AbortSignal,
): Promise<number> {
  let task: AskedTask;
  try {
    task = readRequest(parseJson((await firstLine(stdin)) ?? "", "the first line of stdin"));
  } catch (error) {
    if (!ProctorError.is(error)) throw error;
    writeError(`no request was read from stdin: ${error.message}`);
    return NOT_UNDERSTOOD;
  }
  const performance = agent.begin(task);
  const outcome = await performance.play(async ({ role, text }) => {
    const line = text.replaceAll(/[\r\n]+/g, " ");
    if (role === "response") writeOut(line);
    else writeError(line);
    return true;
  }, signal);
  return outcome === "cut" ? performance.exitCode || CRASHED : performance.exitCode;
}

async function firstLine(stdin: Pipes["stdin"]): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk);
    chunks.push(bytes);
    size += bytes.length;
    if (size > MAX_REQUEST_BYTES) return undefined;
    if (bytes.includes(10)) break;
  }
  const [line] = Buffer.concat(chunks).toString().split("\n");
  return line;
}
