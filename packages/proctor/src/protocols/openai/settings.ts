// What an agent's address and its `options` say about the requests to its model, checked before anything is sent.
import { z } from "zod";
import { describeIssues, type Issue } from "../../core/describe-issues.ts";
import { failure, type Failure } from "../../core/failure.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Job } from "../../core/ports/driver.ts";
import { quote } from "../../core/printable.ts";
import { suggest } from "../../core/suggest.ts";
import { agentEndpoint, type AgentEndpoint } from "../agent-endpoint.ts";

export interface OpenaiSettings {
  endpoint: AgentEndpoint;
  model: string;
  /** What the model is told before the conversation. */
  system?: string;
  temperature?: number;
  /** The most tokens of one answer. */
  max_tokens?: number;
  /** True when answers are asked for as they are written. */
  stream: boolean;
  /** Further fields of every request. */
  body: JsonObject;
}

const options = z.strictObject({
  system: z.string().exactOptional(),
  temperature: z.number().exactOptional(),
  max_tokens: z.int().min(1).exactOptional(),
  stream: z.boolean().default(true),
  body: z.record(z.string(), z.json()).default({}),
});

/** Fields that the driver writes itself. */
const OURS = new Set([
  "model",
  "messages",
  "stream",
  "stream_options",
  "tools",
  "temperature",
  "max_tokens",
  "n",
]);
const EXAMPLE = "openai+https://api.openai.com/v1#gpt-4o-mini";

export function settingsOf(job: Job): OpenaiSettings | { refused: Failure } {
  const endpoint = agentEndpoint(job);
  if ("refused" in endpoint) return endpoint;
  const model = modelIn(job.spec.url ?? "");
  if (model === "") {
    return refuse(`the agent's address names no model\nput it behind a #: ${EXAMPLE}`);
  }
  const given = job.spec.options ?? {};
  const read = options.safeParse(given);
  if (!read.success) return refuse(problemOf(read.error.issues, given));
  const taken = Object.keys(read.data.body).filter((key) => OURS.has(key));
  if (taken.length > 0) {
    return refuse(`the agent's options.body cannot set ${taken.join(", ")}: the driver writes it`);
  }
  return { endpoint, model, ...read.data };
}

/** The fragment of the address, in which `%` may escape characters. */
function modelIn(url: string): string {
  const fragment = new URL(url).hash.slice(1);
  try {
    return decodeURIComponent(fragment).trim();
  } catch {
    return fragment;
  }
}

function problemOf(issues: readonly Issue[], given: JsonObject): string {
  const known = Object.keys(options.shape);
  const unknown = Object.keys(given).filter((key) => !known.includes(key));
  if (unknown.length > 0) {
    const meant = suggest(unknown[0] ?? "", known);
    const next = meant === undefined ? `known are ${known.join(", ")}` : `did you mean "${meant}"?`;
    return `unknown options of the agent: ${unknown.map((key) => quote(key)).join(", ")}\n${next}`;
  }
  const found = describeIssues(issues, given, "options").map(({ message }) => message);
  return `the agent's ${found.join("; ")}`;
}

function refuse(message: string): { refused: Failure } {
  return { refused: failure("INVALID_REQUEST", message) };
}
