// A job as the request to a JSON endpoint, and what an answer of it says. Pure.
import { feedbackIn } from "../../core/feedback.ts";
import type { Failure } from "../../core/failure.ts";
import type { Violation } from "../../core/event.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { metricProblem, type Metrics } from "../../core/metrics.ts";
import type { Job } from "../../core/ports/driver.ts";
import { fillTemplate, fillText, placeholdersIn, textOfValue, type FillValues } from "../placeholders.ts";
import { messageOfTask, type Turn } from "../turns.ts";
import { failureIn } from "./errors.ts";
import type { PlaceInJson, RestOptions } from "./options.ts";

/** Returns the endpoint's id of the conversation, which an earlier run got. */
function keptId({ conversation }: Pick<Job, "conversation">): string | number | undefined {
  const { continuation } = conversation ?? {};
  const id = isJsonObject(continuation) ? continuation["conversation_id"] : undefined;
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}

/** Returns whether the request contains the history. */
export function sendsHistory(job: Job, { method, body, query }: RestOptions): boolean {
  if (job.conversation === undefined) return false;
  const isDefault = body === undefined && method !== "GET";
  return isDefault
    ? keptId(job) === undefined
    : placeholdersIn([body ?? null, query ?? null] as Json).has("history");
}

export function fillValuesOf(job: Job, options: RestOptions, history: Turn[]): FillValues {
  const { task, conversation, runId } = job;
  return {
    task: task.description,
    message: messageOfTask(job),
    input: task.input_data ?? null,
    feedback: feedbackIn(job.metadata) ?? null,
    // An endpoint that gives no id of its own is told ours.
    conversation_id: options.conversation_id ? (keptId(job) ?? null) : (conversation?.id ?? runId),
    history,
  };
}

export interface RestRequest {
  method: RestOptions["method"];
  url: URL;
  /** The body; absent for GET. */
  content?: string;
}

export function encodeRequest(address: URL, job: Job, options: RestOptions, values: FillValues): RestRequest {
  const { method } = options;
  const url = new URL(address);
  const usual = usualFields(job, options, values);
  const query = options.query ?? (method === "GET" ? usual : {});
  for (const [name, value] of Object.entries(query)) {
    url.searchParams.set(
      name,
      typeof value === "string" && options.query ? fillText(value, values) : textOfValue(value),
    );
  }
  if (method === "GET") return { method, url };
  const body = options.body === undefined ? usual : fillTemplate(options.body, values);
  return { method, url, content: JSON.stringify(body) };
}

/** Returns the fields that are sent where the options do not say how. */
function usualFields(
  job: Job,
  { conversation_id }: RestOptions,
  values: FillValues,
): JsonObject & Record<string, Json> {
  const id = conversation_id ? keptId(job) : undefined;
  return {
    message: values.message,
    ...(id !== undefined && { conversation_id: id }),
    ...(id === undefined && values.history.length > 0 && { history: values.history }),
  };
}

/** Content of a document besides the answer. */
export interface Aside {
  error?: Failure;
  conversationId?: string | number;
  metrics: Metrics;
  violations: Violation[];
}

const METRICS = {
  input: "input_tokens",
  output: "output_tokens",
  total: "total_tokens",
  cost: "cost_usd",
} as const;
const MAX_ID_CHARS = 1000;

export function decodeAside(document: Json, options: RestOptions): Aside {
  const error = failureIn(options.error?.find(document));
  const metrics: Metrics = {};
  const violations: Violation[] = [];
  for (const [key, name] of Object.entries(METRICS) as [
    keyof typeof METRICS,
    (typeof METRICS)[keyof typeof METRICS],
  ][]) {
    const where = options.tokens[key];
    const value = where?.find(document);
    if (where === undefined || value === undefined) continue;
    const problem = metricProblem(name, value);
    if (problem === undefined) metrics[name] = Number(value);
    else
      violations.push({
        rule: "metrics.value",
        message: `${name} ${problem}; it is left out`,
        where: where.name,
      });
  }
  const id = idOf(document, options.conversation_id);
  if (id !== undefined && typeof id === "object") violations.push(id.violation);
  return {
    ...(error && { error }),
    ...(id !== undefined && typeof id !== "object" && { conversationId: id }),
    metrics,
    violations,
  };
}

function idOf(
  document: Json,
  where: PlaceInJson | undefined,
): string | number | { violation: Violation } | undefined {
  const found = where?.find(document);
  if (where === undefined || found === undefined) return undefined;
  if (typeof found === "number" || (typeof found === "string" && found.length <= MAX_ID_CHARS)) return found;
  const message = `the conversation's id must be a number or a text of at most ${MAX_ID_CHARS} characters; it is not kept`;
  return { violation: { rule: "rest.conversation_id", message, where: where.name } };
}
