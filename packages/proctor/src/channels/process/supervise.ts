// The life of one started process: its pipes, its signals, and its end, after which nothing of it is left.
import { createLineSplitter, type LineSplitter } from "../lines/split-lines.ts";
import { createPieceSplitter } from "../lines/split-pieces.ts";
import type { ProcessBody } from "./process-body.ts";
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
/** Milliseconds to wait for a process that SIGKILL does not end: it hangs in the kernel or belongs to another user. */
const UNDEAD_MS = 5000;
/** Signals that ask the process to do something, for which it has to be awake. */
const REQUESTS: ReadonlySet<NodeJS.Signals> = new Set(["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"]);

export function supervise(
  body: ProcessBody,
  options: Pick<ProcessOptions, "maxLineBytes" | "exitGraceMs" | "pieces">,
  outbox: Outbox<ProcessOutput>,
): SupervisedProcess {
  const input = writeInput(body.stdin);
  const { maxLineBytes } = options;
  const byLines = (): LineSplitter => createLineSplitter(maxLineBytes === undefined ? {} : { maxLineBytes });
  const pipes = [
    readPipe(body.stdout, "stdout", outbox, options.pieces === true ? createPieceSplitter() : byLines()),
    readPipe(body.stderr, "stderr", outbox, byLines()),
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
    clearTimeout(undeadTimer);
    input.destroy();
    const leftover = await body.clear();
    resolveGone();
    for (const pipe of pipes) pipe.finish(options.exitGraceMs ?? EXIT_GRACE_MS);
    await Promise.all(pipes.map((pipe) => pipe.closed));
    outbox.put([{ kind: "exit", code, signal, leftover }]);
    outbox.end();
  }

  /** Until the exit was seen, the number is the process's own, even when it is already dead. After that it is not. */
  function send(name: NodeJS.Signals): void {
    if (!exited) body.send(name);
  }

  body.onExit((code, signal) => void onExit(code, signal));

  return {
    pid: body.pid,
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
          body.abandon();
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
