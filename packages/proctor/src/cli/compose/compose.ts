// Puts the parts together. Only the files of this folder name concrete stores, protocols and channels.
import type { AgentSpec } from "../../core/agent.ts";
import type { Artifact } from "../../core/artifact.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Run } from "../../core/run.ts";
import { schemeOf, unknownScheme } from "../../core/unknown-scheme.ts";
import { encodeResponse as encodeAtpResponse } from "../../protocols/atp/codec.ts";
import type { Conformance } from "../../protocols/conformance.ts";
import { PROTOCOLS, schemes as listSchemes } from "../../protocols/registry.ts";

export { openHub } from "./open-hub.ts";
export { serve } from "./serve.ts";
export { serveMockTools } from "./serve-mock-tools.ts";

export async function conformance(spec: AgentSpec): Promise<Conformance> {
  const protocol = PROTOCOLS.find(
    ({ id, transports }) => id === spec.protocol && transports.includes(spec.transport),
  );
  if (protocol?.loadConformance === undefined) throw unknownScheme(schemeOf(spec), schemes);
  return protocol.loadConformance();
}

export const schemes: readonly string[] = listSchemes();

export async function encodeResponse(
  run: Run,
  readArtifact: (artifact: Artifact) => Promise<Uint8Array>,
): Promise<JsonObject> {
  const contents = new Map<Artifact, Uint8Array>();
  for (const artifact of run.artifacts) {
    const isApart = artifact.type === "structured" ? artifact.data === undefined : artifact.type === "file";
    if (isApart && artifact.content_hash !== undefined) {
      contents.set(artifact, await readArtifact(artifact));
    }
  }
  return encodeAtpResponse(run, (artifact) => contents.get(artifact)) as JsonObject;
}
