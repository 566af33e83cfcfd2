// What is known about one request while it is answered.
import type { ObserveRequest } from "../telemetry/http-metrics.ts";

export interface Call {
  readonly request: Request;
  /** Without the query. */
  readonly path: string;
  /** 32 hex digits; the caller's when it sent a `traceparent`. */
  readonly traceId: string;
  readonly startedAt: number;
  /** The socket's half of the response, where there is a socket. */
  readonly outgoing: Outgoing | undefined;
  /** Values of the path's parameters by name, percent-decoded. */
  params: Readonly<Record<string, string>>;
  observe: ObserveRequest;
  runId: string | undefined;
  /** Why the request failed, for the log. */
  failure: { code: string; cause?: unknown } | undefined;
}

/** Cutting the connection is the only honest end for a body that fails after its headers were sent. */
export interface Outgoing {
  destroy(): unknown;
  /** Sent with whatever headers the response has. */
  setHeader?(name: string, value: string): unknown;
}

/** What Node's adapter passes beside the request. */
export interface NodeBindings {
  outgoing?: Outgoing;
}

/** A parameter of the matched route. */
export function pathParam(call: Call, name: string): string {
  return call.params[name] ?? "";
}

/** The run that the path names, which the request log then names as well. */
export function runParam(call: Call): string {
  const id = pathParam(call, "id");
  call.runId = id;
  return id;
}
