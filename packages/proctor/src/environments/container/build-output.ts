// What an engine writes while it builds: JSON objects, one after the other. Kept are the step it was at, the last words, and the result.
import { StringDecoder } from "node:string_decoder";

type BuildOutcome = { image: string } | { message: string; step: string | undefined; output: string };

const TAIL_CHARACTERS = 4000;
const LONGEST_LINE = 1024 * 1024;

export async function readBuildOutput(
  answer: AsyncIterable<unknown>,
  signal: AbortSignal,
): Promise<BuildOutcome> {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  let image: string | undefined;
  let message: string | undefined;
  let step: string | undefined;
  let output = "";

  function take(line: string): void {
    const { stream, error, aux } = parse(line);
    if (typeof error === "string") message = error;
    if (typeof aux === "object" && aux !== null && "ID" in aux && typeof aux.ID === "string") image = aux.ID;
    if (typeof stream !== "string") return;
    const announced = /^(?:\[\d+\/\d+\] )?step \d+(?:\/\d+)? ?: ([^]*)/i.exec(stream)?.[1];
    if (announced !== undefined) {
      step = announced.trim();
      output = "";
    } else {
      image = /^Successfully built ([0-9a-f]{12,64})/.exec(stream)?.[1] ?? image;
      output = (output + stream).slice(-TAIL_CHARACTERS);
    }
  }

  for await (const piece of answer) {
    signal.throwIfAborted();
    const lines = (rest + (Buffer.isBuffer(piece) ? decoder.write(piece) : String(piece))).split("\n");
    // No message of an engine is longer, and the output of a build must not fill our memory.
    rest = (lines.pop() ?? "").slice(0, LONGEST_LINE);
    for (const line of lines) take(line);
  }
  take(rest);
  if (message === undefined && image !== undefined) return { image };
  return { message: message ?? "the engine ended without a result", step, output };
}

function parse(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
