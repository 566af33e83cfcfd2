// How a receiver of push notifications answers and what it checks, and a delivery to it as it happened. Written in YAML by people, served by
// doubles/labs/push.
import type { Json, JsonObject } from "./json.ts";

export interface PushScript extends JsonObject {
  /** The name that reports show. */
  name?: string;
  /** The status of a delivery that nothing else answers. */
  status?: number;
  /** What deliveries get, in order; each entry counts the deliveries to its path by itself. */
  answers?: PushAnswer[];
  verify?: PushVerification;
  /** Whether a delivery that proves itself wrongly gets 401; otherwise it is only noted. */
  refuse_unverified?: boolean;
}

/** Everything that is given happens to the delivery, in this order: delay, never, cut, redirect, status. */
export interface PushAnswer extends JsonObject {
  /** The path that the answer is for; any when absent. */
  path?: string;
  /** The number of deliveries that are answered well before. */
  after?: number;
  /** The number of deliveries that get the answer; all that follow when absent. */
  times?: number;
  delay_ms?: number;
  /** The delivery is read and never answered. */
  never?: boolean;
  /** The connection is cut instead of an answer. */
  cut?: boolean;
  /** The address that the sender is sent on to, with 307. */
  redirect?: string;
  status?: number;
  retry_after?: number;
}

/** What a delivery must show; everything that is given is checked. */
export interface PushVerification extends JsonObject {
  /** `X-A2A-Notification-Token`. */
  token?: string;
  /** `Authorization`, whole: `Bearer abc`. */
  authorization?: string;
  /** The secret of Proctor's signature, `X-Proctor-Signature`. */
  secret?: string;
  /** The number of seconds by which the time of a signature may be off. */
  tolerance_seconds?: number;
  jwt?: PushJwt;
}

/** A JWT as the bearer token of `Authorization`. */
export interface PushJwt extends JsonObject {
  /** Where the keys are. */
  jwks_url: string;
  issuer?: string;
  audience?: string;
}

export type PushKind = "task" | "message" | "status_update" | "artifact_update" | "webhook" | "unknown";

/** A type alias, so that it counts as JSON. */
export type PushDelivery = {
  /** Counts from 1, over deliveries that were dropped as well. */
  number: number;
  /** ISO 8601. */
  time: string;
  method: string;
  path: string;
  /** Headers without what proves something. */
  headers: Record<string, string>;
  /** The body as JSON, or as text where it is none. */
  body: Json;
  kind: PushKind;
  /** The version of A2A that the body is written in. */
  version?: "0.3" | "1.0";
  task_id?: string;
  /** The state that the body tells of, in the words of 1.0 without their prefix: `completed`. */
  state?: string;
  /** The id that a sender gives an event, the same for every attempt. */
  event_id?: string;
  /** The sender's own number of the event. */
  sequence?: number;
  /** The status that was answered; 0 for a connection that was cut or left open. */
  status: number;
  /** What the script did to the answer. */
  faults?: string[];
  /** What the delivery showed, by what was checked: `ok`, or what is wrong. */
  checks?: Record<string, string>;
  /** The number of an earlier delivery of the same that was not accepted: this one is another attempt. */
  retry_of?: number;
  /** The number of an earlier delivery of the same that was accepted. */
  duplicate_of?: number;
  /** Why the delivery comes too late: something later was told before. */
  out_of_order?: string;
  /** The number of events that are missing before this one. */
  gap?: number;
};
