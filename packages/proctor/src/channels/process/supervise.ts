// The life of one started process: its pipes, its signals, and its end, after which nothing of it is left.
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { dieWithUs } from "./die-with-us.ts";
import { signalGroup } from "./group.ts";
import { killLeftovers, RUN_VARIABLE } from "./kill-leftovers.ts";
import type { ProcessOptions } from "./process-options.ts";
import type { Outbox } from "./outbox.ts";
import type { ProcessOutput } from "./process-output.ts";
import { readPipe } from "./read-pipe.ts";
import { writeInput } from "./write-input.ts";

export interface SupervisedProcess {
  readonly pid: number | undefined;
  write(data: string | Uint8Array): Promise<boolean>;
  endInput(): void;
  signal(name: NodeJS.Signals): void;
  kill(): Promise<void>;
  /** Stops reading the pipes, whatever they hold. */
  closePipes(): void;
}

const EXIT_GRACE_MS = 250;
/** Process ids are given out in a circle, which nobody runs through within this time. */
const YOUNG_MS = 1000;
/** A process that SIGKILL does not end hangs in the kernel or is not ours to kill. Nobody waits for it any longer. */
const UNDEAD_MS = 5000;
/** They ask the process to do something, for which it has to be awake. */
const REQUESTS: ReadonlySet<NodeJS.Signals> = new Set(["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"]);

export function supervise(
  child: ChildProcessWithoutNullStreams,
  pid: number,
  options: ProcessOptions,
  outbox: Outbox<ProcessOutput>,
): SupervisedProcess {
  const startedAt = performance.now();
  const letGo = dieWithUs(pid);
  const input = writeInput(child.stdin);
  const pipes = [
    readPipe(child.stdout, "stdout", outbox, options.maxLineBytes),
    readPipe(child.stderr, "stderr", outbox, options.maxLineBytes),
  ];
  let exited = false;
  let stopped = false;
  let undeadTimer: NodeJS.Timeout | undefined;
  let resolveGone = (): void => {};
  const gone = new Promise<void>((resolve) => {
    resolveGone = resolve;
  });

  async function onExit(code: number | null, signal: string | null): Promise<void> {
    if (exited) return;
    exited = true;
    letGo();
    clearTimeout(undeadTimer);
    input.destroy();
    const young = performance.now() - startedAt < YOUNG_MS;
    const variable = options.markVariable ?? RUN_VARIABLE;
    const value = options.env[variable];
    const mark = value === undefined ? undefined : { variable, value };
    const leftover = await killLeftovers(pid, mark, young ? { newerThanPid: pid } : {});
    resolveGone();
    for (const pipe of pipes) pipe.finish(options.exitGraceMs ?? EXIT_GRACE_MS);
    await Promise.all(pipes.map((pipe) => pipe.closed));
    outbox.put([{ kind: "exit", code, signal, leftover }]);
    outbox.end();
  }

  /** Until the exit was seen, the number is the process's own, even when it is already dead. After that it is not. */
  function send(name: NodeJS.Signals): void {
    if (!exited) signalGroup(pid, name);
  }

  child.once("exit", (code, signal) => void onExit(code, signal));

  return {
    pid,
    write: (data) => input.write(data),
    endInput: () => input.end(),
    signal(name) {
      send(name);
      if (name === "SIGSTOP") stopped = true;
      if (name === "SIGCONT") stopped = false;
      if (stopped && REQUESTS.has(name)) {
        send("SIGCONT");
        stopped = false;
      }
    },
    kill() {
      send("SIGKILL");
      if (!exited) {
        undeadTimer ??= setTimeout(() => {
          child.unref();
          void onExit(null, null);
        }, UNDEAD_MS);
      }
      return gone;
    },
    closePipes() {
      input.destroy();
      for (const pipe of pipes) pipe.destroy();
    },
  };
}
