// The one line that a program is given on stdin.
import type { Readable } from "node:stream";
import { describeThrown } from "../protocol/errors.ts";
import { MAX_MESSAGE_BYTES } from "../protocol/messages.ts";

export type Line = { bytes: Buffer } | { problem: string } | "stopped";
type Read = Exclude<Line, "stopped">;

const LF = 10;

/** Returns the first line that is not blank. The end of the input ends a line too. Nothing is read after it. */
export async function readLine(input: Readable, signal: AbortSignal): Promise<Line> {
  const stop = (): unknown => input.destroy();
  signal.addEventListener("abort", stop, { once: true });
  try {
    if (signal.aborted) return "stopped";
    const line = await read(input);
    return signal.aborted && "problem" in line ? "stopped" : line;
  } catch (error) {
    return signal.aborted ? "stopped" : { problem: `cannot be read: ${describeThrown(error)}` };
  } finally {
    signal.removeEventListener("abort", stop);
    input.destroy();
  }
}

async function read(input: Readable): Promise<Read> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of input as AsyncIterable<Buffer | string>) {
    let rest = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    for (let end = rest.indexOf(LF); end !== -1; end = rest.indexOf(LF)) {
      chunks.push(rest.subarray(0, end));
      const line = Buffer.concat(chunks);
      if (line.length > MAX_MESSAGE_BYTES) return tooLarge;
      if (!isBlank(line)) return { bytes: line };
      rest = rest.subarray(end + 1);
      chunks.length = 0;
      size = 0;
    }
    size += rest.length;
    if (size > MAX_MESSAGE_BYTES) return tooLarge;
    chunks.push(rest);
  }
  const line = Buffer.concat(chunks);
  return isBlank(line) ? { problem: "is missing: stdin ended before a line of JSON" } : { bytes: line };
}

const tooLarge = { problem: "is larger than 10 MB" };

const isBlank = (line: Buffer): boolean => line.every((byte) => byte === 32 || byte === 9 || byte === 13);
