// The two agents that are no programs: `oracle` types what the task's solution says, `nop` is done at once. A task that the first
// does not pass, or the second does, is broken.
import { failure, type Failure } from "../../../core/failure.ts";
import type { Job } from "../../../core/ports/driver.ts";
import { notStarted } from "../errors.ts";
import type { WireNotes } from "../wire-notes.ts";
import type { Heard, Seat } from "./seat.ts";

const BUILTINS = ["oracle", "nop"] as const;

/** Returns the answers of a built-in agent, one for each step; or why there are none. */
export function builtinAnswers({ spec, options }: Job): readonly string[] | Failure {
  const name = spec.url?.replace(/^builtin:/, "") ?? spec.command?.[0] ?? "";
  switch (name) {
    case "nop":
      return [JSON.stringify({ command: null, task_complete: true })];
    case "oracle": {
      const script = options?.terminal?.script ?? [];
      if (script.length > 0) {
        return script.map((command, index) =>
          JSON.stringify({ command, task_complete: index === script.length - 1 }),
        );
      }
      const next =
        "give the run options.terminal.script, or run a task that has a solution (proctor tasks run)";
      return failure("INVALID_REQUEST", `the built-in agent oracle has nothing to type\n${next}`);
    }
    default:
      return notStarted(
        `there is no built-in agent ${JSON.stringify(name.slice(0, 64))}\nthere are: ${BUILTINS.join(", ")}`,
        "not-found",
      );
  }
}

export function createBuiltinSeat(answers: readonly string[], notes: WireNotes | undefined): Seat {
  let at = 0;
  let stopped = false;

  function next(): Promise<Heard> {
    if (stopped) return Promise.resolve({ kind: "stopped" });
    const text = answers[at++];
    if (text === undefined) return Promise.resolve({ kind: "gone" });
    notes?.received({ kind: "line", stream: "stdout", text, terminated: true, invalidUtf8: false });
    return Promise.resolve({ kind: "line", text });
  }

  const stop = (): void => {
    stopped = true;
  };

  return {
    ask(line) {
      if (!stopped) notes?.sent(line);
      return next();
    },
    pause() {},
    resume() {},
    stop,
    kill: stop,
    leave: () => Promise.resolve(),
    exit: undefined,
    muted: false,
    lastWords: () => ({}),
  };
}
