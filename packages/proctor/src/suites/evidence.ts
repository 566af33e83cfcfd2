// What a run did and produced, in a size that a report can hold.
import type { Artifact } from "../core/artifact.ts";
import type { Json, JsonObject } from "../core/json.ts";

/** A document: it stands in reports as it is. */
export type Evidence = {
  events: EvidenceEvent[];
  /** Events that are not here, because there were too many. */
  events_left_out: number;
  artifacts: EvidenceArtifact[];
  artifacts_left_out: number;
};

export type EvidenceEvent = {
  sequence: number;
  type: string;
  /** Milliseconds after the run was started. */
  at_ms: number;
  duration_ms?: number;
  /** Long texts in it are cut. */
  payload: JsonObject;
};

export type EvidenceArtifact = {
  name: string;
  type: Artifact["type"];
  content_type?: string;
  size_bytes?: number;
  content_hash?: string;
  /** The beginning of its text; absent for bytes that are no text and for what could not be read. */
  text?: string;
  data?: Json;
  /** There is more of it. */
  cut?: boolean;
};
