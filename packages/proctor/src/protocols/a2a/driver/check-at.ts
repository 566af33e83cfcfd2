// When a task that was left is looked after, though nobody answered: an agent that waits for authorisation may get it elsewhere and go on by
// itself (A2A 1.0, section 7.6.2), and input may come from another client.
import type { JsonObject } from "../../../core/json.ts";
import type { Continuation } from "./continuation.ts";
import type { TaskReader } from "./task-reader.ts";

interface Rhythm {
  firstMs: number;
  longestMs: number;
}

const AUTH: Rhythm = { firstMs: 5000, longestMs: 5 * 60_000 };
const INPUT: Rhythm = { firstMs: 60_000, longestMs: 60 * 60_000 };

/** `at` is a time in ISO 8601. */
export function checkAt(
  reader: TaskReader,
  before: Continuation | undefined,
  nowMs: number,
): { at: string; checks: number } {
  const { asked } = reader.questions.state();
  const questions = before?.questions as JsonObject | undefined;
  const isSame = questions?.["asked"] === asked;
  const checks = isSame && before?.checks !== undefined ? before.checks + 1 : 0;
  const { firstMs, longestMs } = reader.status?.state === "TASK_STATE_AUTH_REQUIRED" ? AUTH : INPUT;
  const waitMs = Math.min(firstMs * 2 ** Math.min(checks, 30), longestMs);
  return { at: new Date(nowMs + waitMs).toISOString(), checks };
}
