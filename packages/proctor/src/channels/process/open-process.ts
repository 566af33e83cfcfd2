// A program as a channel: bytes in, lines out, and nothing of it left when it is over. It runs without a shell, in its
// own process group, with only the environment it is given; or in an environment, where the same holds.
import { spawn } from "node:child_process";
import { startFailure } from "../../runtime/processes/start-failure.ts";
import { createOutbox } from "./outbox.ts";
import type { Outbox } from "./outbox.ts";
import type { ProcessOptions } from "./process-options.ts";
import type { ProcessOutput } from "./process-output.ts";
import { childBody, environmentBody } from "./process-body.ts";
import { supervise } from "./supervise.ts";
import type { SupervisedProcess } from "./supervise.ts";

export type { ProcessOptions } from "./process-options.ts";
export type { ProcessOutput } from "./process-output.ts";

/**
 * Yields what each read of a pipe held. The last item is `exit` or `not-started`, exactly once. Not reading holds the
 * process back; leaving the loop early kills it. For one reader.
 */
export interface ProcessChannel extends AsyncIterable<readonly ProcessOutput[]> {
  readonly pid: number | undefined;
  /** True when the pipe took all of it, false when the process no longer reads. Never rejects. */
  write(data: string | Uint8Array): Promise<boolean>;
  endInput(): void;
  /** Signals the whole group; does nothing after the exit. A signal that asks a paused group to end also wakes it. */
  signal(name: NodeJS.Signals): void;
  pause(): void;
  resume(): void;
  /** Kills the group and its strays; resolves when nothing is left. What had been written can still be read. */
  kill(): Promise<void>;
}

export function openProcess(options: ProcessOptions): ProcessChannel {
  const outbox = createOutbox<ProcessOutput>();
  const life = start(options, outbox);
  let reading = false;

  async function kill(): Promise<void> {
    const gone = life.kill();
    // Without a reader the pipes would never be emptied.
    if (!reading) life.closePipes();
    await gone;
  }

  return {
    pid: life.pid,
    write: (data) => life.write(data),
    endInput: () => life.endInput(),
    signal: (name) => life.signal(name),
    pause: () => life.signal("SIGSTOP"),
    resume: () => life.signal("SIGCONT"),
    kill,
    [Symbol.asyncIterator]() {
      reading = true;
      return {
        async next() {
          const batch = await outbox.take();
          return batch ? { done: false, value: batch } : { done: true, value: undefined };
        },
        async return() {
          outbox.abandon();
          const gone = life.kill();
          life.closePipes();
          await gone;
          return { done: true, value: undefined };
        },
      };
    },
  };
}

function start(options: ProcessOptions, outbox: Outbox<ProcessOutput>): SupervisedProcess {
  const [file = "", ...args] = options.command;

  function refuse(error: unknown): void {
    const { reason, message } = startFailure(file, options.cwd, error);
    outbox.put([{ kind: "not-started", reason, message }]);
    outbox.end();
  }

  const place = options.cwd === undefined ? {} : { cwd: options.cwd };
  try {
    if (options.spawn) {
      const program = options.spawn({ command: options.command, env: options.env, ...place });
      return supervise(environmentBody(program), options, outbox);
    }
    const child = spawn(file, args, {
      env: options.env,
      detached: true,
      windowsHide: true,
      ...place,
    });
    if (child.pid !== undefined) return supervise(childBody(child, child.pid, options), options, outbox);
    // Without a pid the system refused, and says why in the event.
    child.once("error", refuse);
    return NO_PROCESS;
  } catch (error) {
    refuse(error);
    return NO_PROCESS;
  }
}

const NO_PROCESS: SupervisedProcess = {
  pid: undefined,
  write: () => Promise.resolve(false),
  endInput() {},
  signal() {},
  kill: () => Promise.resolve(),
  closePipes() {},
};
