// The people whom a run's options name: they are notified of its questions, and may answer.
import type { Run } from "./run.ts";

/** Returns `user:ada` and the like; an empty list where the options name no one. */
export function peopleOf({ options }: Pick<Run, "options">): readonly string[] {
  return options.conversation?.notify ?? options.goal?.approvals?.notify ?? [];
}
