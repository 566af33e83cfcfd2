// Appends that wait, and which of them go together: those of one run keep their order.
import type { AppendOptions } from "../../core/ports/store.ts";
import type { Appended, Asked } from "../sql/decide-append.ts";

/** Most runs that one statement appends to, and roughly how many characters of payload it carries. */
const MAX_RUNS = 256;
const MAX_CHARS = 64 * 1024;

export interface Job {
  asked: Asked;
  options: AppendOptions;
  resolve: (appended: Appended) => void;
  reject: (error: unknown) => void;
}

/** A run and the first of the appends that wait for it. */
export interface Turn {
  id: string;
  jobs: Job[];
}

/** Returns whether an append takes more than one statement, because it creates another run. */
export function needsTransaction({ options }: Job): boolean {
  return options.successor !== undefined;
}

/** Takes the runs that are not being written, each with its first appends that can go together. */
export function takeTurns(waiting: Map<string, Job[]>, busy: ReadonlySet<string>): Turn[] {
  const turns: Turn[] = [];
  let chars = 0;
  for (const [id, queue] of waiting) {
    if (turns.length >= MAX_RUNS || chars > MAX_CHARS) break;
    if (busy.has(id)) continue;
    let count = 0;
    for (const job of queue) {
      if (count > 0 && (needsTransaction(job) || chars > MAX_CHARS)) break;
      count++;
      if (needsTransaction(job)) break;
      if (typeof job.asked !== "function") for (const { payload } of job.asked) chars += payload.length;
    }
    turns.push({ id, jobs: queue.splice(0, count) });
    if (queue.length === 0) waiting.delete(id);
  }
  return turns;
}
