// Puts the parts together. Only the files of this folder name concrete stores, protocols and channels.
import type { AgentSpec } from "../../core/agent.ts";
import type { Artifact } from "../../core/artifact.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Run } from "../../core/run.ts";
import { schemeOf, unknownScheme } from "../../core/unknown-scheme.ts";
import type { Conformance } from "../../protocols/conformance.ts";
import { PROTOCOLS, schemes as listSchemes } from "../../protocols/registry.ts";
import type { Composition } from "../composition.ts";

export { runCommand } from "../../channels/process/run-command.ts";
export { openHub } from "./open-hub.ts";
export { serveEnvironments as openEnvironments } from "./serve-environments.ts";

// Loaded by the commands that need them: each is a world of its own, and most commands need none.
export const serve: Composition["serve"] = async (...args) => (await import("./serve.ts")).serve(...args);
export const serveMockLlm: Composition["serveMockLlm"] = async (options) =>
  (await import("./serve-mock-llm.ts")).serveMockLlm(options);
export const serveMockAgent: Composition["serveMockAgent"] = async (options) =>
  (await import("./serve-mock-agent.ts")).serveMockAgent(options);
export const serveMockTools: Composition["serveMockTools"] = async (options) =>
  (await import("./serve-mock-tools.ts")).serveMockTools(options);
export const openTraces: Composition["openTraces"] = async (options) =>
  (await import("./open-traces.ts")).openTraces(options);
export const writeRecording: Composition["writeRecording"] = async (...args) =>
  (await import("../../doubles/recordings/write-recording.ts")).writeRecording(...args);

export async function conformance(spec: AgentSpec): Promise<Conformance> {
  const protocol = PROTOCOLS.find(
    ({ id, transports }) => id === spec.protocol && transports.includes(spec.transport),
  );
  if (protocol?.loadConformance === undefined) {
    const tried = PROTOCOLS.filter((known) => "loadConformance" in known);
    throw unknownScheme(schemeOf(spec), listSchemes(tried));
  }
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
  const { encodeResponse: encodeAtpResponse } = await import("../../protocols/atp/codec.ts");
  return encodeAtpResponse(run, (artifact) => contents.get(artifact)) as JsonObject;
}
