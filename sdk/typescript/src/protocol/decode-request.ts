// Bytes or text → a request that can be trusted, or the response that says what is wrong with it.
import { checkRequest, type Problem } from "./check-request.ts";
import { describeThrown } from "./errors.ts";
import { isObject, parseJson, type Json } from "./json.ts";
import { type AtpRequest, type AtpResponse, NO_TASK_ID, VERSION } from "./messages.ts";

export type Decoded = { request: AtpRequest } | { refusal: AtpResponse };

export function decodeRequest(input: string | Uint8Array): Decoded {
  const parsed = parseInput(input);
  return "refusal" in parsed ? parsed : decodeValue(parsed.value);
}

/** Parses a message that may be something other than a request. */
export function parseInput(input: string | Uint8Array): { value: unknown } | { refusal: AtpResponse } {
  try {
    return {
      value: parseJson(
        typeof input === "string" ? input : new TextDecoder("utf-8", { fatal: true }).decode(input),
      ),
    };
  } catch (error) {
    // The parser quotes the text at the error, which may hold a secret.
    const message = error instanceof SyntaxError ? withoutQuote(error.message) : describeThrown(error);
    return { refusal: refuse(NO_TASK_ID, [{ field: "", message: `is no JSON: ${message}` }]) };
  }
}

export function decodeValue(value: unknown): Decoded {
  const problems = checkRequest(value);
  // The rules describe the shape of AtpRequest, so a value without problems has it.
  return problems.length === 0
    ? { request: value as AtpRequest }
    : { refusal: refuse(taskIdOf(value), problems) };
}

/** Builds a `failed` response with the code `INVALID_REQUEST`, whose details name the fields. */
export function refuse(
  taskId: string,
  problems: readonly Problem[],
  more: Record<string, Json> = {},
): AtpResponse {
  const [first] = problems;
  const what = problems.map(({ field, message }) => `${field || "the request"} ${message}`).join("; ");
  return {
    version: VERSION,
    task_id: taskId,
    status: "failed",
    artifacts: [],
    metrics: { total_tokens: 0, total_steps: 0, tool_calls: 0, llm_calls: 0, wall_time_seconds: 0 },
    error: `Invalid request: ${what}`,
    error_code: "INVALID_REQUEST",
    error_details: {
      ...(first && { field: first.field }),
      problems: problems.map(({ field, message }) => ({ field, message })),
      ...more,
    },
  };
}

/** Builds the response to a request that arrives while the agent is stopping. */
export function refuseStopping(request: AtpRequest): AtpResponse {
  const { error_details: _, ...refusal } = refuse(request.task_id, []);
  return { ...refusal, error: "The agent is stopping", error_code: "INTERNAL_ERROR" };
}

export function taskIdOf(value: unknown): string {
  const id = isObject(value) ? value["task_id"] : undefined;
  return typeof id === "string" && id !== "" && id.length <= 256 ? id : NO_TASK_ID;
}

function withoutQuote(message: string): string {
  return (
    /position \d+/.exec(message)?.[0] ?? (message.startsWith("nested") ? message : "unexpected token or end")
  );
}
