// The run's tools, called for the model at the run's own endpoint: document 000, "Tool Protocol". Only the address that the hub made for this
// run is called, because an address of a client's could lead anywhere the hub can reach.
import type { HttpClient } from "../../channels/http/client.ts";
import { troubleFailure } from "../../channels/http/failures.ts";
import { readBody, type WholeBody } from "../../channels/http/read-body.ts";
import { failure, type Failure } from "../../core/failure.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import type { Job } from "../../core/ports/driver.ts";
import { parseObject } from "../../core/parse-object.ts";
import { withoutTrailingSlashes } from "../trailing-slashes.ts";
import type { ToolFacts } from "./functions.ts";

export interface ToolResult {
  status: string;
  output?: Json;
  error?: string;
  error_code?: string;
}

export interface RunTools {
  /** Resolves with the tools that are offered, after `allowed_tools`. */
  list(signal: AbortSignal): Promise<ToolFacts[]>;
  /** Never rejects: an error is a result that the model gets. */
  call(tool: string, input: JsonObject, callId: string, signal: AbortSignal): Promise<ToolResult>;
}

const MAX_RESULT_BYTES = 10 * 1024 * 1024;

export function runTools(
  job: Job,
  client: Pick<HttpClient, "post" | "get">,
): RunTools | { refused: Failure } {
  const { tools_endpoint: endpoint } = job.context;
  const set = job.options?.tools;
  if (endpoint === undefined) return NO_TOOLS;
  if (!isOwn(endpoint, job.runId)) {
    const message =
      "context.tools_endpoint is not the run's own, and the hub calls no other for a model\nleave it out, and give the tools with the run";
    return { refused: failure("INVALID_REQUEST", message) };
  }
  const base = withoutTrailingSlashes(endpoint);
  const headers = { "user-agent": "proctor", "accept-encoding": "identity" };

  /** Asks the endpoint for its tools: only it knows those of MCP servers and the schemas of script tools. */
  async function listed(signal: AbortSignal): Promise<ToolFacts[]> {
    const exchanged = await client.get({ url: new URL(`${base}/tools`), headers }, signal);
    if (exchanged.kind === "failed") return [];
    const body = await readBody(exchanged.answer.body, MAX_RESULT_BYTES);
    const tools = parseObject(body.bytes.toString())?.["tools"];
    return Array.isArray(tools) ? tools.filter(isJsonObject).flatMap(factsIn) : [];
  }

  return {
    async list(signal) {
      const allowed = job.constraints.allowed_tools ?? null;
      const defined = (set?.tools ?? [])
        .filter(({ name }) => allowed?.includes(name) ?? true)
        .map(({ name, description }) => ({ name, ...(description !== undefined && { description }) }));
      if ((set?.mcp ?? []).length === 0 && (set?.scripts ?? []).length === 0) return defined;
      const known = new Set(defined.map(({ name }) => name));
      return [...defined, ...(await listed(signal)).filter(({ name }) => !known.has(name))];
    },
    async call(tool, input, callId, signal) {
      const url = new URL(`${base}/${encodeURIComponent(tool)}`);
      const content = JSON.stringify({ task_id: job.runId, tool, input, call_id: callId });
      const post = { url, headers: { ...headers, "content-type": "application/json" }, content, once: true };
      const exchanged = await client.post(post, signal);
      if (exchanged.kind === "failed") return troubled(troubleFailure(exchanged.trouble, { url }).message);
      const { status, headers: answered, body } = exchanged.answer;
      const whole = await readBody(body, MAX_RESULT_BYTES, { length: answered["content-length"] });
      return resultOf(status, whole);
    },
  };
}

const NO_TOOLS: RunTools = {
  list: () => Promise.resolve([]),
  call: (tool) => Promise.resolve(troubled(`there is no tool ${tool}`)),
};

/** Returns whether the endpoint is the run's own: the last part of its path is the run's id and a secret. */
function isOwn(endpoint: string, runId: string): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, pathname } = new URL(endpoint);
  const last = withoutTrailingSlashes(pathname).split("/").at(-1) ?? "";
  return /^https?:$/.test(protocol) && last.startsWith(`${runId}-`);
}

function factsIn({ name, description, input_schema: schema }: JsonObject): ToolFacts[] {
  if (typeof name !== "string") return [];
  return [
    {
      name,
      ...(typeof description === "string" && { description }),
      ...(isJsonObject(schema) && { inputSchema: schema }),
    },
  ];
}

function resultOf(httpStatus: number, { bytes, overflowed, trouble }: WholeBody): ToolResult {
  if (overflowed) return troubled(`the tool's answer is larger than ${MAX_RESULT_BYTES} bytes`);
  if (trouble) return troubled("the tool's answer was cut off");
  const json = parseObject(bytes.toString());
  if (json === undefined) return troubled(`the tool answered with ${httpStatus} and no JSON object`);
  const { status, output, error, error_code: code } = json;
  const isError = httpStatus >= 400 || (typeof error === "string" && error !== "");
  return {
    status: typeof status === "string" ? status : isError ? "error" : "success",
    ...(output !== undefined && { output }),
    ...(typeof error === "string" && { error }),
    ...(typeof code === "string" && { error_code: code }),
  };
}

export function troubled(error: string): ToolResult {
  return { status: "error", error };
}
