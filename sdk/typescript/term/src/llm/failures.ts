// Turns HTTP errors of an endpoint into errors with a code.
import { LLMError, type LLMErrorDetails } from "../errors.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";

const BY_STATUS: Record<number, string> = {
  401: "authentication_error",
  402: "budget_exceeded",
  403: "permission_denied",
  404: "not_found",
  408: "timeout",
  429: "rate_limit",
};

export function errorOfAnswer(status: number, body: string, headers: Headers): LLMError {
  const error = errorIn(body);
  const { message, type, code } = error;
  const details: LLMErrorDetails = { status };
  if (type != null) details["type"] = type;
  if (code != null) details["code"] = code;
  const wait = retryAfterSeconds(headers);
  if (wait !== undefined) details.retryAfterSeconds = wait;
  const text = typeof message === "string" && message !== "" ? message : `HTTP ${status}`;
  return new LLMError(codeOf(status, error), text, details);
}

/** Builds the error of an endpoint that began to stream an answer and then failed. */
export function errorInStream(error: Json): LLMError {
  const fields = isObject(error) ? error : {};
  const { code, message } = fields;
  const status = typeof code === "number" && code >= 400 && code < 600 ? code : 500;
  const text = typeof message === "string" ? message : "the model failed while it answered";
  return new LLMError(codeOf(status, fields), text);
}

export const isWorthRetrying = ({ code }: LLMError): boolean =>
  code === "rate_limit" || code === "server_error" || code === "network_error";

/** Reads how long to wait from the headers, which give milliseconds, seconds or a date. */
function retryAfterSeconds(headers: Headers): number | undefined {
  const milliseconds = number(headers.get("retry-after-ms"));
  if (milliseconds !== undefined) return milliseconds / 1000;
  const text = headers.get("retry-after");
  const seconds = number(text);
  if (seconds !== undefined || text === null) return seconds;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1000);
}

function codeOf(status: number, { code }: JsonObject): string {
  if (code === "insufficient_quota" || code === "budget_exceeded") return "budget_exceeded";
  const known = BY_STATUS[status];
  if (known !== undefined) return known;
  if (status >= 500) return "server_error";
  return status >= 400 ? "invalid_request" : "api_error";
}

function errorIn(body: string): JsonObject {
  try {
    const data: unknown = JSON.parse(body);
    const error = isObject(data) ? data["error"] : null;
    return isObject(error) ? error : { message: error ?? null };
  } catch {
    return {};
  }
}

function number(text: string | null): number | undefined {
  const value = text === null || text.trim() === "" ? Number.NaN : Number(text);
  return value >= 0 && value < 1e9 ? value : undefined;
}
