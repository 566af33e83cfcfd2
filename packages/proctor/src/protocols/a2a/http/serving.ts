// What the parts of a server share: its options, filled in, and the end of it all.
import type { PatchLevel } from "../errors.ts";
import type { A2aService, A2aVersion } from "../service.ts";

/** The bindings that are plain HTTP; gRPC has a port of its own. */
export type HttpBinding = "JSONRPC" | "HTTP+JSON";

export interface Serving {
  service: A2aService;
  patch: PatchLevel;
  versions: readonly A2aVersion[];
  bindings: readonly HttpBinding[];
  /** The card for a request that names no version: of one version, or one that clients of both can read. */
  unversionedCard: "both" | A2aVersion;
  /** Milliseconds for which a stream may be silent before a comment is sent. */
  keepAliveMs: number;
  bodyLimitBytes: number;
  /** Seconds for which clients may keep a card before they ask again. */
  cardMaxAgeSeconds: number;
  /** Reports a failure of the service itself, of which a client learns nothing but its trace id. */
  report: (problem: unknown, traceId: string) => void;
  /** Aborted when the server stops. */
  stopping: AbortSignal;
}

/** What the host of a server says about one request. */
export interface ServerCall {
  /** 32 hex digits. */
  traceId: string;
  /** The path at which the service is mounted: `/a2a/writer`, or empty. */
  basePath: string;
}
