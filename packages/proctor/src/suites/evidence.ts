// What a run did and produced, in a size that a report can hold.
import type { Artifact } from "../core/artifact.ts";
import type { Violation } from "../core/event.ts";
import type { Json, JsonObject } from "../core/json.ts";
import type { ConversationMessage } from "../core/ports/hub.ts";

/** Evidence of a run; reports contain this document unchanged. */
export type Evidence = {
  events: EvidenceEvent[];
  /** The number of events that were left out because there were too many. */
  events_left_out: number;
  artifacts: EvidenceArtifact[];
  artifacts_left_out: number;
  /** What was said, the task first and the answer last, with long texts cut. */
  messages?: ConversationMessage[];
  /** The rules that the agent broke, as the run shows them. */
  violations?: Violation[];
};

export type EvidenceEvent = {
  sequence: number;
  type: string;
  /** Milliseconds after the run was started. */
  at_ms: number;
  duration_ms?: number;
  /** The payload, with long texts cut. */
  payload: JsonObject;
};

export type EvidenceArtifact = {
  name: string;
  type: Artifact["type"];
  content_type?: string;
  size_bytes?: number;
  content_hash?: string;
  /** The beginning of its text; absent for bytes that are not text and for what could not be read. */
  text?: string;
  data?: Json;
  /** Whether there is more of it than is shown. */
  cut?: boolean;
};
