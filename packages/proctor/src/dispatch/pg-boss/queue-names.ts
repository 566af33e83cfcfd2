// The names of the queues: one for the runs that any worker may carry out, and one for each set of labels that runs require.
import { hasLabels } from "../../core/labels.ts";

const ANY = "runs";

/** The queue of jobs that were redelivered more often than can be: an alarm, for it must never happen. */
export const LOST_QUEUE = "runs.lost";

/** Returns the queue of a run; `requires` is as the store keeps it: sorted labels as JSON, or null. */
export function queueOf(requires: string | null): string {
  // Written by the store from a list of texts; labels have no slash.
  return requires === null ? ANY : [ANY, ...(JSON.parse(requires) as string[])].join("/");
}

function labelsOf(queue: string): string[] {
  return queue.split("/").slice(1);
}

export function isRunQueue(name: string): boolean {
  return name === ANY || name.startsWith(`${ANY}/`);
}

/** Returns the queues whose runs a worker with these labels may carry out; queues that few workers serve come first. */
export function servedQueues(queues: readonly string[], labels: readonly string[]): string[] {
  return queues
    .filter((queue) => isRunQueue(queue) && hasLabels(labels, labelsOf(queue)))
    .sort((a, b) => labelsOf(b).length - labelsOf(a).length);
}
