// What a stage saw while it played a declarative test. It is an artifact of the run, so that checks judge it like anything else a run
// produced, and judge it again later.
import type { JsonObject } from "./json.ts";

/** Name of the artifact that holds the observation. */
export const OBSERVATION = "observation";

/** Something that reached the client of the gateway, as A2A 0.3 writes it. */
export interface ObservedOutput extends JsonObject {
  type: "status_update" | "artifact_update" | "final_response" | "error";
  /** The event, or the error with `code`, `message` and `data`. */
  event: JsonObject;
}

/** A request that reached the downstream agent. */
export interface ObservedRequest extends JsonObject {
  /** The JSON-RPC method, or the HTTP method and path where there is none. */
  method: string;
  /** Headers of the request, by names in lower case. */
  headers: Record<string, string>;
  body: JsonObject;
}

/** One version of an artifact, as the artifact service holds it at the end. */
export interface ObservedArtifact extends JsonObject {
  app_name: string;
  user_id: string;
  session_id: string;
  filename: string;
  version: number;
  /** Whether this is the newest version of its name. */
  latest: boolean;
  mime_type: string;
  size_bytes: number;
  /** The bytes in base64; absent where there are more than the observation keeps. */
  content_base64?: string;
  metadata: JsonObject;
}

/** A request to the mock model, and the interaction that answered it. */
export interface ObservedModelCall extends JsonObject {
  /** Number of the interaction, from 0; absent for a call that the script does not expect. */
  interaction?: number;
  request: JsonObject;
}

/** A request to the mock OAuth server. */
export interface ObservedTokenRequest extends JsonObject {
  token_url: string;
  body: Record<string, string>;
}

export interface Observation extends JsonObject {
  outputs: ObservedOutput[];
  requests: ObservedRequest[];
  artifacts: ObservedArtifact[];
  model_calls: ObservedModelCall[];
  token_requests: ObservedTokenRequest[];
  /** Whether the client asked the gateway to cancel, and for which tasks the downstream agent was asked. */
  cancellation: JsonObject & { sent: boolean; downstream_task_ids: string[] };
}
