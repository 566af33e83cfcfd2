// Artifacts in the payload of a response: files with their text or base64, data, and references.
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import type { AgentReport, ReceivedArtifact } from "../../core/ports/driver.ts";
import { decodeBase64 } from "../decode-base64.ts";
import { violationReport } from "../reports.ts";

export function decodeArtifacts(artifacts: Json | undefined): AgentReport[] {
  if (artifacts === undefined || artifacts === null) return [];
  if (!Array.isArray(artifacts)) return [odd("artifacts", "must be a list")];
  return artifacts.map((wire, index) => {
    const artifact = isJsonObject(wire) ? decodeArtifact(wire) : "is not an artifact";
    return typeof artifact === "string"
      ? odd(`artifacts.${index}`, `${artifact}; it is left out`)
      : { kind: "artifact", artifact };
  });
}

/** Returns the artifact, or a text that says why it is not one. */
function decodeArtifact(wire: JsonObject): ReceivedArtifact | string {
  const {
    type,
    path,
    name,
    content,
    content_base64: encoded,
    content_type: contentType,
    data,
    ...rest
  } = wire;
  const described = typeof contentType === "string" ? { content_type: contentType } : {};
  const extensions = Object.keys(rest).length > 0 ? { extensions: rest } : {};
  const place = [path, name].find((each) => typeof each === "string" && each !== "");
  if (typeof place !== "string") return "is not an artifact";
  if (type === "structured") return { type, name: place, data: data ?? null, ...extensions };
  if (type === "reference") return { type, path: place, ...described, ...extensions };
  if (type !== "file" && type !== undefined) return "is not an artifact";
  const isEncoded = typeof content !== "string" && typeof encoded === "string";
  const bytes = isEncoded
    ? decodeBase64(encoded)
    : typeof content === "string"
      ? Buffer.from(content)
      : undefined;
  if (isEncoded && bytes === undefined) return "has content_base64 that is no base64";
  return { type: "file", path: place, ...(bytes && { content: bytes }), ...described, ...extensions };
}

function odd(where: string, message: string): AgentReport {
  return violationReport({ rule: "envelope.artifact", message, where, owner: "proctor" });
}
