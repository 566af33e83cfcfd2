// What a run came to, without what is different each time: clocks, ids, durations. Two runs of one agent over two
// transports must agree in it.
import { artifactName, type Artifact } from "../core/artifact.ts";
import { AGENT_EVENT_TYPES, type RunEvent } from "../core/event.ts";
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import { METRIC_NAMES } from "../core/metrics.ts";
import type { Run } from "../core/run.ts";

/** Payload fields that are measured, and so never agree. */
const MEASURED = new Set(["duration_ms", "call_id", "retry_after_ms", "timestamp"]);
const COUNTS = METRIC_NAMES.filter((name) => name !== "wall_time_seconds");
const AGENT_EVENTS: ReadonlySet<string> = new Set(AGENT_EVENT_TYPES);

export async function substanceOf(run: Run, events: AsyncIterable<RunEvent>): Promise<JsonObject> {
  const said: Json[] = [];
  for await (const event of events) {
    if (AGENT_EVENTS.has(event.type))
      said.push({ type: event.type, payload: lasting(event.payload as Json) });
    else if (event.type === "tool.called") {
      const { tool, input, status } = event.payload;
      said.push({ type: event.type, payload: { tool, input, status } });
    }
  }
  return {
    status: run.status,
    failure: run.failure && { code: run.failure.code },
    artifacts: run.artifacts.map(artifactSubstance),
    metrics: Object.fromEntries(
      COUNTS.flatMap((name) => (name in run.metrics ? [[name, run.metrics[name]]] : [])),
    ),
    events: said,
  };
}

function artifactSubstance(artifact: Artifact): JsonObject {
  const { type, content_type, content_hash } = artifact;
  return {
    type,
    name: artifactName(artifact),
    ...(content_type !== undefined && { content_type }),
    ...(artifact.type === "structured" && artifact.data !== undefined
      ? { data: artifact.data }
      : { content_hash: content_hash ?? null }),
  };
}

function lasting(value: Json): Json {
  if (Array.isArray(value)) return value.map(lasting);
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([key]) => !MEASURED.has(key));
  return Object.fromEntries(kept.map(([key, inner]) => [key, lasting(inner ?? null)]));
}

const MAX_DIFFERENCES = 10;
const MAX_SHOWN = 80;

/** Where two values differ: `artifacts.0.data.output: "a" ≠ "b"`. A missing value is `nothing`. */
export function differences(left: Json | undefined, right: Json | undefined, path = ""): string[] {
  if (isJsonObject(left) && isJsonObject(right)) {
    const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])];
    return first(keys.flatMap((key) => differences(left[key], right[key], join(path, key))));
  }
  if (Array.isArray(left) && Array.isArray(right)) {
    const places = Array.from({ length: Math.max(left.length, right.length) }, (_, index) => index);
    return first(places.flatMap((index) => differences(left[index], right[index], join(path, `${index}`))));
  }
  const [one, other] = [shown(left), shown(right)];
  return one === other ? [] : [`${path}: ${shorten(one)} ≠ ${shorten(other)}`];
}

const join = (path: string, key: string): string => (path === "" ? key : `${path}.${key}`);
const first = (found: string[]): string[] => found.slice(0, MAX_DIFFERENCES);
const shown = (value: Json | undefined): string => (value === undefined ? "nothing" : JSON.stringify(value));
const shorten = (text: string): string =>
  text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1)}…` : text;
