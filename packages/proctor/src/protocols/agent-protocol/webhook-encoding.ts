// What webhooks send of a run: the events of document 003, as `/ws` and the event stream of `/api` send them, and its questions, of which
// the document knows nothing. Both together are numbered anew.
import type { RunEvent } from "../../core/event.ts";
import type { JsonObject } from "../../core/json.ts";
import type { WebhookEncoding } from "../../core/ports/webhook-encoding.ts";
import { NOTHING_YET, taskEvents, WEBHOOK_EVENTS } from "./surfaces/shared/task-events.ts";

const QUESTION_EVENTS = [
  "question.asked",
  "question.answered",
  "question.withdrawn",
  "question.expired",
] as const;

export const webhookEncoding: WebhookEncoding = {
  names: [...WEBHOOK_EVENTS, "question.*", ...QUESTION_EVENTS],
  defaultNames: ["task.*"],
  open() {
    let state = NOTHING_YET;
    let next = 0;
    return (event) => {
      const { events, after } = taskEvents(event, state);
      state = after;
      return [...events, ...questionEvents(event)].map((each) => ({ ...each, seq: next++ }));
    };
  },
};

function questionEvents({ type, run_id, timestamp, payload }: RunEvent) {
  const isQuestion = (QUESTION_EVENTS as readonly string[]).includes(type);
  // A payload of the log is JSON.
  return isQuestion ? [{ type, task_id: run_id, data: payload as JsonObject, timestamp, seq: 0 }] : [];
}
