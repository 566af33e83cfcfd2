// What a schema refused in an agent's message, as violations of one rule.
import { describeIssues, type Issue } from "../core/describe-issues.ts";
import type { Violation } from "../core/event.ts";

/** Violations that are recorded for one message. */
const MAX_VIOLATIONS = 10;

/** `value` is the message. `root` is its name in violations; `event` for the rule `atp.event` when absent. */
export function schemaViolations(
  rule: string,
  issues: readonly Issue[],
  value: unknown,
  root: string = rule.slice(rule.indexOf(".") + 1),
): Violation[] {
  return describeIssues(issues.slice(0, MAX_VIOLATIONS), value, root).map(({ path, message }) => ({
    rule,
    message,
    where: path === "" ? root : `${root}.${path}`,
  }));
}
