// What is known about one request while it is answered.
import type { Caller } from "../core/caller.ts";
import type { Hub } from "../core/ports/hub.ts";
import type { Outgoing } from "../runtime/http/listen.ts";
import type { ObserveRequest } from "../telemetry/http-metrics.ts";

export interface Call {
  readonly request: Request;
  /** Path of the request without the query. */
  readonly path: string;
  /** Trace id of 32 hex digits; the caller's when it sent a `traceparent`. */
  readonly traceId: string;
  readonly startedAt: number;
  /** The socket's half of the response, where there is a socket. */
  readonly outgoing: Outgoing | undefined;
  /** Values of the path's parameters by name, percent-decoded. */
  params: Readonly<Record<string, string>>;
  /** The client that sent the request; set by auth before the route is called. */
  caller: Caller;
  /** The part of the hub that the caller may see and use. */
  hub: Hub;
  observe: ObserveRequest;
  runId: string | undefined;
  /** Reason why the request failed, for the log. */
  failure: { code: string; cause?: unknown } | undefined;
}

/** Returns a parameter of the matched route. */
export function pathParam(call: Call, name: string): string {
  return call.params[name] ?? "";
}

/** Returns the id of the run that the path names, and lets the request log name it as well. */
export function runParam(call: Call): string {
  const id = pathParam(call, "id");
  call.runId = id;
  return id;
}
