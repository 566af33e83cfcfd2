// A scripted agent over HTTP: captures every request, hands it to the server half of its profile, and puts the faults into the answer.
// Below `/__control` it is told what to do (control.ts).
import { getPath } from "hono/utils/url";
import { ProctorError } from "../../core/errors.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { randomHex } from "../../core/random.ts";
import type { NodeBindings } from "../../runtime/http/listen.ts";
import { errorResponse } from "../../runtime/http/respond.ts";
import { takeBody } from "../../runtime/http/take-body.ts";
import { CONTROL_PATH, isControl } from "../control-api.ts";
import type { CapturedRequest, CapturedRequests } from "./captured-requests.ts";
import type { Exchange, Exchanges } from "./exchange.ts";
import { spoilResponse } from "./faults/spoil-response.ts";

/** A service over HTTP, as the server half of A2A offers it. */
export interface ServedService {
  fetch(request: Request, call: { traceId: string; basePath: string }): Promise<Response>;
  close(): void;
}

export interface Mount {
  /** Path of the service: `/reduced`, or empty for the root, which has to be the last. */
  basePath: string;
  served: ServedService;
}

interface ScriptedAppOptions {
  mounts: readonly Mount[];
  control: (request: Request) => Promise<Response>;
  captured: CapturedRequests;
  exchanges: Exchanges;
  clock: Clock;
  /** Throws ProctorError for a request that may not be made. */
  check?: (request: Request) => void;
  /** Called when a request has its answer, which is sent once the promise resolves. */
  onAnswer?: ((request: CapturedRequest) => Promise<void> | void) | undefined;
}

export interface ScriptedApp {
  fetch(request: Request, bindings: NodeBindings): Promise<Response>;
  endStreams(): void;
}

/** Bytes of the largest body, with room for the largest directives in base64 and inside a JSON document. */
export const MAX_BODY_BYTES = 16 * 1024 * 1024;

export function createScriptedApp(options: ScriptedAppOptions): ScriptedApp {
  const { mounts, captured, exchanges, clock } = options;
  const stopping = new AbortController();

  async function answer(request: Request, { outgoing }: NodeBindings): Promise<Response> {
    const path = getPath(request);
    if (path === CONTROL_PATH || isControl(path)) return options.control(request);
    const mount = mounts.find(({ basePath }) => path === basePath || path.startsWith(`${basePath}/`));
    if (mount === undefined) throw new ProctorError("NOT_FOUND", "there is no agent at this path");
    const { text, forwarded } = await takeBody(request, MAX_BODY_BYTES);
    const traceId = randomHex(16);
    const capture = captured.add(
      {
        time: new Date(clock.now()).toISOString(),
        method: request.method,
        path,
        headers: Object.fromEntries(request.headers),
      },
      text,
    );
    const exchange: Exchange = { capture };
    exchanges.set(traceId, exchange);
    let response = await mount.served.fetch(forwarded, { traceId, basePath: mount.basePath });
    exchanges.delete(traceId);
    if (exchange.faults !== undefined || exchange.raw !== undefined) {
      const client = request.signal;
      response = await spoilResponse(response, exchange, {
        outgoing,
        clock,
        client,
        stopping: stopping.signal,
      });
    }
    capture.note({ status: response.status });
    if (options.onAnswer !== undefined) await options.onAnswer(capture.read());
    return response.status === 401 ? challenged(response) : response;
  }

  return {
    async fetch(request, bindings) {
      try {
        options.check?.(request);
        return await answer(request, bindings);
      } catch (error) {
        if (!ProctorError.is(error)) throw error;
        return errorResponse(error);
      }
    },
    endStreams() {
      stopping.abort();
      for (const { served } of mounts) served.close();
    },
  };
}

/** Adds the challenge that every 401 must have (RFC 9110, section 11.6.1). */
function challenged(response: Response): Response {
  if (response.headers.has("www-authenticate")) return response;
  const headers = new Headers(response.headers);
  headers.set("www-authenticate", 'Bearer realm="proctor"');
  return new Response(response.body, { status: response.status, headers });
}
