// What the parts of a server share: its options, filled in, and the end of it all.
import type { Caller } from "../../../core/caller.ts";
import type { PatchLevel } from "../errors.ts";
import type { JsonObject } from "../../../core/json.ts";
import type { A2aCall, A2aService, A2aVersion } from "../service.ts";

/** A binding that is plain HTTP; gRPC has a port of its own. */
export type HttpBinding = "JSONRPC" | "HTTP+JSON";

/** A card with the fields of one version, or of both in one. */
export type CardForm = "both" | A2aVersion;

/** Adds signatures to a card as it is sent. */
export type SignCard = (card: JsonObject, form: CardForm, call: A2aCall) => Promise<JsonObject>;

export interface Serving {
  service: A2aService;
  /** Signs cards as they are sent; absent where cards are not signed here. */
  signCard?: SignCard;
  patch: PatchLevel;
  versions: readonly A2aVersion[];
  bindings: readonly HttpBinding[];
  /** Card for a request that names no version: of one version, or one that clients of both can read. */
  unversionedCard: CardForm;
  /** Milliseconds of silence after which a stream sends a comment. */
  keepAliveMs: number;
  bodyLimitBytes: number;
  /** Seconds for which clients may keep a card before they ask again. */
  cardMaxAgeSeconds: number;
  /** Reports a failure of the service itself, of which a client only gets the trace id. */
  report: (problem: unknown, traceId: string) => void;
  /** Aborts when the server stops. */
  stopping: AbortSignal;
}

/** Facts that the host of a server knows about one request. */
export interface ServerCall {
  /** Trace id, 32 hex digits. */
  traceId: string;
  /** The caller; absent for the operator of the server. */
  caller?: Caller;
  /** Path at which the service is mounted: `/a2a/writer`, or empty. */
  basePath: string;
}
