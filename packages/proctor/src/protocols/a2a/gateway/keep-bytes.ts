// Bytes that an agent sends, on their way to a client: they are kept as a version of an artifact, and the part refers to it instead. The
// same bytes under the same name are kept once, so that a client may ask for its task as often as it likes.
import { USER_PREFIX } from "../../../core/artifact-key.ts";
import { writeArtifactUri } from "../../../core/artifact-uri.ts";
import type { JsonObject } from "../../../core/json.ts";
import { mediaTypeOf, UNKNOWN_TYPE } from "../../../core/media-type.ts";
import type { ArtifactService } from "../../../core/ports/artifact-service.ts";
import type { SavedArtifact } from "../../../core/saved-artifact.ts";
import { safeFileName } from "../../../core/safe-file-name.ts";
import { A2aError } from "../errors.ts";
import type { A2aPart } from "../model.ts";
import { artifactError } from "./artifact-error.ts";
import { PROXIED_FROM } from "./metadata-keys.ts";

/** Origin of bytes that are kept. */
export interface Origin {
  user: string;
  /** Session that keeps the bytes: the client's id of the context. */
  session: string;
  /** Id of the agent's artifact, or of its message. */
  artifactId?: string;
  messageId?: string;
  /** Name of the artifact in which they came. */
  name?: string;
}

/** An artifact that was kept, as the metadata of a task names it. */
export interface Produced extends JsonObject {
  filename: string;
  version: number;
  uri: string;
}

export interface KeptPart {
  part: A2aPart;
  produced: Produced;
  saved: SavedArtifact;
}

/** Keeps the content of a part. Throws A2aError RESOURCE_EXHAUSTED beyond the limits of the service. */
export type KeepBytes = (
  part: A2aPart,
  content: Uint8Array | AsyncIterable<Uint8Array>,
  origin: Origin,
  signal?: AbortSignal,
) => Promise<KeptPart>;

const MAX_NAME_BYTES = 255;
const MAX_NOTED_CHARS = 1024;

export function createKeepBytes(app: string, artifacts: ArtifactService): KeepBytes {
  return async (part, content, { user, session, artifactId, messageId, name }, signal) => {
    const key = { app, user, session, name: artifactNameOf(part.filename ?? name) };
    const mimeType = mimeTypeOf(part, key.name);
    const metadata: JsonObject = {
      ...(artifactId !== undefined && { [PROXIED_FROM]: artifactId.slice(0, MAX_NOTED_CHARS) }),
      ...(messageId !== undefined && { proxied_from_message_id: messageId.slice(0, MAX_NOTED_CHARS) }),
    };
    try {
      const saved = await artifacts.save(key, { content, mimeType, metadata, reuse: true }, signal);
      const { version } = saved;
      const uri = writeArtifactUri({ ...key, version });
      const { raw: _, ...rest } = part;
      return {
        part: {
          ...rest,
          url: uri,
          filename: part.filename ?? key.name,
          mediaType: part.mediaType ?? mimeType,
          ...(artifactId !== undefined && { metadata: { ...part.metadata, [PROXIED_FROM]: artifactId } }),
        },
        produced: { filename: key.name, version, uri },
        saved,
      };
    } catch (error) {
      throw artifactError(error, "what the agent sent cannot be kept");
    }
  };
}

/** Throws INVALID_AGENT_RESPONSE for text that is not base64. */
export function decodeRaw(raw: string): Buffer {
  const bytes = Buffer.from(raw, "base64");
  // Node skips characters that it does not understand, so that only the length shows them.
  const digits = raw.endsWith("==") ? raw.length - 2 : raw.endsWith("=") ? raw.length - 1 : raw.length;
  if (bytes.length === Math.floor((digits * 3) / 4)) return bytes;
  throw new A2aError("INVALID_AGENT_RESPONSE", "the agent sent a file whose bytes are no base64");
}

/** Only clients give artifacts to a user: an agent's artifacts belong to the session. */
function artifactNameOf(name: string | undefined): string {
  let own = safeFileName(name ?? "");
  while (own.startsWith(USER_PREFIX)) own = safeFileName(own.slice(USER_PREFIX.length));
  return atMostBytes(own, MAX_NAME_BYTES);
}

function atMostBytes(text: string, limit: number): string {
  let kept = text;
  while (Buffer.byteLength(kept) > limit) kept = Array.from(kept).slice(0, -1).join("");
  return kept;
}

function mimeTypeOf({ mediaType }: A2aPart, name: string): string {
  const isUsable = mediaType !== undefined && /^[\x20-\x7e]{1,255}$/.test(mediaType);
  return isUsable ? mediaType : (mediaTypeOf(name) ?? UNKNOWN_TYPE);
}
