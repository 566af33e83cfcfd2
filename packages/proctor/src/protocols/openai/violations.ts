// What departs from the API, as violations.
import { describeIssues, type Issue } from "../../core/describe-issues.ts";
import type { Violation } from "../../core/event.ts";

/** The most violations that are recorded for one message. */
const MAX_VIOLATIONS = 10;

/** `value` is the message that the schema refused. */
export function schemaViolations(rule: string, issues: readonly Issue[], value: unknown): Violation[] {
  const root = rule.slice("openai.".length);
  return describeIssues(issues.slice(0, MAX_VIOLATIONS), value, root).map(({ path, message }) => ({
    rule,
    message,
    where: path === "" ? root : `${root}.${path}`,
  }));
}
