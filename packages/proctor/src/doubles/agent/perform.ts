// Plays a recorded agent's steps to one client, whatever the transport: sends its messages, and waits where it waited.
import type { RecordedCall } from "../../core/recording.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { pause } from "../../runtime/time/pause.ts";
import type { Saying, Step } from "./steps.ts";

export interface Audience {
  /** Resolves to false when the client no longer listens. */
  say(saying: Saying): Promise<boolean>;
  call(call: RecordedCall): Promise<void>;
  /** Aborted when the client leaves or the agent is stopped. */
  signal: AbortSignal;
}

/** `answered` and `silent`: all steps were played, with and without a response; `cut`: the connection is to be cut; `left`: the client is gone. */
export type Outcome = "answered" | "silent" | "cut" | "left";

interface PerformOptions {
  /** Factor by which the recording is played faster; 0 for as fast as possible. */
  speed: number;
  clock: Clock;
}

export async function perform(
  steps: readonly Step[],
  audience: Audience,
  { speed, clock }: PerformOptions,
): Promise<Outcome> {
  const { signal } = audience;
  let answered = false;
  for (const step of steps) {
    if (signal.aborted) return "left";
    switch (step.kind) {
      case "say":
        if (!(await audience.say(step))) return "left";
        answered ||= step.role === "response" && step.spoiled !== true;
        break;
      case "call":
        await audience.call(step.call);
        break;
      case "pass":
        if (speed > 0) await pauseUnlessAborted(clock, step.ms / speed, signal);
        break;
      case "wait":
        await pauseUnlessAborted(clock, step.ms, signal);
        break;
      case "stall":
        await stall(clock, signal);
        return "left";
      case "cut":
        return "cut";
    }
  }
  return signal.aborted ? "left" : answered ? "answered" : "silent";
}

/** Waits; ends early, without an error, when the signal aborts. */
async function pauseUnlessAborted(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  try {
    await pause(clock, ms, signal);
  } catch {
    // The next step sees that the signal is aborted.
  }
}

/** Milliseconds of one wait in a stall. Timers keep the program alive; a promise alone would let it exit. */
const LONG_MS = 60_000;

async function stall(clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) await pauseUnlessAborted(clock, LONG_MS, signal);
}
