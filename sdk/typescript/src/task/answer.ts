// What an agent function returned → the parts of a response that depend on it.
import { checkArtifact } from "../artifacts/check-artifact.ts";
import { structured } from "../artifacts/structured.ts";
import { isObject, type Json, toJson } from "../protocol/json.ts";
import { type Artifact, type Metrics, type Status, STATUSES } from "../protocol/messages.ts";

/** A complete answer, for agents that want to say more than their result. */
export interface Answer {
  /** Status of the response, `completed` by default. */
  status?: Status;
  artifacts?: readonly Artifact[];
  /** Metrics that are added to the counted ones, or replace those of the same name. */
  metrics?: Metrics;
  /** Reason why the task failed, or what is missing from a partial result. */
  error?: string;
  error_code?: string;
  error_details?: Json;
  trace_id?: string;
}

export type DecodedAnswer = Required<Pick<Answer, "status" | "metrics">> &
  Pick<Answer, "error" | "error_code" | "error_details" | "trace_id"> & { artifacts: Artifact[] };

const FIELDS = new Set([
  "status",
  "artifacts",
  "metrics",
  "error",
  "error_code",
  "error_details",
  "trace_id",
]);

/**
 * An object that has only fields of an answer, with `artifacts` or `status` among them, is an answer. Anything else is the result
 * itself and becomes the structured artifact `result`; null and undefined become no artifact. Throws a TypeError for a value that
 * cannot be sent.
 */
export function decodeAnswer(returned: unknown): DecodedAnswer {
  const value = toJson(returned);
  if (!isAnswer(value)) {
    const artifacts = value === undefined || value === null ? [] : [structured("result", value)];
    return { status: "completed", artifacts, metrics: {} };
  }
  const { artifacts = [], metrics = {}, status = "completed", error_details } = value;
  if (!Array.isArray(artifacts)) throw new TypeError("artifacts must be a list");
  if (!isObject(metrics)) throw new TypeError("metrics must be an object");
  return {
    status: status as Status,
    artifacts: artifacts.map(checkArtifact),
    metrics: checkMetrics(metrics),
    ...texts(value, ["error", "error_code", "trace_id"]),
    ...(error_details !== undefined && { error_details }),
  };
}

function isAnswer(value: unknown): value is Record<string, unknown> {
  if (!isObject(value) || !Object.keys(value).every((name) => FIELDS.has(name))) return false;
  if (value["status"] === undefined) return Array.isArray(value["artifacts"]);
  return (STATUSES as readonly unknown[]).includes(value["status"]);
}

function checkMetrics(metrics: Record<string, unknown>): Metrics {
  for (const [name, value] of Object.entries(metrics)) {
    const fractional = name === "wall_time_seconds" || name === "cost_usd";
    if (!KNOWN_METRICS.has(name)) continue;
    if (typeof value !== "number" || !(fractional || Number.isInteger(value))) {
      throw new TypeError(`metrics.${name} must be a ${fractional ? "" : "whole "}number`);
    }
  }
  return metrics;
}

const KNOWN_METRICS = new Set([
  "total_tokens",
  "input_tokens",
  "output_tokens",
  "total_steps",
  "tool_calls",
  "llm_calls",
  "wall_time_seconds",
  "cost_usd",
]);

function texts<Name extends string>(
  value: Record<string, unknown>,
  names: Name[],
): Partial<Record<Name, string>> {
  const found: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const text = value[name];
    if (text === undefined || text === null) continue;
    if (typeof text !== "string") throw new TypeError(`${name} must be a string`);
    found[name] = text;
  }
  return found;
}
