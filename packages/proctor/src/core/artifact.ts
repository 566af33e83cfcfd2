// What a run produced or was given. The bytes live in the blob store under their sha256; this is the record of them.
import { uuidTime } from "./id.ts";
import type { Json, JsonObject } from "./json.ts";

export type Artifact = FileArtifact | StructuredArtifact | ReferenceArtifact;

interface Stored extends JsonObject {
  /** UUID of the artifact, unique over all runs. */
  id: string;
  content_type?: string;
  size_bytes?: number;
  /** `sha256:<hex>` of the stored bytes; absent when there are none. */
  content_hash?: string;
  /** The hash that the agent claims for bytes it did not send. */
  claimed_hash?: string;
  /** True when secrets were replaced in the stored bytes, so they differ from what the agent sent. */
  redacted?: boolean;
  /** Why secrets were not looked for inside packed bytes; absent when they were, or there was nothing to look for. */
  unsearched?: string;
  /** Why the bytes of an existing file are not kept. `size_bytes` is then the size of the file, as far as it is known. */
  omitted?: string;
  /** False for an artifact that a client gave; absent for an artifact of an agent. */
  agent_created?: boolean;
  /** The base name of a client's file. */
  file_name?: string;
  /** When a client's file arrived, in ISO 8601. The id of an agent's artifact holds its time: see `artifactTime`. */
  created_at?: string;
  /** The name under which a client's file also stands in the artifacts directory. */
  stored_as?: string;
  /** The step that a client's file belongs to. */
  step_id?: string;
}

/** Fields that only the platform sets; when an agent sends them, they are ignored. */
export const PLATFORM_FIELDS = ["agent_created", "stored_as", "step_id", "omitted", "unsearched"] as const;

/** A file whose bytes are in the blob store, unless the agent sent only its description (then no `content_hash`). */
export interface FileArtifact extends Stored {
  type: "file";
  path: string;
}

/** Data: in the record itself when small (`data`), otherwise in the blob store as JSON. */
export interface StructuredArtifact extends Stored {
  type: "structured";
  name: string;
  schema?: string;
  data?: Json;
}

/** Something the agent points at and did not send. */
interface ReferenceArtifact extends Stored {
  type: "reference";
  path: string;
}

/** Returns when the artifact arrived, in ISO 8601; undefined where neither its record nor its id says so. */
export function artifactTime({ created_at: said, id }: Artifact): string | undefined {
  if (typeof said === "string" && !Number.isNaN(Date.parse(said))) return said;
  const timeMs = uuidTime(id);
  return timeMs === undefined ? undefined : new Date(timeMs).toISOString();
}

/** Returns the sha256 of the stored bytes, in hex; undefined when there are none. */
export function contentSha256({ content_hash: hash }: Pick<Artifact, "content_hash">): string | undefined {
  return hash?.replace(/^sha256:/, "");
}

/** Returns the name that people know the artifact by. */
export function artifactName(artifact: Artifact): string {
  return artifact.type === "structured" ? artifact.name : artifact.path;
}

/** Structured data up to this many bytes of JSON is kept inside the record. */
export const INLINE_DATA_BYTES = 64 * 1024;

/** One run keeps at most this many artifacts, whatever the hub's limits are. */
export const MAX_ARTIFACTS = 1000;

/** How much of what its agent produces a run keeps. Anything beyond is a violation, and a record without bytes. */
export interface ArtifactLimits {
  /** The most bytes that one artifact may have. */
  fileBytes: number;
  /** The most bytes that all artifacts of a run may have together. */
  runBytes: number;
  /** The most artifacts that a run may have; never more than MAX_ARTIFACTS. */
  count: number;
}

export const DEFAULT_ARTIFACT_LIMITS: ArtifactLimits = {
  fileBytes: 100 * 1024 * 1024,
  runBytes: 1024 * 1024 * 1024,
  count: MAX_ARTIFACTS,
};
