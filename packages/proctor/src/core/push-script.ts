// How a receiver of push notifications answers and what it checks, and a delivery to it as it happened. Written in YAML by people, served by
// doubles/labs/push.
import type { Json, JsonObject } from "./json.ts";

export interface PushScript extends JsonObject {
  /** Name that reports show. */
  name?: string;
  /** HTTP status for a delivery that no entry of `answers` answers. */
  status?: number;
  /** Answers to deliveries, in order; each entry counts the deliveries to its path by itself. */
  answers?: PushAnswer[];
  verify?: PushVerification;
  /** Whether a delivery with a wrong proof gets 401; otherwise it is only noted. */
  refuse_unverified?: boolean;
}

/** Everything that is given happens to the delivery, in this order: delay, never, cut, redirect, status. */
export interface PushAnswer extends JsonObject {
  /** Path that the answer is for; any when absent. */
  path?: string;
  /** Number of deliveries that succeed before this answer. */
  after?: number;
  /** Number of deliveries that get the answer; all that follow when absent. */
  times?: number;
  delay_ms?: number;
  /** Whether the delivery is read and never answered. */
  never?: boolean;
  /** Whether the connection is cut instead of answered. */
  cut?: boolean;
  /** Address that the sender is redirected to, with 307. */
  redirect?: string;
  status?: number;
  retry_after?: number;
}

/** What a delivery must show; everything that is given is checked. */
export interface PushVerification extends JsonObject {
  /** Expected value of `X-A2A-Notification-Token`. */
  token?: string;
  /** Expected value of `Authorization`, whole: `Bearer abc`. */
  authorization?: string;
  /** The secret of Proctor's signature, `X-Proctor-Signature`. */
  secret?: string;
  /** Seconds by which the time of a signature may be off. */
  tolerance_seconds?: number;
  jwt?: PushJwt;
}

/** A JWT as the bearer token of `Authorization`. */
export interface PushJwt extends JsonObject {
  /** Address of the key set. */
  jwks_url: string;
  issuer?: string;
  audience?: string;
}

export type PushKind = "task" | "message" | "status_update" | "artifact_update" | "webhook" | "unknown";

/** A type alias, so that it counts as JSON. */
export type PushDelivery = {
  /** Number of the delivery, from 1; deliveries that were dropped count too. */
  number: number;
  /** When the delivery arrived, in ISO 8601. */
  time: string;
  method: string;
  path: string;
  /** Headers, without values that prove an identity. */
  headers: Record<string, string>;
  /** The body as JSON, or as text where it is not JSON. */
  body: Json;
  kind: PushKind;
  /** The version of A2A that the body is written in. */
  version?: "0.3" | "1.0";
  task_id?: string;
  /** State that the body reports, in the words of 1.0 without their prefix: `completed`. */
  state?: string;
  /** Id that a sender gives an event, the same for every attempt. */
  event_id?: string;
  /** The sender's own number of the event. */
  sequence?: number;
  /** HTTP status of the answer; 0 for a connection that was cut or left open. */
  status: number;
  /** What the script did to the answer. */
  faults?: string[];
  /** Result of each check: `ok`, or what is wrong. */
  checks?: Record<string, string>;
  /** Number of an earlier delivery of the same event that was not accepted: this one is another attempt. */
  retry_of?: number;
  /** Number of an earlier delivery of the same event that was accepted. */
  duplicate_of?: number;
  /** Why the delivery is out of order: something later was delivered before. */
  out_of_order?: string;
  /** Number of events that are missing before this one. */
  gap?: number;
};
