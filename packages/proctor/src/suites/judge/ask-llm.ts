// Asks a language model over an API in the shape of OpenAI's. Whatever the other side does, the answer comes in time and
// in bounds, or an error says what is wrong; the key goes to no other place and into no message.
import { ProctorError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { AskLlm, LlmRequest } from "../../core/ports/llm.ts";
import { createRedactor } from "../../core/redact.ts";
import { pause } from "../../runtime/time/pause.ts";
import { systemClock } from "../../runtime/time/system-clock.ts";
import { readReply } from "./llm-reply.ts";
import { LlmTrouble, retryDelayMs } from "./llm-retry.ts";

export interface AskLlmOptions {
  /** The base URL, such as `https://api.openai.com/v1`. */
  url: string;
  key?: string;
  fetch?: typeof fetch;
  /** The time limit of each attempt in milliseconds, up to the last byte of its answer. */
  timeoutMs?: number;
  /** The number of further attempts after failures that may pass. */
  retries?: number;
  clock?: Clock;
}

const DEFAULT_TIMEOUT_MS = 120_000;
const DEFAULT_RETRIES = 3;

/** Throws CONFIG_INVALID for a URL or a key that cannot be used. */
export function createAskLlm(options: AskLlmOptions): AskLlm {
  const { key, fetch: send = fetch, timeoutMs = DEFAULT_TIMEOUT_MS, retries = DEFAULT_RETRIES } = options;
  const { clock = systemClock } = options;
  const url = endpointOf(options.url);
  if (key !== undefined) checkKey(key);
  const redactor = createRedactor(key === undefined ? [] : [{ name: "key", value: key }]);
  const where = `the LLM at ${url.origin}${url.pathname}`;
  const headers = {
    "content-type": "application/json",
    accept: "application/json",
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
  };

  async function attempt(request: LlmRequest, signal: AbortSignal) {
    const stop = new AbortController();
    const leave = (): void => stop.abort();
    signal.addEventListener("abort", leave, { once: true });
    let late = false;
    const callOff = clock.after(timeoutMs, () => {
      late = true;
      stop.abort();
    });
    try {
      const body = JSON.stringify(encodeRequest(request));
      // A redirect is never followed: it would take the key and the conversation elsewhere.
      const response = await send(url, {
        method: "POST",
        headers,
        body,
        redirect: "manual",
        signal: stop.signal,
      });
      return await readReply(response, request.model, (text) => redactor.text(text));
    } catch (error) {
      signal.throwIfAborted();
      if (late) throw new LlmTrouble(`did not answer within ${timeoutMs / 1000} s`);
      throw error instanceof LlmTrouble ? error : new LlmTrouble(lossOf(error), { mayRetry: true });
    } finally {
      callOff();
      signal.removeEventListener("abort", leave);
      // The rest of the body is not wanted any more.
      stop.abort();
    }
  }

  return async (request, signal) => {
    for (let attempts = 1; ; attempts++) {
      signal.throwIfAborted();
      try {
        return await attempt(request, signal);
      } catch (error) {
        if (!(error instanceof LlmTrouble)) throw error;
        const delayMs = attempts > retries ? undefined : retryDelayMs(error, attempts);
        if (delayMs === undefined) {
          const tried = attempts === 1 ? "" : ` (tried ${attempts} times)`;
          throw new Error(redactor.text(`${where} ${error.message}${tried}`), { cause: error });
        }
        await pause(clock, delayMs, signal);
      }
    }
  };
}

function encodeRequest({ model, messages, temperature, maxTokens, seed, json }: LlmRequest): JsonObject {
  return {
    model,
    messages: messages.map(({ role, content }) => ({ role, content })),
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(seed !== undefined && { seed }),
    ...(json === true && { response_format: { type: "json_object" } }),
  };
}

function endpointOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new ProctorError(
      "CONFIG_INVALID",
      "the URL of the LLM is no http or https address\nwrite it like https://api.openai.com/v1",
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new ProctorError("CONFIG_INVALID", "the URL of the LLM has a password in it\ngive a key instead");
  }
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/chat/completions`;
  url.hash = "";
  return url;
}

/** Checks the key here, because the message of a failed request would contain it. */
function checkKey(key: string): void {
  if (/^[\x21-\x7e]+$/.test(key)) return;
  throw new ProctorError("CONFIG_INVALID", "the key of the LLM must be printable ASCII without blanks");
}

/** A failed connection has its reason in the error's cause. */
function lossOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code =
    cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : undefined;
  const why = code === undefined ? "" : ` (${code})`;
  return code === "ECONNREFUSED" || code === "ENOTFOUND"
    ? `cannot be reached${why}`
    : `broke the connection off before its answer was complete${why}`;
}
