// Artifacts that a message refers to, on their way to an agent: it gets their bytes, because it cannot read the artifacts of the gateway.
// Only what the caller's session sees can be referred to. One wrong reference, and nothing is sent.
import { isUserName, USER_PREFIX, type ArtifactKey } from "../../../core/artifact-key.ts";
import {
  findArtifactUris,
  isArtifactUri,
  parseArtifactUri,
  type ArtifactReference,
} from "../../../core/artifact-uri.ts";
import { ProctorError } from "../../../core/errors.ts";
import type { ArtifactService } from "../../../core/ports/artifact-service.ts";
import type { SavedArtifact } from "../../../core/saved-artifact.ts";
import { collectBytes } from "../../../runtime/http/limited-bytes.ts";
import { A2aError } from "../errors.ts";
import type { A2aMessage, A2aPart } from "../model.ts";
import { artifactError } from "./artifact-error.ts";

export interface ReferenceScope {
  app: string;
  user: string;
  session: string;
}

export interface ResolveDeps {
  artifacts: ArtifactService;
  /** Bytes of all artifacts of one message together. */
  maxBytes: number;
}

/** A part of the message, or an artifact whose bytes take its place. */
interface Planned {
  part: A2aPart;
  artifact?: SavedArtifact;
}

/** Resolves with the message and the bytes that it refers to. Texts stay unchanged; the bytes follow them. Throws INVALID_PARAMS. */
export async function resolveReferences(
  message: A2aMessage,
  scope: ReferenceScope,
  { artifacts, maxBytes }: ResolveDeps,
): Promise<A2aMessage> {
  const planned: Planned[] = [];
  const seen = new Set<string>();
  let size = 0;

  async function refer(uri: string, part: A2aPart, field: string): Promise<void> {
    const artifact = await find(uri, scope, artifacts, field);
    const key = `${artifact.name} ${artifact.version}`;
    if (part.url === undefined && seen.has(key)) return;
    seen.add(key);
    size += artifact.size_bytes;
    if (size > maxBytes) throw tooLarge(maxBytes, field);
    planned.push({ part, artifact });
  }

  for (const [index, part] of message.parts.entries()) {
    const field = `message.parts[${index}]`;
    if (part.url !== undefined && isArtifactUri(part.url)) {
      await refer(part.url, part, `${field}.url`);
      continue;
    }
    planned.push({ part });
    for (const uri of findArtifactUris(part.text ?? "")) await refer(uri, {}, `${field}.text`);
  }
  if (seen.size === 0) return message;
  const parts: A2aPart[] = [];
  for (const { part, artifact } of planned) {
    parts.push(artifact ? await embed(part, artifact, artifacts) : part);
  }
  return { ...message, parts };
}

async function find(
  uri: string,
  scope: ReferenceScope,
  artifacts: ArtifactService,
  field: string,
): Promise<SavedArtifact> {
  let reference: ArtifactReference;
  try {
    reference = parseArtifactUri(uri);
    // Other users' artifacts count as absent: the caller must not learn whether they exist.
    if (!isVisible(reference, scope)) throw new ProctorError("ARTIFACT_NOT_FOUND", "");
    const { version, ...key } = reference;
    return await artifacts.find({ ...key, session: scope.session }, version ?? "latest");
  } catch (error) {
    if (!ProctorError.is(error)) throw error;
    if (error.code !== "ARTIFACT_NOT_FOUND" && error.code !== "INVALID_REQUEST") {
      throw artifactError(error, "an artifact cannot be read");
    }
    const description =
      error.code === "INVALID_REQUEST"
        ? error.message
        : `there is no such artifact of this user in this session; user "${scope.user}", session "${scope.session}"`;
    throw new A2aError(
      "INVALID_PARAMS",
      `${field} refers to an artifact that cannot be sent: ${description}`,
      {
        fields: [{ field, description }],
        cause: error,
      },
    );
  }
}

function isVisible(key: ArtifactKey, { app, user, session }: ReferenceScope): boolean {
  return key.app === app && key.user === user && (key.session === session || isUserName(key.name));
}

async function embed(part: A2aPart, artifact: SavedArtifact, artifacts: ArtifactService): Promise<A2aPart> {
  const { url: _, ...rest } = part;
  const bytes = await collectBytes(artifacts.read(artifact)).catch((error: unknown) => {
    throw artifactError(error, "an artifact cannot be read");
  });
  const name = isUserName(artifact.name) ? artifact.name.slice(USER_PREFIX.length) : artifact.name;
  return {
    ...rest,
    raw: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64"),
    filename: part.filename ?? name,
    mediaType: part.mediaType ?? artifact.mime_type,
  };
}

function tooLarge(maxBytes: number, field: string): A2aError {
  const description = `the artifacts of one message may have ${maxBytes} bytes together`;
  return new A2aError("INVALID_PARAMS", `${field} refers to more than can be sent: ${description}`, {
    fields: [{ field, description }],
  });
}
