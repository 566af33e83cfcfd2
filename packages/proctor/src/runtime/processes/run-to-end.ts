// A program run to its end: what it wrote, within bounds, and how it ended.
import type {
  Environment,
  EnvironmentCommand,
  EnvironmentProcess,
  EnvironmentResult,
} from "../../core/ports/environments.ts";
import { endByForce } from "./end-by-force.ts";
import { createHeadTail } from "./head-tail.ts";
import type { HeadTail } from "./head-tail.ts";
import { lastWords, streamEnd } from "./last-words.ts";
import { letGo } from "./let-go.ts";

const MAX_OUTPUT_BYTES = 1024 * 1024;
const TIME_LIMIT_CODE = 124;

/** Rejects with the reason of `signal` when that is aborted; the program is killed then. */
export async function runToEnd(
  start: Environment["start"],
  request: EnvironmentCommand,
): Promise<EnvironmentResult> {
  const { input, timeoutMs, maxOutputBytes = MAX_OUTPUT_BYTES, signal, ...options } = request;
  signal?.throwIfAborted();
  const startedAt = performance.now();
  const program = start(options);
  const stdout = collect(program.stdout, maxOutputBytes);
  const stderr = collect(program.stderr, maxOutputBytes);
  giveInput(program, input);

  let timedOut = false;
  const stopped = stopWhen(program, timeoutMs, signal, () => (timedOut = true));
  try {
    const { code } = await program.exited;
    stopped.cancel();
    await lastWords(Promise.all([stdout.ended, stderr.ended]), () => stdout.kept.bytes + stderr.kept.bytes);
    signal?.throwIfAborted();
    return {
      code: timedOut ? TIME_LIMIT_CODE : code,
      stdout: stdout.kept.text(),
      stderr: stderr.kept.text(),
      truncated: stdout.kept.truncated || stderr.kept.truncated,
      timedOut,
      durationMs: performance.now() - startedAt,
    };
  } finally {
    stopped.cancel();
    letGo(program.stdout);
    letGo(program.stderr);
  }
}

function giveInput(program: EnvironmentProcess, input: string | Uint8Array | undefined): void {
  // A program that does not read its input may still write, and end.
  program.stdin.on("error", () => undefined);
  if (input === undefined) program.stdin.end();
  else program.stdin.end(input);
}

function stopWhen(
  program: EnvironmentProcess,
  timeoutMs: number,
  signal: AbortSignal | undefined,
  onTimeLimit: () => void,
): { cancel(): void } {
  const send = (name: NodeJS.Signals): void => program.signal(name);
  const onAbort = (): void => void endByForce(send, program.exited, ["SIGKILL"]);
  const timer = setTimeout(() => {
    onTimeLimit();
    void endByForce(send, program.exited);
  }, timeoutMs);
  signal?.addEventListener("abort", onAbort, { once: true });
  return {
    cancel() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    },
  };
}

interface Collected {
  kept: HeadTail;
  ended: Promise<void>;
}

function collect(stream: NodeJS.ReadableStream, maxBytes: number): Collected {
  const kept = createHeadTail(maxBytes);
  stream.on("data", (chunk: Uint8Array) => kept.append(chunk));
  return { kept, ended: streamEnd(stream) };
}
