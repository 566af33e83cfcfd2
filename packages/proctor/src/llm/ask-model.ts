// Sends a chat request to the model that the hub's configuration names. Nothing of the agent's request goes there but the body, and the
// key goes nowhere else: no redirect is followed.
import type { JsonObject } from "../core/json.ts";
import { ApiError } from "../runtime/openai/api-error.ts";

/** Answers as OpenAI's API does, including errors. Throws ApiError when there is no answer, or the signal's reason. */
export type AskModel = (body: JsonObject, signal: AbortSignal, traceparent?: string) => Promise<Response>;

export interface Upstream {
  /** Base URL of the API: `https://api.openai.com/v1`. */
  url: string;
  apiKey?: string;
}

export function createAskModel({ url, apiKey }: Upstream): AskModel {
  const endpoint = new URL(url);
  endpoint.pathname = `${endpoint.pathname.replace(/\/+$/, "")}/chat/completions`;
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
  };
  return async (body, signal, traceparent) => {
    try {
      return await fetch(endpoint, {
        method: "POST",
        headers: { ...headers, ...(traceparent !== undefined && { traceparent }) },
        body: JSON.stringify(body),
        redirect: "manual",
        signal,
      });
    } catch (error) {
      signal.throwIfAborted();
      throw lost(error);
    }
  };
}

/** Returns the error for a failed connection. It leaves out the address, which agents need not know. */
export function lost(error: unknown): ApiError {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  const why = typeof code === "string" ? ` (${code})` : "";
  const unreachable = code === "ECONNREFUSED" || code === "ENOTFOUND" || code === "EHOSTUNREACH";
  return unreachable
    ? new ApiError(502, `the hub's model cannot be reached${why}`, { code: "upstream_unreachable" })
    : new ApiError(502, `the hub's model broke the connection off${why}`, { code: "upstream_broken" });
}
