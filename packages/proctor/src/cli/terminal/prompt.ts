// Reads what a person types at the bottom of a terminal, while finished lines are printed above it.
import { createInterface, type Interface } from "node:readline";
import { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { CliIo } from "../cli-io.ts";

export interface Prompt {
  /** Prints finished lines above what is being typed. */
  print(text: string): void;
  /** Resolves with what was typed; undefined for Ctrl-D. Rejects when the signal is aborted, and what was typed is gone. */
  read(label: string, options: ReadOptions): Promise<string | undefined>;
  /** Drops what was typed before the question was there: it cannot have been meant as an answer. */
  settle(signal: AbortSignal): Promise<void>;
}

export interface ReadOptions {
  /** Whether what is typed is hidden. */
  secret?: boolean;
  /** Whether several lines that were pasted at once are one answer; otherwise the first is. */
  pasted?: boolean;
  signal: AbortSignal;
}

/** A terminal as the standard library has it. */
type Keyboard = Readable & { setRawMode?(mode: boolean): unknown };

/** Milliseconds in which what was typed earlier arrives. */
const SETTLE_MS = 30;
const CTRL_C = 3;
const ERASE = "\r\u001b[J";

/** True where a person sees what is printed and can type. */
export function hasPerson({ stdin, stdout }: CliIo): boolean {
  return stdin.isTTY === true && stdout.isTTY === true && stdin instanceof Readable;
}

export function createPrompt(io: CliIo): Prompt {
  const { stdin, stdout } = io;
  if (!(stdin instanceof Readable)) throw new Error("nobody can type here");
  const keyboard: Keyboard = stdin;
  let reading: { print(text: string): void } | undefined;

  /** Returns the stream that `readline` writes to; what is secret is not echoed. */
  function echo(muted: boolean): Writable {
    const stream = new Writable({
      write(chunk: Buffer, _encoding, done) {
        if (!muted) stdout.write(chunk);
        done();
      },
    });
    return Object.defineProperty(stream, "columns", { get: () => stdout.columns ?? 80 });
  }

  return {
    print(text) {
      if (reading === undefined) stdout.write(`${text}\n`);
      else reading.print(text);
    },
    async settle(signal) {
      const drop = (chunk: Buffer | string): void => {
        if (Buffer.from(chunk).includes(CTRL_C)) io.interrupt();
      };
      keyboard.setRawMode?.(true);
      keyboard.on("data", drop);
      try {
        await sleep(SETTLE_MS, undefined, { signal });
      } finally {
        keyboard.off("data", drop);
        keyboard.pause();
        keyboard.setRawMode?.(false);
      }
    },
    read(label, { secret = false, pasted = false, signal }) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(asError(signal.reason));
        const lines: string[] = [];
        const line = createInterface({
          input: keyboard,
          output: echo(secret),
          terminal: true,
          historySize: 0,
          prompt: label,
        });
        const show = (): void => {
          if (secret) stdout.write(label);
          else line.prompt(true);
        };
        let finished = false;
        const finish = (settled: () => void): void => {
          if (finished) return;
          finished = true;
          reading = undefined;
          signal.removeEventListener("abort", abort);
          line.close();
          settled();
        };
        const abort = (): void =>
          finish(() => {
            stdout.write(secret ? ERASE : erase(line));
            reject(asError(signal.reason));
          });
        signal.addEventListener("abort", abort);
        // Lines that were pasted arrive at once.
        line.on("line", (typed) => {
          if (lines.push(typed) > 1) return;
          setImmediate(() =>
            finish(() => {
              if (secret) stdout.write("\n");
              resolve(pasted ? lines.join("\n") : lines[0]);
            }),
          );
        });
        line.on("close", () => {
          if (lines.length > 0) return;
          finish(() => {
            stdout.write("\n");
            resolve(undefined);
          });
        });
        line.on("SIGINT", () => io.interrupt());
        reading = {
          print(text) {
            // `readline` goes up as many rows as it was below the first one.
            const { rows } = line.getCursorPos();
            stdout.write(`${secret ? ERASE : erase(line)}${text}\n${secret ? "" : "\n".repeat(rows)}`);
            show();
          },
        };
        show();
      });
    },
  };
}

/** Moves to where the label began, and removes everything from there on. */
function erase(line: Interface): string {
  const { rows } = line.getCursorPos();
  return `${rows > 0 ? `\u001b[${rows}A` : ""}${ERASE}`;
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
