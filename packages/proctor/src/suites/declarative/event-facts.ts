// What checks ask of an event of A2A 0.3: its message's texts and data, its purpose, its state, its files.
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import type { ObservedOutput } from "../../core/observation.ts";

/** Returns the parts of the status message and those of the artifact. */
export function partsOf({ event }: ObservedOutput): JsonObject[] {
  const status = objectIn(event, "status");
  const message = objectIn(status, "message");
  const artifact = objectIn(event, "artifact");
  return [...listIn(message, "parts"), ...listIn(artifact, "parts")];
}

export function textOfParts(parts: readonly JsonObject[]): string {
  return parts.map((part) => (typeof part["text"] === "string" ? part["text"] : "")).join("");
}

export function dataOf(parts: readonly JsonObject[]): JsonObject[] {
  return parts.map((part) => part["data"]).filter(isJsonObject);
}

/** Returns the `type` that the first data part names; an event that only has text is `generic_text_update`. */
export function purposeOf(output: ObservedOutput): string | undefined {
  const parts = partsOf(output);
  const [named] = dataOf(parts).map(({ type }) => type);
  if (typeof named === "string") return named;
  return output.type === "status_update" && textOfParts(parts) !== "" ? "generic_text_update" : undefined;
}

export function stateOf({ event }: ObservedOutput): string | undefined {
  const { state } = objectIn(event, "status");
  return typeof state === "string" ? state : undefined;
}

/** Returns the file parts of an event, of its artifact and of its artifacts. */
export function filesOf(output: ObservedOutput): JsonObject[] {
  const artifacts = listIn(output.event, "artifacts").flatMap((artifact) => listIn(artifact, "parts"));
  return [...partsOf(output), ...artifacts].map((part) => part["file"]).filter(isJsonObject);
}

/** Returns the names of the artifacts in an event. */
export function artifactNamesOf({ event }: ObservedOutput): string[] {
  const artifacts = [objectIn(event, "artifact"), ...listIn(event, "artifacts")];
  return artifacts.map(({ name }) => name).filter((name) => typeof name === "string");
}

export function objectIn(value: JsonObject, key: string): JsonObject {
  const inner: Json | undefined = value[key];
  return isJsonObject(inner) ? inner : {};
}

function listIn(value: JsonObject, key: string): JsonObject[] {
  const inner = value[key];
  return Array.isArray(inner) ? inner.filter(isJsonObject) : [];
}
