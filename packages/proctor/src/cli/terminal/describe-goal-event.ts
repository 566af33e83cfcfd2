// The essence of what happens to a goal, on one line.
import type { RunEvent } from "../../core/event.ts";

type GoalEvent = Extract<RunEvent, { type: `plan.${string}` | `subtask.${string}` }>;

export function describeGoalEvent(event: GoalEvent): string {
  switch (event.type) {
    case "plan.made": {
      const { tasks, source } = event.payload;
      return `${tasks} ${tasks === 1 ? "task" : "tasks"}, ${source === "agent" ? "by an agent" : source}`;
    }
    case "plan.refused": {
      const [first, ...more] = event.payload.problems;
      const others = more.length === 0 ? "" : `, and ${more.length} more`;
      return first === undefined ? "refused" : `${first.path}: ${first.message}${others}`;
    }
    case "subtask.expanded":
      return `${event.payload.task}: ${event.payload.items} items`;
    case "subtask.started": {
      const { key, agent, attempt, purpose, run_id: runId } = event.payload;
      const what = purpose === undefined ? "" : `${purpose} of `;
      return `${what}${key} → ${agent}${attempt > 1 ? `, attempt ${attempt}` : ""}, run ${runId}`;
    }
    case "subtask.retried": {
      const { key, failure, status, next, delay_ms: delay } = event.payload;
      const wait = delay === 0 ? "" : ` in ${delay} ms`;
      return `${key}: ${failure === undefined ? status : `${failure.code}: ${failure.message}`}; ${next}${wait}`;
    }
    case "subtask.reviewed": {
      const { key, by, verdict, feedback, trouble } = event.payload;
      const said =
        typeof feedback === "string" ? feedback : feedback === undefined ? "" : JSON.stringify(feedback);
      return [`${key}: ${verdict ?? "no verdict"} by ${by}`, trouble ?? "", said]
        .filter((part) => part !== "")
        .join(", ");
    }
    case "subtask.settled": {
      const { key, status, reason, failure } = event.payload;
      const why = reason ?? (failure && `${failure.code}: ${failure.message}`);
      return why === undefined ? `${key} ${status}` : `${key} ${status}: ${why}`;
    }
  }
}
