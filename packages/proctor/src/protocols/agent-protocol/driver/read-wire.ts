// Reads what an agent answered: the strict schema finds how it departs from the document, the lenient one what can be used of it.
import type { Violation } from "../../../core/event.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import { schemaViolations } from "../../schema-violations.ts";
import {
  apArtifact,
  apArtifactList,
  apStep,
  apTask,
  compatArtifact,
  compatStep,
  compatTask,
  type CompatArtifact,
  type CompatStep,
} from "../wire.ts";

export interface Read<T> {
  /** Decoded message; undefined when it cannot be used. */
  value: T | undefined;
  violations: Violation[];
}

export function readTaskId(json: Json): Read<string> {
  const strict = apTask.safeParse(json);
  const { data, error } = compatTask.safeParse(json);
  const issues = strict.error?.issues ?? error?.issues ?? [];
  return { value: data?.task_id, violations: schemaViolations("ap.task", issues, json) };
}

export function readStep(json: Json): Read<CompatStep> {
  const strict = apStep.safeParse(json);
  const { data, error } = compatStep.safeParse(json);
  const issues = error?.issues ?? strict.error?.issues ?? [];
  return { value: data, violations: schemaViolations("ap.step", issues, json) };
}

/** `where` is the name of the place in messages, such as `artifacts.3`. */
export function readArtifact(json: Json, where: string): Read<CompatArtifact> {
  const strict = apArtifact.safeParse(json);
  const { data, error } = compatArtifact.safeParse(json);
  const issues = error?.issues ?? strict.error?.issues ?? [];
  return { value: data, violations: schemaViolations("ap.artifact", issues, json, where) };
}

export interface ArtifactPage {
  artifacts: readonly Json[];
  totalItems: number | undefined;
  totalPages: number | undefined;
  pageSize: number | undefined;
}

const ONE_PAGE = { totalPages: 1, pageSize: undefined };

/** Entries are read one by one, so that one odd entry does not spoil the others. */
export function readArtifactPage(json: Json): Read<ArtifactPage> {
  // Servers before v1 answered with the list alone, and the protocol's own Python SDK still does: it is all there is, on one page.
  if (Array.isArray(json))
    return { value: { ...ONE_PAGE, artifacts: json, totalItems: json.length }, violations: [] };
  const page: JsonObject = isJsonObject(json) ? json : {};
  const { artifacts, pagination } = page;
  const issues = (apArtifactList.safeParse(json).error?.issues ?? []).filter(
    ({ path }) => path[0] !== "artifacts" || path.length === 1,
  );
  const violations = schemaViolations("ap.artifacts", issues, json);
  if (!Array.isArray(artifacts)) return { value: undefined, violations };
  const said = isJsonObject(pagination) ? pagination : {};
  return {
    value: {
      artifacts,
      totalItems: countIn(said, "total_items", "total"),
      totalPages: countIn(said, "total_pages", "totalPages"),
      pageSize: countIn(said, "page_size", "pageSize"),
    },
    violations,
  };
}

function countIn(said: JsonObject, ...names: string[]): number | undefined {
  for (const name of names) {
    const value = said[name];
    if (typeof value === "number" && Number.isInteger(value) && value >= 0) return value;
  }
  return undefined;
}
