// The neutral API as one function from Request to Response: routing, auth, errors, request log and metrics. What
// the routes do is in routes/; sockets are in listen.ts and upgrade.ts.
import { getPath } from "hono/utils/url";
import { OPERATOR, requireScope, requireUnbound, type Caller } from "../core/caller.ts";
import { ProctorError } from "../core/errors.ts";
import type { Hub } from "../core/ports/hub.ts";
import type { Platform } from "../core/ports/platform.ts";
import type { WorkDesk } from "../core/ports/work-desk.ts";
import type { Scope } from "../core/scope.ts";
import { originOf } from "../core/trace.ts";
import type { ArtifactService } from "../core/ports/artifact-service.ts";
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
import type { SummarySource } from "./routes/runs-summary.ts";
import { createRoutes } from "./routes.ts";
import type { AcceptedUpgrade, UpgradeAnswer } from "../runtime/http/upgrade.ts";

/** A part of the API that answers for itself; a Surface is one. It owns everything at and below `path`; auth, log and metrics apply. */
export interface Mount {
  /** `/atp`: a request to it or to anything below reaches `fetch` with its path unchanged. */
  path: string;
  /** Paths that need no token, because the protocol says so or checks its own; true for all of them. As `Surface.open`. */
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
  /** Answers `/`. When absent, a page that links the parts of the API does. */
  front?: (request: Request) => Response | Promise<Response>;
  /** Reads the totals of runs and evaluations. When absent, clients cannot ask for them. */
  summary?: SummarySource;
  /** Artifacts that are kept independently of runs. When absent, none can be saved or read. */
  artifacts?: ArtifactService;
  /** Returns the part of the hub that this caller may see and use. When absent, every caller gets the whole hub. */
  hubOf?: (caller: Caller) => Hub;
  /** What the hub offers in addition to runs. Without a part, its routes do not exist. */
  platform?: Partial<Platform>;
  /** Gives work to workers that have no access to the database. When absent, its routes do not exist. */
  desk?: WorkDesk;
}

export interface App {
  /** Never throws or rejects: every failure is a response. */
  fetch(request: Request, bindings?: NodeBindings): Response | Promise<Response>;
  /** Answers a request for a WebSocket. Never rejects. */
  upgrade(request: Request, peer?: string): Promise<UpgradeAnswer>;
  openapi(): OpenApiDocument;
  /** Ends the event streams and the surfaces, so that a server can stop. */
  endStreams(): void;
}

interface Endpoint {
  method: string;
  path: string;
  isOpen: IsOpen;
  /** Scope that the caller needs; absent for a mount, which asks for the scopes of its operations. */
  scope?: Scope;
  unbound?: true | undefined;
  observe: ObserveRequest;
  /** Counts HEAD requests of an endpoint that takes GET. */
  observeHead?: ObserveRequest | undefined;
  handle: (call: Call) => Response | Promise<Response>;
  upgrade?: (call: Call) => ReturnType<NonNullable<Mount["upgrade"]>>;
}

const DEFAULT_KEEP_ALIVE_MS = 15_000;
const DEFAULT_BODY_LIMIT_BYTES = 1024 * 1024;

export function createApp(deps: AppDeps): App {
  const { auth, hub, log, mounts = [], hubOf = () => hub, keepAliveMs = DEFAULT_KEEP_ALIVE_MS } = deps;
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

  function routeEndpoint({ method, path, open, scope = "admin", unbound, handle }: Route): Endpoint {
    const observe = observed(method, path);
    const observeHead = method === "GET" ? observed("HEAD", path) : undefined;
    return { method, path, isOpen: () => open ?? false, scope, unbound, observe, observeHead, handle };
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
    const found = router.find(request.method, call.path);
    const isOpen = found.endpoint?.isOpen(request) ?? false;
    const caller = auth.check(request, isOpen, call.outgoing?.socket?.remoteAddress);
    const admitted = (known: Caller) => answerTo(known, call, found, isOpen);
    return caller instanceof Promise ? caller.then(admitted) : admitted(caller);
  }

  function answerTo(
    caller: Caller,
    call: Call,
    found: ReturnType<typeof router.find>,
    isOpen: boolean,
  ): Response | Promise<Response> {
    const { request } = call;
    const { method } = request;
    if (isPreflight(request)) return emptyResponse(204, preflightHeaders(request));
    if (found.endpoint === undefined) return refuse(call, found.error, found.headers);
    const { endpoint, params } = found;
    call.params = params;
    admit(call, endpoint, caller, isOpen);
    const head = method === "HEAD" ? endpoint.observeHead : undefined;
    call.observe = head ?? endpoint.observe;
    const response = endpoint.handle(call);
    if (head === undefined) return caller === OPERATOR ? response : endedWith(call, response);
    return response instanceof Promise ? response.then(withoutBody) : withoutBody(response);
  }

  /** Throws SCOPE_MISSING or FORBIDDEN. */
  function admit(call: Call, { scope, unbound }: Endpoint, caller: Caller, isOpen: boolean): void {
    call.caller = caller;
    if (caller === OPERATOR) return;
    call.hub = hubOf(caller);
    if (isOpen) return;
    if (scope !== undefined) requireScope(caller, scope);
    if (unbound) requireUnbound(caller);
  }

  /** Ends a stream when the token of its reader ends. */
  async function endedWith(call: Call, answered: Response | Promise<Response>): Promise<Response> {
    const response = await answered;
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
    const ended = isStream ? auth.ended?.(call.caller) : undefined;
    if (ended === undefined) return response;
    const cut = (): void => void call.outgoing?.destroy();
    ended.addEventListener("abort", cut, { once: true });
    call.outgoing?.once?.("close", () => ended.removeEventListener("abort", cut));
    return response;
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
      traceId: originOf(request.headers.get("traceparent")).traceId,
      startedAt: performance.now(),
      outgoing,
      params: {},
      caller: OPERATOR,
      hub,
      observe: unmatched,
      runId: undefined,
      failure: undefined,
    };
  }

  async function answerUpgrade(call: Call, peer: string | undefined): Promise<UpgradeAnswer> {
    const { request } = call;
    const { endpoint } = router.find(request.method, call.path);
    const isOpen = endpoint?.isOpen(request) ?? false;
    const caller = await auth.check(judgedRequest(request), isOpen, peer);
    call.observe = endpoint?.observe ?? unmatched;
    if (endpoint) admit(call, endpoint, caller, isOpen);
    const answer = await (endpoint?.upgrade?.(call) ?? noSocket());
    if (!("serve" in answer)) return finish(call, answer);
    checkHandshake(request);
    const ended = call.caller === OPERATOR ? undefined : auth.ended?.(call.caller);
    const service = ended ? endedBy(answer, ended) : answer;
    return accepted(call, service, chooseProtocol(request, answer.protocols));
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
    async upgrade(request, peer) {
      const call = newCall(request, undefined);
      try {
        return await answerUpgrade(call, peer);
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

/** Closes the socket when the token of the client that opened it ends. */
function endedBy(service: SocketService, ended: AbortSignal): SocketService {
  return {
    ...service,
    async serve(socket) {
      const close = (): void => socket.close(1008, "the token is no longer valid");
      ended.addEventListener("abort", close, { once: true });
      try {
        await service.serve(socket);
      } finally {
        ended.removeEventListener("abort", close);
      }
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
