// Artifacts of a run as artifacts of A2A: what an A2A agent sent, as it sent it; of others, data as data, small files as text where they are text
// and as bytes otherwise; large ones by the address at which the hub has them.
import { isUtf8 } from "node:buffer";
import { artifactName, contentSha256, type Artifact } from "../../../core/artifact.ts";
import type { Json } from "../../../core/json.ts";
import { isTextType, mediaTypeOf } from "../../../core/media-type.ts";
import type { Hub } from "../../../core/ports/hub.ts";
import { readArtifactContent } from "../../artifact-content.ts";
import type { A2aArtifact, A2aPart } from "../model.ts";
import { sentAs } from "../sent-as.ts";
import type { GrowingArtifact } from "./growing-artifacts.ts";
import { contentUrl, type Place } from "./place.ts";

/** Bytes of one artifact that are sent inside a document, and of all artifacts of a task together. */
const MAX_INLINE_BYTES = 1024 * 1024;
const MAX_INLINE_TOTAL_BYTES = 8 * 1024 * 1024;

type Reader = Pick<Hub, "readArtifact">;

export interface EncodeArtifactOptions {
  hub: Reader;
  runId: string;
  place: Place;
}

/** Returns whether the agent made the artifact; files of clients are excluded. */
function isAgents({ agent_created: byAgent }: Artifact): boolean {
  return byAgent !== false;
}

export async function encodeArtifacts(
  artifacts: readonly Artifact[],
  options: EncodeArtifactOptions,
): Promise<A2aArtifact[]> {
  const encoded: A2aArtifact[] = [];
  let left = MAX_INLINE_TOTAL_BYTES;
  for (const artifact of artifacts.filter(isAgents)) {
    const fits = (artifact.size_bytes ?? 0) <= left;
    if (fits) left -= artifact.size_bytes ?? 0;
    encoded.push(await encodeArtifact(artifact, options, fits));
  }
  return encoded;
}

export async function encodeArtifact(
  artifact: Artifact,
  options: EncodeArtifactOptions,
  inline = true,
): Promise<A2aArtifact> {
  const { id, size_bytes: size, content_hash: hash, redacted, omitted } = artifact;
  const metadata = {
    ...(size !== undefined && { sizeBytes: size }),
    ...(hash !== undefined && { contentHash: hash }),
    ...(redacted !== undefined && { redacted }),
    ...(omitted !== undefined && { omitted }),
  };
  return {
    artifactId: id,
    name: givenName(artifact) ?? artifactName(artifact),
    parts: [await contentPart(artifact, options, inline)],
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
}

/** Encodes a text that is not whole yet, or more of it. */
export function encodeGrowing({ id, name, contentType, sent }: GrowingArtifact, text: string): A2aArtifact {
  const filename = sent === undefined ? { filename: name } : {};
  const type = contentType === undefined ? {} : { mediaType: contentType };
  return { artifactId: id, name, parts: [{ text, ...filename, ...type }] };
}

async function contentPart(
  artifact: Artifact,
  { hub, runId, place }: EncodeArtifactOptions,
  inline: boolean,
): Promise<A2aPart> {
  const filename = artifactName(artifact);
  const mediaType = artifact.content_type;
  const type = mediaType === undefined ? {} : { mediaType };
  if (artifact.type === "structured" && artifact.data !== undefined)
    return { data: artifact.data, mediaType: mediaType ?? "application/json" };
  const isStored = contentSha256(artifact) !== undefined;
  if (isStored && inline && (artifact.size_bytes ?? Infinity) <= MAX_INLINE_BYTES) {
    const bytes = await readArtifactContent(hub, runId, artifact.id);
    if (bytes !== undefined) {
      // The hub wrote it as JSON.
      if (artifact.type === "structured") return { data: JSON.parse(bytes.toString()) as Json, ...type };
      const sent = sentAs(artifact);
      if (sent === "text" && isUtf8(bytes)) return { text: bytes.toString(), ...type };
      const isText = sent === undefined && isTextType(mediaType ?? mediaTypeOf(filename) ?? "");
      return {
        ...(isText && isPlainText(bytes) ? { text: bytes.toString() } : { raw: bytes.toString("base64") }),
        filename,
        ...type,
      };
    }
  }
  if (isStored) return { url: contentUrl(place, runId, artifact.id), filename, ...type };
  // Only the agent's reference is known, because the content was never sent.
  const given = givenName(artifact);
  if (/^https?:\/\//i.test(filename))
    return { url: filename, ...(given !== undefined && { filename: given }), ...type };
  return { text: filename, ...type };
}

/** Returns whether the bytes are plain UTF-8 text. A NUL shows UTF-16 that was taken for UTF-8. */
function isPlainText(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
}

/** Returns the name of a referenced file, where its agent gave it one in addition to its address. */
function givenName(artifact: Artifact): string | undefined {
  const name = artifact.type === "reference" ? artifact["name"] : undefined;
  return typeof name === "string" && name !== "" ? name : undefined;
}
