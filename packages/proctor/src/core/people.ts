// The people whom a run's options name: they are told of what it asks, and may answer.
import type { Run } from "./run.ts";

/** `user:ada` and the like; empty where nobody is named. */
export function peopleOf({ options }: Pick<Run, "options">): readonly string[] {
  return options.conversation?.notify ?? options.goal?.approvals?.notify ?? [];
}
