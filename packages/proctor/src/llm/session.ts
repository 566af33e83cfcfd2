// The model endpoint of one run: its paths, and how many calls may be under way.
import { waitAtMost } from "../core/wait-at-most.ts";
import { jsonResponse } from "../runtime/http/respond.ts";
import { createRouter } from "../runtime/http/router.ts";
import { withoutBody } from "../runtime/http/serve-routes.ts";
import { ApiError, asApiError, errorResponse } from "../runtime/openai/api-error.ts";
import { ENDED, startCall, type CallOptions, type StartedCall } from "./call.ts";

interface SessionOptions extends CallOptions {
  /** Names that the list of models shows. */
  models: readonly string[];
  provider: string;
}

export interface Session {
  /** Answers a request; `path` is the part behind `/v1/`. */
  fetch(request: Request, path: string): Promise<Response>;
  /** Cuts the calls under way, and records them. */
  close(): Promise<void>;
}

/** Milliseconds that the end of a session waits for calls that it has cut. */
const CUT_PATIENCE_MS = 1000;

export function openSession(options: SessionOptions): Session {
  const { limits, clock } = options;
  const underWay = new Set<StartedCall>();
  let closing: Promise<void> | undefined;

  function chat(request: Request): Promise<Response> {
    if (underWay.size >= limits.calls) {
      throw new ApiError(429, `this run has ${limits.calls} calls under way, and may have no more`, {
        code: "too_many_calls",
        headers: { "retry-after": "1" },
      });
    }
    const call = startCall(request, options);
    underWay.add(call);
    void call.ended.then(() => underWay.delete(call));
    return call.response;
  }

  function listModels(): Response {
    const data = options.models.map((id) => ({
      id,
      object: "model",
      created: 0,
      owned_by: options.provider,
    }));
    return jsonResponse({ object: "list", data });
  }

  const router = createRouter(
    [
      { method: "GET", path: "/models", answer: listModels },
      { method: "POST", path: "/chat/completions", answer: chat },
    ],
    "this endpoint has chat/completions and models",
  );

  async function close(): Promise<void> {
    const cut = [...underWay];
    for (const call of cut) call.stop(ENDED);
    const ends = Promise.all(cut.map(({ ended }) => ended));
    if (cut.length > 0) await waitAtMost(clock, CUT_PATIENCE_MS, ends);
  }

  return {
    async fetch(request, path) {
      try {
        const found = router.find(request.method, `/${path}`);
        if (found.endpoint === undefined) throw asApiError(found.error, found.headers);
        const response = await found.endpoint.answer(request);
        return request.method === "HEAD" ? withoutBody(response) : response;
      } catch (error) {
        if (error instanceof ApiError) return errorResponse(error);
        throw error;
      }
    },
    close: () => (closing ??= close()),
  };
}
