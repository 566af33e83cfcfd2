// The whole content of an artifact, for surfaces that put it into a document.
import { ProctorError } from "../core/errors.ts";
import type { Hub } from "../core/ports/hub.ts";

/** Resolves with undefined for bytes that were described and never sent, or that this hub no longer has. */
export async function readArtifactContent(
  hub: Pick<Hub, "readArtifact">,
  runId: string,
  artifactId: string,
): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of await hub.readArtifact(runId, artifactId)) chunks.push(chunk);
  } catch (error) {
    if (!ProctorError.is(error) || error.code !== "ARTIFACT_NOT_FOUND") throw error;
    return undefined;
  }
  return Buffer.concat(chunks);
}
