// While an agent is served, stdout belongs to the protocol: what the agent's code prints goes to stderr, in whole lines and
// without the secrets of the tasks that run.
import type { Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type { Redactor } from "../secrets/redactor.ts";

export interface OutputGuard {
  /** Hides the secrets of a task until the returned function is called. */
  hide(redactor: Redactor): () => void;
  /** Writes a line of the protocol past the guard. Resolves when the system has taken it; false when the reader is gone. */
  readonly stdout: (line: string) => Promise<boolean>;
  readonly stderr: (line: string) => Promise<boolean>;
  /** Prints unfinished lines and gives the streams back. */
  restore(): void;
}

/** A longer line is printed in pieces. The end of each piece is held back, because it may be the beginning of a secret. */
const MAX_LINE_CHARS = 64 * 1024;
const HELD_BACK_CHARS = 4096;

type Done = (error?: Error | null) => void;

export function guardOutput(stdout: Writable, stderr: Writable): OutputGuard {
  const redactors = new Set<Redactor>();
  const out = takeOver(stdout);
  const err = takeOver(stderr);
  const printers = [out, err].map((taken) => createLinePrinter(redact, err.write, taken));

  function redact(text: string): string {
    let clean = text;
    for (const redactor of redactors) clean = redactor.text(clean);
    return clean;
  }

  return {
    hide(redactor) {
      redactors.add(redactor);
      return () => {
        for (const { flush } of printers) flush();
        redactors.delete(redactor);
      };
    },
    stdout: (line) => out.write(`${line}\n`),
    stderr: (line) => err.write(`${line}\n`),
    restore() {
      for (const { flush } of printers) flush();
      out.release();
      err.release();
    },
  };
}

interface TakenStream {
  /** Writes with the original method of the stream; false when the reader is gone. */
  readonly write: (text: string) => Promise<boolean>;
  /** Replaces the `write` that everybody else calls. */
  readonly replace: (
    write: (chunk: Uint8Array | string, encoding?: BufferEncoding | Done, done?: Done) => boolean,
  ) => void;
  readonly release: () => void;
}

function takeOver(stream: Writable): TakenStream {
  const before = Object.getOwnPropertyDescriptor(stream, "write");
  const write = stream.write.bind(stream);
  // The callback of a write reports that the reader is gone. The event must not become an uncaught error, which would end the task.
  const ignore = (): void => undefined;
  stream.on("error", ignore);
  return {
    write: (text) => new Promise((resolve) => write(text, (error) => resolve(error == null))),
    replace(write) {
      stream.write = write;
    },
    release() {
      stream.off("error", ignore);
      if (before) Object.defineProperty(stream, "write", before);
      else Reflect.deleteProperty(stream, "write");
    },
  };
}

function createLinePrinter(
  redact: (text: string) => string,
  print: (text: string) => Promise<boolean>,
  { replace }: TakenStream,
): { flush: () => void } {
  const decoder = new StringDecoder("utf8");
  let pending = "";

  function show(end: number): void {
    if (end > 0) void print(redact(pending.slice(0, end)));
    pending = pending.slice(end);
  }

  replace((chunk, encoding, done) => {
    const bytes =
      typeof chunk === "string" && typeof encoding === "string" ? Buffer.from(chunk, encoding) : chunk;
    pending += typeof bytes === "string" ? bytes : decoder.write(Buffer.from(bytes));
    show(pending.lastIndexOf("\n") + 1);
    if (pending.length > MAX_LINE_CHARS) {
      pending = redact(pending);
      show(pending.length - HELD_BACK_CHARS);
    }
    const callback = typeof encoding === "function" ? encoding : done;
    if (callback) process.nextTick(callback);
    return true;
  });
  return {
    flush() {
      if (pending !== "") pending += "\n";
      show(pending.length);
    },
  };
}
