// A terminal in a container: an exec with a terminal of the engine's. What is typed waits until the program has been reached, because a
// terminal would echo it into the wrapper's first line.
import type { Duplex } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import type Docker from "dockerode";
import type { ProcessEnd, Pty, PtyOptions } from "../../core/ports/environments.ts";
import { ProctorError } from "../../core/errors.ts";
import { reasonOf } from "./engine.ts";
import { exitCode, openExec, type ExecPlace } from "./programs.ts";
import { readFirstLine } from "./first-line.ts";
import { openOutlet } from "./outlet.ts";

/** Command of a login shell: bash where there is one. */
const LOGIN = ["/bin/sh", "-c", "command -v bash >/dev/null 2>&1 && exec bash -l; exec sh -l"];

export async function startPty(place: ExecPlace, options: PtyOptions): Promise<Pty> {
  const { columns = 80, rows = 24, command = LOGIN, env, cwd, user } = options;
  const size = { columns: Math.trunc(columns), rows: Math.trunc(rows) };
  const { exec, stream } = await openExec(
    place,
    {
      command,
      env: { TERM: "xterm-256color", ...env },
      ...(cwd !== undefined && { cwd }),
      ...(user !== undefined && { user }),
    },
    size,
  ).catch((error: unknown) => {
    throw new ProctorError("ENVIRONMENT_UNAVAILABLE", `no terminal could be opened: ${reasonOf(error)}`);
  });
  const outlet = openOutlet(() => stream.resume());
  let closed = false;
  const root = new Promise<number | undefined>((resolve) => {
    const first = readFirstLine(resolve);
    stream.on("data", (chunk: Buffer) => {
      const own = first.take(chunk);
      if (own !== undefined && own.length > 0 && !outlet.push(own)) stream.pause();
    });
    stream.once("close", () => {
      const rest = first.rest();
      if (rest.length > 0) outlet.push(rest);
      outlet.end();
    });
  });
  stream.once("end", () => stream.destroy());
  stream.on("error", () => undefined);
  const exited: Promise<ProcessEnd> = ended(stream, exec);
  // An image without stty leaves the size to the engine. Sizes are set one after another, and what is typed after one finds it set.
  let sized = root.then((pid) => (pid === undefined ? undefined : resize(exec, size)));

  return {
    output: read(outlet.stream),
    exited,
    async write(data) {
      await sized;
      // The engine does not report what it has typed, so this only waits until the data is sent.
      if (stream.writable) await new Promise<void>((resolve) => stream.write(data, () => resolve()));
    },
    resize(newColumns, newRows) {
      sized = sized.then(() => resize(exec, { columns: newColumns, rows: newRows }));
    },
    async close() {
      if (closed) return;
      closed = true;
      const pid = await root;
      if (pid !== undefined) await place.control.signal({ name: "SIGKILL", root: pid });
      stream.destroy();
      outlet.stream.destroy();
      await Promise.race([exited, pause(10_000, undefined, { ref: false })]);
    },
  };
}

async function ended(stream: Duplex, exec: Docker.Exec): Promise<ProcessEnd> {
  await new Promise((resolve) => stream.once("close", resolve));
  return { code: await exitCode(exec) };
}

/** Resizes a terminal; does nothing for a program that has ended. */
async function resize(
  exec: Docker.Exec,
  { columns, rows }: { columns: number; rows: number },
): Promise<void> {
  await exec.resize({ w: columns, h: rows }).catch(() => undefined);
}

/** Yields the output; the end of a closed terminal is not an error for its reader. */
async function* read(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of stream) yield piece;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE"))
      throw error;
  }
}
