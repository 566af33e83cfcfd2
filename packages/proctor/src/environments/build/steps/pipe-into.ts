// Gives bytes to a program in an environment and waits for it.
import { PassThrough, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Environment } from "../../../core/ports/environments.ts";

interface PipeEnd {
  code: number;
  /** End of the program's standard error. */
  message: string;
}

export async function pipeInto(
  environment: Environment,
  command: readonly string[],
  input: Readable,
  signal: AbortSignal,
): Promise<PipeEnd> {
  const program = environment.start({ command, cwd: "/" });
  let message = "";
  program.stderr.on("data", (chunk: Buffer) => (message = (message + chunk.toString()).slice(-2000)));
  program.stdout.resume();
  const stop = (): void => program.signal("SIGKILL");
  signal.addEventListener("abort", stop, { once: true });
  try {
    // A program that ends early closes the pipe, and its exit code says why. Errors of the input itself are thrown.
    let broken: unknown;
    input.once("error", (error) => (broken = error));
    await pipeline(input, new PassThrough(), program.stdin).catch(() => undefined);
    if (broken !== undefined) {
      stop();
      throw broken instanceof Error ? broken : new Error("the input broke");
    }
    const { code } = await program.exited;
    signal.throwIfAborted();
    return { code, message: message.trim() };
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
