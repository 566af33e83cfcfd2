// An ended run as an ATP response with the content of its artifacts. Document 000, "ATP Response".
import type { Artifact } from "../../core/artifact.ts";
import type { JsonObject } from "../../core/json.ts";
import type { EncodeResponse } from "../protocol.ts";
import { encodeResponse } from "./codec.ts";
import { isStoredApart } from "./encode-artifacts.ts";

export const encodeRun: EncodeResponse = async (run, readArtifact) => {
  const contents = new Map<Artifact, Uint8Array>();
  for (const artifact of run.artifacts) {
    if (isStoredApart(artifact)) contents.set(artifact, await readArtifact(artifact));
  }
  // A document of a protocol is JSON.
  return encodeResponse(run, (artifact) => contents.get(artifact)) as JsonObject;
};
