// How a protocol writes down what happens to a run, for the receivers of webhooks. `webhooks/` sends it and knows no protocol.
import type { RunEvent } from "../event.ts";
import type { JsonObject } from "../json.ts";

/** One event as a receiver gets it; the sender adds its `id`. */
export interface WebhookEvent extends JsonObject {
  type: string;
  /** The run's id. */
  task_id: string;
  /** Numbers the events of one run without gaps from 0, and is the same on every read of the log. */
  seq: number;
}

export interface WebhookEncoding {
  /** What `events` of a webhook may name: types of events, `<group>.*` for a group of them, and `*` for all. */
  names: readonly string[];
  /** The names that a webhook without `events` stands for. */
  defaultNames: readonly string[];
  /** Begins to read one run's log. The returned function takes its events in order from sequence 0. */
  open(): (event: RunEvent) => readonly WebhookEvent[];
}
