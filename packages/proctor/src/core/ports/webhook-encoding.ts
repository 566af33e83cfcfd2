// How a protocol writes down what happens to a run, for the receivers of webhooks. `webhooks/` sends it and knows no protocol.
import type { RunEvent } from "../event.ts";
import type { JsonObject } from "../json.ts";
import type { Hub } from "./hub.ts";
import type { Receiver } from "./receivers.ts";

/** One event as a receiver gets it; the sender adds its `id`. */
export interface WebhookEvent extends JsonObject {
  type: string;
  /** Id of the run. */
  task_id: string;
  /** Number of the event, ascending within its run, and the same on every read of the log. */
  seq: number;
}

export interface WebhookEncoding {
  /** What `events` of a webhook may name: types of events, `<group>.*` for a group of them, and `*` for all. */
  names: readonly string[];
  /** The names that a webhook without `events` stands for. */
  defaultNames: readonly string[];
  /** Begins to read one run's log. The returned function takes its events in order from sequence 0. */
  open(reading: WebhookReading): (event: RunEvent) => WebhookEvents | Promise<WebhookEvents>;
  /** Returns an event as a request in the protocol's own form; the hub's form when absent. */
  request?(event: WebhookEvent, receiver: Receiver): WebhookRequest;
}

type WebhookEvents = readonly WebhookEvent[];

export interface WebhookReading {
  /** Id of the run whose log is read. */
  runId: string;
  hub: Pick<Hub, "readArtifact">;
  /** The receiver; absent for the webhook that a run's own options name. */
  receiver?: Receiver;
}

export interface WebhookRequest {
  body: string;
  headers: Readonly<Record<string, string>>;
  /** The secret that the request is signed with; it is not signed when absent. */
  secret?: string;
}
