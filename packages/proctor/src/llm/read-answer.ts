// An answer in one piece, or a refusal, as the model gave it: read in bounds, understood as far as it is recorded, and without the hub's key.
import { isJsonObject, type JsonObject } from "../core/json.ts";
import { parseObject } from "../core/parse-object.ts";
import type { Redactor } from "../core/redact.ts";
import { collectBytes, limitedBytes, TooLarge } from "../runtime/http/limited-bytes.ts";
import { jsonText } from "../runtime/http/respond.ts";
import { ApiError } from "../runtime/openai/api-error.ts";
import { lost } from "./ask-model.ts";
import { modelErrorMessage } from "./error-message.ts";
import { readUsage, type Usage } from "./prices.ts";

export interface WholeAnswer {
  response: Response;
  usage?: Usage;
  stopReason?: string;
  error?: string;
}

/** Bytes of the largest refusal that is passed on to the agent. */
const MAX_REFUSAL_BYTES = 1024 * 1024;
const KEPT_HEADERS = /^(?:retry-after|retry-after-ms|x-should-retry|x-request-id|x-ratelimit-.+)$/;

/** Reads an answer that is not a stream. Throws ApiError, or the signal's reason. */
export async function readAnswer(
  reply: Response,
  { hide, answerBytes }: { hide: Redactor; answerBytes: number },
  signal: AbortSignal,
): Promise<WholeAnswer> {
  const { status, body } = reply;
  const headers = keptHeaders(reply.headers, hide);
  if (status >= 300 && status < 400) {
    void body?.cancel().catch(() => {});
    throw new ApiError(
      502,
      `the hub's model answered with a redirect (HTTP ${status}), and none is followed`,
      {
        code: "upstream_redirect",
      },
    );
  }
  if (!reply.ok) return readRefusal(reply, headers, hide, signal);
  const text = await readAll(body, answerBytes, signal);
  const answer = parseObject(text);
  if (answer === undefined) {
    const message = "the hub's model answered with something that is no JSON object";
    throw new ApiError(502, message, { code: "upstream_invalid" });
  }
  const { choices, usage, error } = answer;
  const [first] = Array.isArray(choices) ? choices : [];
  const reason = isJsonObject(first) ? first["finish_reason"] : undefined;
  const used = readUsage(usage);
  const said = modelErrorMessage(error);
  return {
    response: jsonText(hide.json(text) ?? text, status, headers),
    ...(used && { usage: used }),
    ...(typeof reason === "string" && { stopReason: reason }),
    ...(said !== undefined && { error: said }),
  };
}

async function readAll(body: Response["body"], limitBytes: number, signal: AbortSignal): Promise<string> {
  let bytes: Uint8Array;
  try {
    bytes = await collectBytes(limitedBytes(body, limitBytes, signal));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof TooLarge) {
      const message = `the answer of the hub's model is larger than ${limitBytes} bytes`;
      throw new ApiError(502, message, { code: "upstream_too_large" });
    }
    throw lost(error);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // Bytes that are not UTF-8 are not JSON either.
    return "";
  }
}

async function readRefusal(
  { status, body }: Response,
  headers: Record<string, string>,
  hide: Redactor,
  signal: AbortSignal,
): Promise<WholeAnswer> {
  const text = await readAll(body, MAX_REFUSAL_BYTES, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    if (error instanceof ApiError) return "";
    throw error;
  });
  // Such answers quote a part of the key, which is the hub's and cannot be corrected by the agent.
  if (status === 401 || status === 403) {
    throw new ApiError(status, `the hub's model refused the hub's own key (HTTP ${status})`, {
      code: "upstream_unauthorized",
      headers,
    });
  }
  const answer: JsonObject = parseObject(text) ?? {};
  const error = modelErrorMessage(answer["error"]);
  if (error === undefined) {
    throw new ApiError(status, `the hub's model answered with HTTP ${status}`, {
      code: "upstream_error",
      headers,
    });
  }
  return { response: jsonText(hide.json(text) ?? text, status, headers), error };
}

function keptHeaders(given: Headers, hide: Redactor): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of given) if (KEPT_HEADERS.test(name)) kept[name] = hide.text(value);
  return kept;
}
