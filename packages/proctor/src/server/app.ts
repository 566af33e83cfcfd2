// The neutral API as one function from Request to Response: routing, auth, errors, request log and metrics. What
// the routes do is in routes/; sockets are in listen.ts and upgrade.ts.
import { getPath } from "hono/utils/url";
import { OPERATOR } from "../core/caller.ts";
import { ProctorError } from "../core/errors.ts";
import type { ArtifactService } from "../core/ports/artifact-service.ts";
import type { Platform } from "../core/ports/platform.ts";
import { httpMetrics, type ObserveRequest } from "../telemetry/http-metrics.ts";
import type { MetricsRegistry } from "../telemetry/metrics.ts";
import type { Surface, SurfaceCall } from "../protocols/protocol.ts";
import type { SocketService } from "../runtime/http/route.ts";
import type { NodeBindings } from "../runtime/http/listen.ts";
import { emptyResponse } from "../runtime/http/respond.ts";
import { createRouter } from "../runtime/http/router.ts";
import { withoutBody } from "../runtime/http/serve-routes.ts";
import type { AuthPolicy } from "./auth.ts";
import type { Call } from "./call.ts";
import { createEventLog, type EventSources } from "./event-log.ts";
import { checkHandshake, chooseProtocol, judgedRequest } from "./handshake.ts";
import { createLiveStreams } from "./live-streams.ts";
import { openPaths, type IsOpen } from "./open-paths.ts";
import type { OpenApiDocument } from "./openapi.ts";
import { isPreflight, preflightHeaders } from "./origins.ts";
import { failureEntry, requestEntry } from "./request-log.ts";
import { refuse } from "./refuse.ts";
import type { Route } from "./route.ts";
import { createRoutes } from "./routes.ts";
import { traceIdOf } from "./trace-id.ts";
import type { AcceptedUpgrade, UpgradeAnswer } from "../runtime/http/upgrade.ts";

/** A part of the API that answers for itself; a Surface is one. It owns everything at and below `path`; auth, log and metrics apply. */
export interface Mount {
  /** `/atp`: a request to it or to anything below reaches `fetch` with its path unchanged. */
  path: string;
  /** Says that it needs no token, because the protocol says so or checks its own: everywhere (true), or at these paths, as `Surface.open`. */
  open?: boolean | NonNullable<Surface["open"]>;
  /** Answers a request. A ProctorError that it throws is answered in the neutral API's form. */
  fetch: (request: Request, call: SurfaceCall) => Response | Promise<Response>;
  /** Says how a WebSocket to one of its paths is served, or refuses it with a response. */
  upgrade?: NonNullable<Surface["upgrade"]>;
  /** Returns its part of the OpenAPI document. */
  openapi?: NonNullable<Surface["openapi"]>;
  /** Ends its streams and sockets, so that the server can stop. */
  close?: () => void;
}

export interface AppDeps extends EventSources {
  /** Throws a ProctorError when the hub cannot take work. */
  ready: () => Promise<void>;
  auth: AuthPolicy;
  metrics: MetricsRegistry;
  /** Called with one object per request, and one per body that failed after its headers were sent. */
  log: (entry: object) => void;
  version: string;
  keepAliveMs?: number;
  bodyLimitBytes?: number;
  mounts?: readonly Mount[];
  /** Artifacts beside runs; without it nobody can save or read any. */
  artifacts?: ArtifactService;
  /** What the hub offers beside runs; without a part, its routes are not there. */
  platform?: Partial<Platform>;
}

export interface App {
  /** Never throws or rejects: every failure is a response. */
  fetch(request: Request, bindings?: NodeBindings): Response | Promise<Response>;
  /** Answers a request for a WebSocket. Never rejects. */
  upgrade(request: Request): Promise<UpgradeAnswer>;
  openapi(): OpenApiDocument;
  /** Ends the event streams and the surfaces, so that a server can stop. */
  endStreams(): void;
}

interface Endpoint {
  method: string;
  path: string;
  isOpen: IsOpen;
  observe: ObserveRequest;
  /** Counts HEAD requests of an endpoint that takes GET. */
  observeHead?: ObserveRequest | undefined;
  handle: (call: Call) => Response | Promise<Response>;
  upgrade?: (call: Call) => ReturnType<NonNullable<Mount["upgrade"]>>;
}

const DEFAULT_KEEP_ALIVE_MS = 15_000;
const DEFAULT_BODY_LIMIT_BYTES = 1024 * 1024;

export function createApp(deps: AppDeps): App {
  const { auth, log, mounts = [], keepAliveMs = DEFAULT_KEEP_ALIVE_MS } = deps;
  const onFailure = (call: Call, cause: unknown): void => log(failureEntry(call, cause));
  const eventLog = createEventLog(deps);
  const streams = createLiveStreams({ log: eventLog, keepAliveMs, onFailure });
  const bodyLimitBytes = deps.bodyLimitBytes ?? DEFAULT_BODY_LIMIT_BYTES;
  const { routes, openapi } = createRoutes({
    ...deps,
    eventLog,
    streams,
    bodyLimitBytes,
    onFailure,
    described: () => mounts.flatMap((mount) => mount.openapi?.() ?? []),
  });
  const observed = httpMetrics(deps.metrics);
  const unmatched = observed("*", "unmatched");
  const router = createRouter([...routes.map(routeEndpoint), ...mounts.map(mountEndpoint)], "see /docs");

  function routeEndpoint({ method, path, open, handle }: Route): Endpoint {
    const observe = observed(method, path);
    const observeHead = method === "GET" ? observed("HEAD", path) : undefined;
    return { method, path, isOpen: () => open ?? false, observe, observeHead, handle };
  }

  function mountEndpoint(mount: Mount): Endpoint {
    const path = `${mount.path}/*`;
    return {
      method: "*",
      path,
      isOpen: openPaths(mount),
      observe: observed("*", path),
      handle: ({ request, traceId, caller }) => mount.fetch(request, { traceId, caller }),
      upgrade: ({ request, traceId, caller }) => mount.upgrade?.(request, { traceId, caller }) ?? noSocket(),
    };
  }

  function answer(call: Call): Response | Promise<Response> {
    const { request } = call;
    const { method } = request;
    const found = router.find(method, call.path);
    auth.check(request, found.endpoint?.isOpen(request) ?? false);
    if (isPreflight(request)) return emptyResponse(204, preflightHeaders(request));
    if (found.endpoint === undefined) return refuse(call, found.error, found.headers);
    const { endpoint, params } = found;
    call.params = params;
    const head = method === "HEAD" ? endpoint.observeHead : undefined;
    call.observe = head ?? endpoint.observe;
    const response = endpoint.handle(call);
    if (head === undefined) return response;
    return response instanceof Promise ? response.then(withoutBody) : withoutBody(response);
  }

  function finish(call: Call, response: Response): Response {
    const elapsedMs = performance.now() - call.startedAt;
    call.observe(response.status, elapsedMs / 1000);
    log(requestEntry(call, response.status, elapsedMs));
    addHeader(call, response, "x-trace-id", call.traceId);
    const forPages = auth.headersFor(call.request);
    if (forPages === undefined) return response;
    for (const [name, value] of Object.entries(forPages)) addHeader(call, response, name, value);
    return response;
  }

  function newCall(request: Request, outgoing: NodeBindings["outgoing"]): Call {
    return {
      request,
      path: getPath(request),
      traceId: traceIdOf(request),
      startedAt: performance.now(),
      outgoing,
      params: {},
      caller: OPERATOR,
      observe: unmatched,
      runId: undefined,
      failure: undefined,
    };
  }

  async function answerUpgrade(call: Call): Promise<UpgradeAnswer> {
    const { request } = call;
    const { endpoint } = router.find(request.method, call.path);
    auth.check(judgedRequest(request), endpoint?.isOpen(request) ?? false);
    call.observe = endpoint?.observe ?? unmatched;
    const answer = await (endpoint?.upgrade?.(call) ?? noSocket());
    if (!("serve" in answer)) return finish(call, answer);
    checkHandshake(request);
    return accepted(call, answer, chooseProtocol(request, answer.protocols));
  }

  function accepted(call: Call, service: SocketService, protocol: string | undefined): AcceptedUpgrade {
    call.observe(101, (performance.now() - call.startedAt) / 1000);
    return {
      service,
      protocol,
      headers: { "x-trace-id": call.traceId },
      ended(close, failure) {
        if (failure !== undefined) call.failure = { code: "INTERNAL_ERROR", cause: failure };
        const entry = requestEntry(call, 101, performance.now() - call.startedAt);
        const level = failure === undefined ? entry.level : "error";
        log({ ...entry, level, ...(close && { close_code: close.code }) });
      },
    };
  }

  return {
    fetch(request, bindings) {
      const call = newCall(request, bindings?.outgoing);
      // Not an async function: a request costs as few promises as its route needs.
      try {
        const response = answer(call);
        if (!(response instanceof Promise)) return finish(call, response);
        return response.then(
          (done) => finish(call, done),
          (thrown: unknown) => finish(call, refuse(call, thrown)),
        );
      } catch (thrown) {
        return finish(call, refuse(call, thrown));
      }
    },
    async upgrade(request) {
      const call = newCall(request, undefined);
      try {
        return await answerUpgrade(call);
      } catch (thrown) {
        return finish(call, refuse(call, thrown));
      }
    },
    openapi,
    endStreams() {
      streams.end();
      for (const mount of mounts) mount.close?.();
    },
  };
}

function noSocket(): never {
  throw new ProctorError("NOT_FOUND", "there is no WebSocket at this path\nsee /docs");
}

/** Adds a header that the response does not have. A socket takes it directly: reading a response's headers costs more than most answers. */
function addHeader({ outgoing }: Call, response: Response, name: string, value: string): void {
  if (outgoing?.setHeader) outgoing.setHeader(name, value);
  else if (!response.headers.has(name)) response.headers.set(name, value);
}
