// What webhooks send of a run: the events of document 003, as `/ws` and the event stream of `/api` send them.
import type { WebhookEncoding } from "../../core/ports/webhook-encoding.ts";
import { NOTHING_YET, taskEvents, WEBHOOK_EVENTS } from "./surfaces/shared/task-events.ts";

export const webhookEncoding: WebhookEncoding = {
  names: WEBHOOK_EVENTS,
  defaultNames: ["task.*"],
  open() {
    let state = NOTHING_YET;
    return (event) => {
      const { events, after } = taskEvents(event, state);
      state = after;
      return events;
    };
  },
};
