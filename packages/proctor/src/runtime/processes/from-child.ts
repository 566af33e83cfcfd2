// A child process of this one as a program of an environment: exit codes as a shell reports them, signals to everything that it started.
import type { ChildProcess } from "node:child_process";
import { Readable, Writable } from "node:stream";
import type { EnvironmentProcess, ProcessEnd } from "../../core/ports/environments.ts";
import { signalChildren } from "./signal-children.ts";
import { startFailure } from "./start-failure.ts";
import { notStarted } from "./not-started.ts";
import { exitCode, sendSignal, signalGroup } from "./signal.ts";

interface FromChildOptions {
  /** False for a child that was not started with `detached`, and therefore leads no process group. */
  group?: boolean;
  /** These three are the child's streams, where they are not pipes that Node made. */
  stdin?: NodeJS.WritableStream;
  stdout?: NodeJS.ReadableStream;
  stderr?: NodeJS.ReadableStream;
  /** Directory that the child was started in; it is named in the error when the child could not be started. */
  cwd?: string;
}

export function fromChild(child: ChildProcess, options: FromChildOptions = {}): EnvironmentProcess {
  const { pid } = child;
  if (pid === undefined) return neverStarted(child, options);
  const stdin = options.stdin ?? child.stdin ?? new Writable({ write: (_chunk, _encoding, done) => done() });
  const stdout = options.stdout ?? child.stdout ?? Readable.from([]);
  const stderr = options.stderr ?? child.stderr ?? Readable.from([]);
  // Callers learn of the end through `exited`; a broken pipe must not end the hub.
  stdin.on("error", () => undefined);
  stdout.on("error", () => undefined);
  stderr.on("error", () => undefined);
  child.on("error", () => undefined);

  let gone = false;
  const exited = new Promise<ProcessEnd>((resolve) => {
    child.once("exit", (code, signal) => {
      // A stream without a reader would stay open for ever.
      setTimeout(() => [stdout, stderr].forEach(resumeUnread), UNREAD_MS).unref();
      if (options.group === false) gone = true;
      resolve({ code: exitCode(code, signal) });
    });
  });

  return {
    pid,
    stdin,
    stdout,
    stderr,
    exited,
    signal(name) {
      // A group that was empty once is never signalled again: its number may belong to another one by now.
      if (gone) return;
      const reached = options.group === false ? sendSignal(pid, name) : signalGroup(pid, name);
      if (!reached && child.exitCode === null && child.signalCode === null) sendSignal(pid, name);
      else if (!reached) gone = true;
    },
    async signalChildren(name, since) {
      if (!gone) await signalChildren(pid, name, since);
    },
  };
}

const UNREAD_MS = 5000;

function resumeUnread(stream: NodeJS.ReadableStream): void {
  if (stream instanceof Readable && stream.readableFlowing === null && stream.listenerCount("readable") === 0)
    stream.resume();
}

/** The process that Node could not start; Node says why in the next turn. */
function neverStarted(child: ChildProcess, options: FromChildOptions): EnvironmentProcess {
  // Nothing was started that could read or write: our ends of the pipes are closed.
  for (const stream of [options.stdin, options.stdout, options.stderr, ...child.stdio]) {
    if (stream instanceof Readable || stream instanceof Writable)
      stream.on("error", () => undefined).destroy();
  }
  return notStarted(
    new Promise((resolve) => {
      child.once("error", (error) => resolve(startFailure(child.spawnfile, options.cwd, error)));
    }),
  );
}
