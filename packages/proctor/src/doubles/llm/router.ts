// From a request to its answer: who may ask, which endpoint, and for those that are logged: report first, answer then.
import { hash } from "node:crypto";
import { getPath } from "hono/utils/url";
import type { JsonObject } from "../../core/json.ts";
import type { LlmCall, LlmScript } from "../../core/llm-script.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { jsonResponse } from "../../runtime/http/respond.ts";
import { createRouter as createPathRouter, type Endpoint as Place } from "../../runtime/http/router.ts";
import { withoutBody } from "../../runtime/http/serve-routes.ts";
import { ApiError, asApiError, errorBody, errorResponse } from "../../runtime/openai/api-error.ts";
import { readObject } from "../../runtime/openai/read-object.ts";
import { createChat } from "./chat.ts";
import { createEmbeddings } from "./embeddings.ts";
import type { CallEntry, Endpoint, Outcome } from "./endpoint.ts";
import type { Guard } from "../guard.ts";
import { findModel, listModels } from "./models.ts";
import { replyResponse, type Reply } from "./reply.ts";

interface RouterOptions {
  /** Prefix of every path: empty, or a slash and a secret. */
  prefix: string;
  script: LlmScript;
  clock: Clock;
  guard: Guard;
  redact: (text: string) => string;
  /** Returns the log of calls, for `GET /calls`. */
  log: () => JsonObject;
  onCall: (call: LlmCall) => Promise<void>;
}

interface Visit {
  request: Request;
  /** Aborted when the client leaves or the mock stops. */
  signal: AbortSignal;
  /** Cuts the connection after what was written has been sent; resolves when it is gone. */
  breakOff: () => Promise<void>;
  /** Cuts the connection at once. */
  destroy: () => void;
  /** Called once when nothing more is sent. */
  onClose: () => void;
}

export type Route = (visit: Visit) => Promise<Response>;

interface MockPlace extends Place {
  answer: (visit: Visit, params: Readonly<Record<string, string>>) => Response | Promise<Response>;
}

export const MAX_BODY_BYTES = 8 * 1024 * 1024;
/** Calls at once; further calls, and further bytes of calls, are refused until some are done. */
const MAX_CALLS = 1000;
const MAX_HELD_BYTES = 64 * 1024 * 1024;

export function createRouter(options: RouterOptions): Route {
  const { prefix, script, clock, guard, redact, onCall } = options;
  let underWay = 0;
  let heldBytes = 0;
  const router = createPathRouter<MockPlace>(
    [
      called("/v1/chat/completions", "chat", createChat({ script, clock, redact })),
      called("/v1/embeddings", "embeddings", createEmbeddings(script)),
      shown("/calls", () => options.log()),
      shown("/v1/models", () => listModels(script.model)),
      shown("/v1/models/{model}", ({ model = "" }) => findModel(model, script.model)),
    ],
    "the base URL of this mock ends with /v1",
  );

  function called(path: string, name: LlmCall["endpoint"], endpoint: Endpoint): MockPlace {
    return {
      method: "POST",
      path,
      async answer(visit) {
        if (underWay >= MAX_CALLS) throw new ApiError(429, "too many calls at once");
        underWay++;
        const reply = await answerCall(visit, name, endpoint).finally(() => underWay--);
        return replyResponse(reply, { clock, ...visit });
      },
    };
  }

  function shown(path: string, show: (params: Readonly<Record<string, string>>) => JsonObject): MockPlace {
    return {
      method: "GET",
      path,
      answer({ onClose }, params) {
        onClose();
        return jsonResponse(show(params));
      },
    };
  }

  async function answerCall(
    { request, signal }: Visit,
    name: LlmCall["endpoint"],
    endpoint: Endpoint,
  ): Promise<Reply> {
    const startedAt = clock.now();
    let mine = 0;
    let body: JsonObject | null = null;
    let outcome: Outcome;
    try {
      body = await readObject(request, {
        limitBytes: MAX_BODY_BYTES,
        signal,
        onBytes(count) {
          mine += count;
          heldBytes += count;
          if (heldBytes > MAX_HELD_BYTES) throw new ApiError(429, "too many large calls at once");
        },
      });
      outcome = await endpoint(body, signal);
    } catch (error) {
      outcome = explain(error, body, signal);
    } finally {
      heldBytes -= mine;
    }
    const endedAt = clock.now();
    const durationMs = Math.max(0, endedAt - startedAt);
    const time = new Date(endedAt).toISOString();
    try {
      await onCall({ time, endpoint: name, ...outcome.entry, request: body, duration_ms: durationMs });
    } catch {
      // A call that cannot be recorded must not be answered.
      return errorReply(new ApiError(503, "the call could not be recorded"));
    }
    return outcome.reply;
  }

  return async (visit) => {
    const { request } = visit;
    try {
      const path = pathOf(request, prefix);
      guard(request);
      const found = router.find(request.method, path);
      if (found.endpoint === undefined) throw asApiError(found.error, found.headers);
      const response = await found.endpoint.answer(visit, found.params);
      return request.method === "HEAD" ? withoutBody(response) : response;
    } catch (error) {
      visit.onClose();
      if (error instanceof ApiError) return errorResponse(error);
      throw error;
    }
  };
}

/** Returns the path behind the prefix. Throws the same error for a secret that is wrong in any way. */
function pathOf(request: Request, prefix: string): string {
  const path = getPath(request);
  if (prefix === "") return path;
  const given = path.slice(0, prefix.length);
  // Digests are compared, so that the time taken does not reveal how much of the secret was right.
  if (hash("sha256", given) !== hash("sha256", prefix) || path[prefix.length] !== "/") {
    throw new ApiError(404, "there is nothing here");
  }
  return path.slice(prefix.length);
}

function explain(error: unknown, request: JsonObject | null, signal: AbortSignal): Outcome {
  const known = error instanceof ApiError ? error : unexpected(signal);
  const { status, message, type, code } = known;
  const { model, stream } = request ?? {};
  const entry: CallEntry = {
    model: typeof model === "string" ? model : "",
    stream: stream === true,
    answer: null,
    status,
    error: { message, type, code },
    prompt_tokens: 0,
    completion_tokens: 0,
  };
  return { entry, reply: errorReply(known) };
}

function unexpected({ aborted, reason }: AbortSignal): ApiError {
  const why = aborted && reason instanceof Error ? `cut off: ${reason.message}` : "the mock failed";
  return new ApiError(aborted ? 503 : 500, why);
}

function errorReply(error: ApiError): Reply {
  return { status: error.status, headers: error.headers, body: errorBody(error) };
}
