// Plays one part before one client, whatever the transport: says what is to be said, waits where waiting is asked for.
import type { RecordedCall } from "../../core/recording.ts";
import type { Saying, Step } from "./steps.ts";

export interface Audience {
  /** False when nobody listens any more. */
  say(saying: Saying): Promise<boolean>;
  call(call: RecordedCall): Promise<void>;
  /** Aborted when the client leaves or the agent is stopped. */
  signal: AbortSignal;
}

/** `answered` and `silent` have come to their end, with and without a response; `cut` is to be cut; `left` has nobody left. */
export type Outcome = "answered" | "silent" | "cut" | "left";

/** `speed`: how many times as fast as recorded; 0 for as fast as possible. */
export async function perform(steps: readonly Step[], audience: Audience, speed: number): Promise<Outcome> {
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
        if (speed > 0) await pause(step.ms / speed, signal);
        break;
      case "wait":
        await pause(step.ms, signal);
        break;
      case "stall":
        await pause(undefined, signal);
        return "left";
      case "cut":
        return "cut";
    }
  }
  return signal.aborted ? "left" : answered ? "answered" : "silent";
}

const LONG_MS = 60_000;

/** Ends early, without a word, when the signal aborts; without a time it ends only then. */
function pause(ms: number | undefined, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    // A timer even without a time: a program that waits for nothing would exit.
    const timer = ms === undefined ? setInterval(() => undefined, LONG_MS) : setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done);
  });
}
