// Holds the conversation of a test: says something, follows the run to its end, and says more in a run that follows it.
import { ProctorError } from "../../core/errors.ts";
import { messageOf } from "../../core/message-of.ts";
import type { Hub } from "../../core/ports/hub.ts";
import type { Run } from "../../core/run.ts";
import type { Constraints, Task } from "../../core/task.ts";
import type { Thread, ThreadEnd } from "../thread.ts";
import { followTurn, type PlayedTurn } from "./follow-turn.ts";
import { leftOf } from "./left-of.ts";
import type { Stop, UserSide } from "./user-side.ts";

export interface HeldConversation {
  /** The turns that were played; at least one, unless the user's side failed before it said anything. */
  turns: PlayedTurn[];
  ended: ThreadEnd;
  /** Reason why the conversation could not go on. */
  stop?: Stop;
  notes?: string[];
  simulator?: NonNullable<Thread["simulator"]>;
}

export interface NextTurn {
  /** The number of the turn, from 1. */
  number: number;
  task: Task;
  constraints: Constraints;
  follows?: string;
  last: boolean;
}

export interface HoldOptions {
  user: UserSide;
  task: Task;
  /** The limits of the whole conversation. */
  constraints: Constraints;
  submit: (turn: NextTurn) => Promise<Run>;
  /** Whether more is said after a run that ended like this. */
  goesOn: (run: Run, turn: number) => boolean;
  onTurn?: (turn: PlayedTurn, number: number) => Promise<void>;
}

export async function holdConversation(
  options: HoldOptions,
  deps: { hub: Hub; signal: AbortSignal },
): Promise<HeldConversation> {
  const { user, task, constraints, submit, goesOn } = options;
  const turns: PlayedTurn[] = [];
  const finish = (ended: ThreadEnd, stop?: Stop): HeldConversation => {
    const notes = user.notes();
    const simulator = user.used();
    return {
      turns,
      ended,
      ...(stop && { stop }),
      ...(notes.length > 0 && { notes }),
      ...(simulator && { simulator }),
    };
  };
  let heard = "";
  for (;;) {
    const next = await user.next(heard, deps.signal);
    if (next.kind === "over") return finish(next.ended);
    if (next.kind === "stop") return finish(next.ended, next);
    const left = leftOf(
      constraints,
      turns.map(({ run, workedMs }) => ({ metrics: run.metrics, workedMs })),
    );
    if (isStop(left)) return finish(left.ended, left);
    const before = turns.at(-1)?.run.id;
    let run: Run;
    try {
      run = await submit({
        number: turns.length + 1,
        // Only the first turn has data in addition to its text.
        task: before === undefined ? { ...task, description: next.say } : { description: next.say },
        constraints: left,
        ...(before !== undefined && { follows: before }),
        last: next.last === true,
      });
    } catch (error) {
      const stop = turns.length > 0 ? notSupported(error) : undefined;
      if (!stop) throw error;
      return finish(stop.ended, stop);
    }
    const { stop, heard: said, ...played } = await followTurn(run, user, deps);
    turns.push(played);
    await options.onTurn?.(played, turns.length);
    if (stop) return finish(stop.ended, stop);
    if (!goesOn(played.run, turns.length)) return finish("run");
    heard = said;
  }
}

function isStop(left: Constraints | Stop): left is Stop {
  return "kind" in left && left["kind"] === "stop";
}

/** Returns the reason to stop for a protocol without conversations, which only the second turn reveals. */
function notSupported(error: unknown): Stop | undefined {
  if (!ProctorError.is(error) || error.code !== "NOT_SUPPORTED") return undefined;
  return {
    kind: "stop",
    ended: "not_supported",
    outcome: "unevaluated",
    reason: `NOT_SUPPORTED: ${messageOf(error)}`,
  };
}
