// A terminal of this machine with a program in it; pty-program.ts holds it.
import { spawn } from "node:child_process";
import { Duplex, type Readable } from "node:stream";
import { ProctorError } from "../../core/errors.ts";
import type { ProcessEnd, Pty, PtyOptions } from "../../core/ports/environments.ts";
import { ownProgram } from "../../runtime/own-program.ts";
import { within } from "../../runtime/processes/end-by-force.ts";
import { endSession } from "./end-session.ts";
import type { PtyReport, PtyRequest, PtyResize } from "./control.ts";
import { readLines } from "./control.ts";
import { trackTyping } from "./track-typing.ts";

interface PtyProgram {
  command: readonly string[];
  /** All variables of the program except TERM. */
  env: Record<string, string>;
  cwd?: string;
}

const COLUMNS = 80;
const ROWS = 24;
const TERM = "xterm-256color";
const LAST_MS = 2000;

/** Script that exits with 126 when the directory cannot be entered, and with 127 when there is no such program. */
const ENTER = 'cd -- "$1" || exit 126; shift; exec "$@"';

/** Takes only the size from `options`; the caller has put the rest into `program`. */
export async function openPty(program: PtyProgram, options: PtyOptions): Promise<Pty> {
  const { command, env, cwd = "/" } = program;
  const holder = spawn(process.execPath, ownProgram("pty-program", import.meta.url), {
    // No variables of ours. Those of the program are sent over the control stream, where nobody else can read them.
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin" },
    cwd: "/",
    detached: true,
    stdio: ["pipe", "pipe", "pipe", "pipe"],
  });
  const control = holder.stdio[3];
  if (!(control instanceof Duplex)) throw new Error("a terminal's holder has no third stream");
  for (const stream of [holder, holder.stdin, holder.stdout, holder.stderr, control])
    stream.on("error", () => undefined);
  const gone = new Promise<void>((resolve) => {
    holder.once("exit", () => resolve());
    if (holder.pid === undefined) resolve();
  });

  const typing = trackTyping(gone);
  const { started, exited } = listen(control, holder.stderr, gone, typing.advance);
  const say = (line: PtyRequest | PtyResize): boolean => control.write(`${JSON.stringify(line)}\n`);
  say({
    file: "/bin/sh",
    args: ["-c", ENTER, "sh", cwd, ...command],
    env: { TERM, ...env },
    columns: size(options.columns, COLUMNS),
    rows: size(options.rows, ROWS),
  });
  const pid = await started.catch((error: unknown) => {
    holder.kill("SIGKILL");
    throw error;
  });
  let closing: Promise<void> | undefined;

  return {
    output: { [Symbol.asyncIterator]: () => shown(holder.stdout) },
    exited,
    write(data) {
      if (!holder.stdin.writable) return Promise.resolve();
      holder.stdin.write(data);
      return typing.taken(Buffer.byteLength(data));
    },
    resize(columns, rows) {
      if (control.writable) say({ columns: size(columns, COLUMNS), rows: size(rows, ROWS) });
    },
    close: () =>
      (closing ??= (async () => {
        // Output that waits is dropped, and a reader sees the end.
        holder.stdout.destroy();
        await endSession(pid, exited);
        if (!(await within(gone, LAST_MS))) holder.kill("SIGKILL");
        await gone;
        for (const stream of [holder.stdin, holder.stderr, control]) stream.destroy();
      })()),
  };
}

/** Yields the output; a closed terminal is an ordinary end. */
async function* shown(stream: Readable): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of stream) yield piece as Uint8Array;
  } catch (error) {
    if (!stream.destroyed) throw error;
  }
}

/** `started` rejects when there is no terminal; `exited` resolves in any case when its holder is gone. */
function listen(
  control: Duplex,
  stderr: NodeJS.ReadableStream,
  gone: Promise<void>,
  onTyped: (bytes: number) => void,
): { started: Promise<number>; exited: Promise<ProcessEnd> } {
  let errors = "";
  stderr.on("data", (chunk: Buffer) => (errors = `${errors}${chunk.toString()}`.slice(-2000)));
  let markExited: (end: ProcessEnd) => void = () => undefined;
  const exited = new Promise<ProcessEnd>((resolve) => (markExited = resolve));
  const started = new Promise<number>((resolve, reject) => {
    const fail = (why: string): void =>
      reject(new ProctorError("ENVIRONMENT_UNAVAILABLE", `no terminal could be opened: ${why}`));
    readLines(control, (line) => {
      // Written by pty-program.ts.
      const said = JSON.parse(line) as PtyReport;
      if ("pid" in said) resolve(said.pid);
      else if ("typed" in said) onTyped(said.typed);
      else if ("error" in said) fail(said.error);
      else markExited({ code: said.code });
    });
    const read = new Promise<void>((done) => control.once("end", done).once("close", done));
    void gone.then(async () => {
      // The last line of the holder may still be on the way.
      await within(read, LAST_MS);
      fail(errors.trim() || "its holder ended");
      markExited({ code: 137 });
    });
  });
  return { started, exited };
}

/** Returns a size that the kernel accepts for a terminal. */
function size(asked: number | undefined, otherwise: number): number {
  return asked === undefined || !(asked >= 1) ? otherwise : Math.min(Math.floor(asked), 10_000);
}
