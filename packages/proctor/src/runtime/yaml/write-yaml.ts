// Proctor's documents as YAML for people: long texts stay in one piece.
import { stringify } from "yaml";
import type { JsonObject } from "../../core/json.ts";

export function writeYaml(document: JsonObject): string {
  return stringify(document, { lineWidth: 0 });
}
