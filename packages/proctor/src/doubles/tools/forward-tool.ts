// A tool that passes calls on to a real one, which speaks the same protocol or answers with any JSON.
import { messageOf } from "../../core/message-of.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { isTooDeep } from "../../core/json-depth.ts";
import { inexactProblem } from "../../core/json-numbers.ts";
import type { ForwardTarget } from "../../core/tools.ts";
import { collectBytes, limitedBytes, TooLarge } from "../../runtime/http/limited-bytes.ts";
import type { AssertAllowed } from "./allow-hosts.ts";
import { joinSignals } from "../../core/join-signals.ts";
import { errorAnswer, type ToolAnswer, type ToolCall } from "./offered-tool.ts";
import type { Redact } from "./redact-line.ts";

export const DEFAULT_TIMEOUT_MS = 30_000;
export const MAX_ANSWER_BYTES = 10 * 1024 * 1024;
/** Characters that are shown of an invalid answer. */
const SHOWN_CHARS = 500;

export type Forward = (call: ToolCall, signal: AbortSignal) => Promise<ToolAnswer>;

interface ForwardOptions {
  assertAllowed: AssertAllowed;
  /** Hides secrets in what is shown of an answer, before it is cut. */
  redact: Redact;
}

/** Throws FORBIDDEN when the target's host may not be called. */
export function createForward(
  name: string,
  target: ForwardTarget,
  { assertAllowed, redact }: ForwardOptions,
): Forward {
  const url = assertAllowed(target.url, `the tool ${name}`);
  const headers = { ...target.headers, "content-type": "application/json", accept: "application/json" };
  const timeoutMs = target.timeout_ms ?? DEFAULT_TIMEOUT_MS;

  return async ({ taskId, input, traceparent }, signal) => {
    const late = new Error(`${name} did not answer within ${timeoutMs} ms`);
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(late), timeoutMs);
    const joined = joinSignals([signal, limit.signal]);
    try {
      const body = JSON.stringify({ task_id: taskId, input });
      const response = await fetch(url, {
        method: "POST",
        headers: { ...headers, ...(traceparent !== undefined && { traceparent }) },
        body,
        redirect: "manual",
        signal: joined.signal,
      });
      return await readAnswer(name, response, redact, joined.signal);
    } catch (error) {
      signal.throwIfAborted();
      if (limit.signal.aborted) return errorAnswer(late.message);
      return errorAnswer(`${name} cannot be reached at ${url.host}: ${causeOf(error)}`);
    } finally {
      clearTimeout(timer);
      joined.release();
    }
  };
}

async function readAnswer(
  name: string,
  response: Response,
  redact: Redact,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const { status } = response;
  if (status >= 300 && status < 400) {
    await response.body?.cancel();
    return errorAnswer(
      `${name} answered with a redirect (HTTP ${status}), which is not followed`,
      "TOOL_ERROR",
      {
        http_status: status,
      },
    );
  }
  let text: string;
  try {
    text = new TextDecoder().decode(
      await collectBytes(limitedBytes(response.body, MAX_ANSWER_BYTES, signal)),
    );
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    return errorAnswer(`the answer of ${name} is ${error.message}`);
  }
  const value = parse(text);
  const inexact = value === undefined ? undefined : inexactProblem(text);
  // A number that JavaScript cannot hold exactly would be changed on the way.
  if (inexact !== undefined) return errorAnswer(`the answer of ${name} cannot be passed on: ${inexact}`);
  if (isAnswer(value)) return withoutDuration(value);
  if (response.ok && value !== undefined) return { status: "success", output: value };
  const what = response.ok ? "what is no JSON" : `HTTP ${status}`;
  return errorAnswer(`${name} answered with ${what}`, "TOOL_ERROR", {
    http_status: status,
    body: redact(text).slice(0, SHOWN_CHARS),
  });
}

function parse(text: string): Json | undefined {
  try {
    // What a parser of JSON returns is JSON.
    return isTooDeep(text) ? undefined : (JSON.parse(text) as Json);
  } catch {
    return undefined;
  }
}

/** Whether a value is an answer of a tool (document 000, "Tool Protocol"): a status, and what goes with it. */
function isAnswer(value: Json | undefined): value is ToolAnswer {
  return (
    isJsonObject(value) &&
    typeof value["status"] === "string" &&
    ["output", "error", "duration_ms"].some((key) => Object.hasOwn(value, key))
  );
}

/** Removes the duration, which is measured here, and a null error, by which some tools say that there was none. */
function withoutDuration(answer: ToolAnswer): ToolAnswer {
  const { duration_ms: _, status, error, error_code, error_details, ...rest } = answer;
  const told: JsonObject = {
    ...(error != null && { error: typeof error === "string" ? error : JSON.stringify(error) }),
    ...(typeof error_code === "string" && { error_code }),
    ...(isJsonObject(error_details) && { error_details }),
  };
  const code = status === "error" && told["error_code"] === undefined ? { error_code: "TOOL_ERROR" } : {};
  return { ...rest, status, ...told, ...code };
}

/** Returns the cause of an error, which fetch hides behind "fetch failed". */
function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code =
    typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : undefined;
  return code ?? messageOf(cause);
}
