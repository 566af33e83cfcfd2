// How a task's end is a run's: the table "A2A in" of the neutral model.
import { failure, type Failure } from "../../../core/failure.ts";
import type { AgentEnd } from "../../../core/ports/driver.ts";
import { ANSWERED_BY_MESSAGE } from "../sent-as.ts";
import type { TaskReader } from "./task-reader.ts";

const MAX_WORDS_CHARS = 2000;

/** Returns undefined while the task goes on. */
export function endOf(reader: TaskReader): AgentEnd | undefined {
  if (reader.answered) return withMetrics({ status: "completed", extensions: ANSWERED_BY_MESSAGE }, reader);
  switch (reader.status?.state) {
    case "TASK_STATE_COMPLETED":
      return withMetrics({ status: "completed" }, reader);
    case "TASK_STATE_FAILED":
      return withMetrics(
        { status: "failed", failure: failure("AGENT_FAILED", words(reader, "failed")) },
        reader,
      );
    case "TASK_STATE_REJECTED":
      return withMetrics(
        { status: "rejected", failure: failure("REJECTED", words(reader, "rejected")) },
        reader,
      );
    case "TASK_STATE_CANCELED":
      return withMetrics(
        { status: "cancelled", failure: failure("CANCELLED", words(reader, "cancelled")) },
        reader,
      );
    default:
      return undefined;
  }
}

export function failedEnd(why: Failure, reader?: TaskReader): AgentEnd {
  const end: AgentEnd = { status: "failed", failure: why };
  return reader ? withMetrics(end, reader) : end;
}

export function cancelledEnd(reader: TaskReader): AgentEnd {
  return withMetrics({ status: "cancelled" }, reader);
}

function withMetrics(end: AgentEnd, { metrics }: TaskReader): AgentEnd {
  return Object.keys(metrics).length > 0 ? { ...end, metrics } : end;
}

/** Kept whole or not at all: half a secret would not be recognised. */
function words(reader: TaskReader, what: string): string {
  const said = reader.lastWords();
  if (said === undefined) return `the agent says that the task was ${what}, and not why`;
  return said.length > MAX_WORDS_CHARS ? `the agent said why in ${said.length} characters` : said;
}
