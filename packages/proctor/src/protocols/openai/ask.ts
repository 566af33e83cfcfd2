// One request to the model, tried again where its server asks for that. Reports what the model says as it comes, and the request itself.
import type { HttpClient } from "../../channels/http/client.ts";
import type { HttpAnswer } from "../../channels/http/exchange.ts";
import {
  encodedBody,
  httpError,
  noContent,
  redirected,
  troubleFailure,
  type Asked,
} from "../../channels/http/failures.ts";
import { readBody } from "../../channels/http/read-body.ts";
import { isJsonObject } from "../../core/json.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { AgentEnd, AgentReport } from "../../core/ports/driver.ts";
import { pause } from "../../runtime/time/pause.ts";
import { parseObject } from "../../core/parse-object.ts";
import type { WireTap } from "../wire-tap.ts";
import { createAnswer } from "./answer.ts";
import { isWorthRetrying, refusedEnd, retryAfterSeconds, saidError, withoutKeys } from "./errors.ts";
import { hear, type Heard } from "./hear.ts";
import { noteBody, noteEnd, noteHead } from "../http-notes.ts";
import { logReport } from "../reports.ts";
import type { OpenaiSettings } from "./settings.ts";
import { CHAT_PATH } from "./wire.ts";

export interface AskerOptions {
  client: Pick<HttpClient, "post">;
  clock: Clock;
  settings: OpenaiSettings;
  /** Values of headers that are not to be shown. */
  secrets: readonly string[];
  signal: AbortSignal;
  tap: WireTap | undefined;
}

export type Ask = (content: string) => AsyncGenerator<AgentReport, Heard>;

/** Times that one request is tried, including the first. */
const MAX_TRIES = 4;
/** Milliseconds before the second try where the server names no time; doubled for each further one. */
const FIRST_DELAY_MS = 500;
/** Longest pause in seconds that a server may ask for; with a longer one, the request fails. */
const MAX_DELAY_SECONDS = 60;
const ERROR_BYTES = 64 * 1024;
/** Milliseconds to wait for the body of an error. */
const PATIENCE_MS = 1000;
const MAX_LOGGED_CHARS = 2000;

export function createAsk({ client, clock, settings, secrets, signal, tap }: AskerOptions): Ask {
  const asked: Asked = { name: CHAT_PATH, url: settings.endpoint.below(CHAT_PATH) };
  const headers = {
    ...settings.endpoint.headers,
    "content-type": "application/json",
    accept: settings.stream ? "text/event-stream, application/json;q=0.9" : "application/json",
  };

  return async function* ask(content) {
    for (let tries = 1; ; tries++) {
      tap?.sent("request", content, { name: CHAT_PATH });
      const startedAt = clock.now();
      const exchanged = await client.post({ url: asked.url, headers, content }, signal);
      if (exchanged.kind === "failed") {
        if (tap) noteEnd(tap, exchanged.trouble);
        return ended({ status: "failed", failure: troubleFailure(exchanged.trouble, asked) });
      }
      const { answer: head } = exchanged;
      if (tap) noteHead(tap, head);
      const unheard = unheardEnd(head, asked);
      if (unheard !== undefined) {
        head.body.close();
        if (tap) noteEnd(tap, undefined);
        return ended(unheard);
      }
      if (head.status < 400) {
        const heard = yield* hear(head, { asked, secrets, tap });
        yield requestReport(heard, settings, clock.now() - startedAt);
        return heard;
      }
      const { end, waitMs, reports } = await readRefusal(head, tries);
      yield* reports;
      if (waitMs === undefined || signal.aborted) return ended(end);
      yield retryReport(end, waitMs);
      // Rejects only when the run is stopped meanwhile.
      const waited = await pause(clock, waitMs, signal).then(
        () => true,
        () => false,
      );
      if (!waited) return ended(end);
    }
  };

  async function readRefusal(
    head: HttpAnswer,
    tries: number,
  ): Promise<{ end: AgentEnd; waitMs?: number; reports: AgentReport[] }> {
    const body = await readBody(head.body, ERROR_BYTES, { patienceMs: PATIENCE_MS });
    if (tap) noteBody(tap, body);
    const text = body.overflowed ? "" : body.bytes.toString();
    const json = parseObject(text);
    const said = json === undefined ? {} : errorIn(json);
    const end = refusedEnd(head, said, asked, secrets);
    // What is not understood is kept, without keys.
    const isLogged = said.message === undefined && text.trim() !== "" && text.length <= MAX_LOGGED_CHARS;
    const reports = isLogged ? [logReport(withoutKeys(text.trim(), secrets))] : [];
    if (!isWorthRetrying(head.status, said) || tries >= MAX_TRIES) return { end, reports };
    const seconds = retryAfterSeconds(head.headers);
    if (seconds !== undefined && seconds > MAX_DELAY_SECONDS) return { end, reports };
    return {
      end,
      reports,
      waitMs: seconds === undefined ? FIRST_DELAY_MS * 2 ** (tries - 1) : seconds * 1000,
    };
  }
}

/** Returns the end that the head of an answer alone implies; undefined when its body is worth reading. */
function unheardEnd({ status, headers }: HttpAnswer, asked: Asked): AgentEnd | undefined {
  const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (status >= 400) return undefined;
  if (status === 304) return { status: "failed", failure: httpError(status, asked) };
  if (status >= 300) return { status: "failed", failure: redirected(status, headers.location, asked) };
  if (status === 204) return { status: "failed", failure: noContent(asked) };
  const isEncoded = encoding !== "identity" && encoding !== "";
  return isEncoded ? { status: "failed", failure: encodedBody(encoding, asked) } : undefined;
}

function errorIn(json: NonNullable<ReturnType<typeof parseObject>>): ReturnType<typeof saidError> {
  const { error, message, detail } = json;
  if (typeof error === "string" || isJsonObject(error)) return saidError(error);
  return saidError([message, detail].find((value) => typeof value === "string"));
}

function requestReport(
  { answer: { model, usage, finishReason }, end }: Heard,
  settings: OpenaiSettings,
  durationMs: number,
): AgentReport {
  return {
    kind: "event",
    event: {
      type: "llm_request",
      payload: {
        model: model ?? settings.model,
        ...(typeof usage?.prompt_tokens === "number" && { input_tokens: usage.prompt_tokens }),
        ...(typeof usage?.completion_tokens === "number" && { output_tokens: usage.completion_tokens }),
        ...(typeof usage?.cost === "number" && { cost_usd: usage.cost }),
        duration_ms: Math.max(0, durationMs),
        ...(settings.temperature !== undefined && { temperature: settings.temperature }),
        ...(finishReason !== undefined && finishReason.length <= 100 && { stop_reason: finishReason }),
        ...(end?.failure && { error: end.failure.message }),
      },
    },
  };
}

function retryReport({ failure: reason }: AgentEnd, waitMs: number): AgentReport {
  return {
    kind: "event",
    event: {
      type: "error",
      payload: {
        error_type: "LLM_ERROR",
        message: reason?.message ?? "the model's server failed",
        recoverable: true,
        retry_after_ms: waitMs,
      },
    },
  };
}

/** Returns the result of an answer of which nothing came. */
function ended(end: AgentEnd): Heard {
  return { answer: createAnswer(), end };
}
