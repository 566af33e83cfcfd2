// A started program as its supervisor sees it, wherever it runs.
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { EnvironmentProcess } from "../../core/ports/environments.ts";
import { dieWithUs } from "../../runtime/processes/die-with-us.ts";
import { signalGroup } from "../../runtime/processes/signal.ts";
import { killLeftovers, RUN_VARIABLE } from "../../runtime/processes/kill-leftovers.ts";
import type { ProcessOptions } from "./process-options.ts";

export interface ProcessBody {
  readonly pid: number | undefined;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  onExit(listener: (code: number | null, signal: string | null) => void): void;
  /** Signals the program and what it started. Only before its exit: after that its pid may belong to another process. */
  send(name: NodeJS.Signals): void;
  /** Kills what the program left behind, after its exit, and resolves with the number of those processes. */
  clear(): Promise<number>;
  /** Stops waiting for a program that does not die. */
  abandon(): void;
}

/** Process ids are given out in a circle, which nobody runs through within this time. */
const YOUNG_MS = 1000;

/** A program of this machine, in a group of its own. */
export function childBody(
  child: ChildProcessWithoutNullStreams,
  pid: number,
  options: ProcessOptions,
): ProcessBody {
  const startedAt = performance.now();
  const letGo = dieWithUs(() => signalGroup(pid, "SIGKILL"));
  return {
    pid,
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    onExit: (listener) => void child.once("exit", listener),
    send: (name) => void signalGroup(pid, name),
    clear() {
      letGo();
      const young = performance.now() - startedAt < YOUNG_MS;
      const variable = options.markVariable ?? RUN_VARIABLE;
      const value = options.env[variable];
      const mark = value === undefined ? undefined : { variable, value };
      return killLeftovers(pid, mark, young ? { newerThanPid: pid } : {});
    },
    abandon: () => child.unref(),
  };
}

/** A program in an environment, which ends what is left of it when the environment itself ends. */
export function environmentBody(program: EnvironmentProcess): ProcessBody {
  return {
    pid: program.pid,
    // These are streams of Node, whose narrower types core does not name.
    stdin: program.stdin as Writable,
    stdout: program.stdout as Readable,
    stderr: program.stderr as Readable,
    onExit(listener) {
      void program.exited.then(
        ({ code }) => listener(code, null),
        () => listener(null, null),
      );
    },
    send(name) {
      // Processes that left its group are found only while the program lives, so everything that it ever started is signalled.
      if (name === "SIGKILL") void program.signalChildren(name, 0).catch(() => {});
      program.signal(name);
    },
    clear() {
      // Ends what stayed in its group. How many processes those are, and what else is left, only the environment knows.
      program.signal("SIGKILL");
      return Promise.resolve(0);
    },
    abandon() {},
  };
}
