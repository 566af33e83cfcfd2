// Artifacts in the payload of a response: files with their text or base64, data, and references.
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import type { AgentReport, ReceivedArtifact } from "../../core/ports/driver.ts";
import { violationReport } from "../reports.ts";

export function decodeArtifacts(artifacts: Json | undefined): AgentReport[] {
  if (artifacts === undefined || artifacts === null) return [];
  if (!Array.isArray(artifacts)) return [odd("artifacts", "must be a list")];
  return artifacts.map((wire, index) => {
    const artifact = isJsonObject(wire) ? decodeArtifact(wire) : undefined;
    return artifact
      ? { kind: "artifact", artifact }
      : odd(`artifacts.${index}`, "is not an artifact; it is left out");
  });
}

function decodeArtifact(wire: JsonObject): ReceivedArtifact | undefined {
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
  if (typeof place !== "string") return undefined;
  if (type === "structured") return { type, name: place, data: data ?? null, ...extensions };
  if (type === "reference") return { type, path: place, ...described, ...extensions };
  if (type !== "file" && type !== undefined) return undefined;
  const bytes =
    typeof content === "string"
      ? Buffer.from(content)
      : typeof encoded === "string"
        ? Buffer.from(encoded, "base64")
        : undefined;
  return { type: "file", path: place, ...(bytes && { content: bytes }), ...described, ...extensions };
}

function odd(where: string, message: string): AgentReport {
  return violationReport({ rule: "envelope.artifact", message, where, owner: "proctor" });
}
