// Artifacts of a run as artifacts of A2A: data as data, text of an A2A agent as text, small files as bytes, large ones by the address at which
// the hub has them.
import { isUtf8 } from "node:buffer";
import { artifactName, contentSha256, type Artifact } from "../../../core/artifact.ts";
import type { Json } from "../../../core/json.ts";
import type { Hub } from "../../../core/ports/hub.ts";
import { readArtifactContent } from "../../artifact-content.ts";
import type { A2aArtifact, A2aPart } from "../model.ts";
import { sentAs } from "../sent-as.ts";
import { contentUrl, type Place } from "./place.ts";

/** The most bytes of one artifact that are sent inside a document, and of all artifacts of a task together. */
const MAX_INLINE_BYTES = 1024 * 1024;
const MAX_INLINE_TOTAL_BYTES = 8 * 1024 * 1024;

type Reader = Pick<Hub, "readArtifact">;

export interface EncodeArtifactOptions {
  hub: Reader;
  runId: string;
  place: Place;
}

/** What the agent made; files that clients gave are not among them. */
export function isAgents({ agent_created: byAgent }: Artifact): boolean {
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
      if (sentAs(artifact) === "text" && isUtf8(bytes)) return { text: bytes.toString(), ...type };
      return { raw: bytes.toString("base64"), filename, ...type };
    }
  }
  if (isStored) return { url: contentUrl(place, runId, artifact.id), filename, ...type };
  // Named, and never sent: all that is known is where the agent says it is.
  const given = givenName(artifact);
  if (/^https?:\/\//i.test(filename))
    return { url: filename, ...(given !== undefined && { filename: given }), ...type };
  return { text: filename, ...type };
}

/** The name of what is elsewhere, where its agent gave it one beside its address. */
function givenName(artifact: Artifact): string | undefined {
  const name = artifact.type === "reference" ? artifact["name"] : undefined;
  return typeof name === "string" && name !== "" ? name : undefined;
}
