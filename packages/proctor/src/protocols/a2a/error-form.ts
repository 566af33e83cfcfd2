// Errors as JSON-RPC and HTTP+JSON write them, in both versions, and back. A peer's error is told by its code or by the reason of its
// ErrorInfo, never by its status alone: many errors share one.
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { detailsOf, readDetails } from "./error-details.ts";
import { namedError, nameOfError } from "./error-names.ts";
import {
  A2aError,
  errorOfCode,
  statusOf,
  type A2aErrorOptions,
  type A2aReason,
  type PatchLevel,
} from "./errors.ts";
import type { A2aVersion } from "./service.ts";

/** Returns an error object of JSON-RPC. In 0.3 `data` is free: what a peer sent stays, and ours says the same as in 1.0. */
export function writeRpcError(error: A2aError, version: A2aVersion): JsonObject {
  const { data } = error.options;
  const free = version === "0.3" && data !== undefined;
  return { code: error.code, message: error.message, data: free ? data : detailsOf(error) };
}

export function readRpcError(value: Json): A2aError {
  const { code, message, data } = isJsonObject(value) ? value : {};
  const { reason, options } = readDetails(data);
  const known = typeof code === "number" ? errorOfCode(code) : undefined;
  return peerError(reason ?? known ?? "INTERNAL", message, {
    ...options,
    ...(typeof code === "number" && known === undefined && { code }),
  });
}

export interface HttpError {
  status: number;
  body: JsonObject;
}

/** Returns the answer of HTTP+JSON: google.rpc.Status in 1.0; in 0.3, which has no rule, JSON-RPC's error and its name, as its SDKs look for them. */
export function writeHttpError(error: A2aError, version: A2aVersion, patch: PatchLevel): HttpError {
  const { status, grpcName } = statusOf(error.reason, patch);
  if (version === "0.3") {
    const type = nameOfError(error.reason);
    return { status, body: { ...(type !== undefined && { type }), ...writeRpcError(error, version) } };
  }
  const { message } = error;
  return { status, body: { error: { code: status, status: grpcName, message, details: detailsOf(error) } } };
}

/** Reasons by HTTP status, which hold for the connection whatever the protocol above it. */
const BY_STATUS: ReadonlyMap<number, A2aReason> = new Map([
  [401, "UNAUTHENTICATED"],
  [403, "PERMISSION_DENIED"],
  [429, "RESOURCE_EXHAUSTED"],
  [503, "UNAVAILABLE"],
]);

/** `body` is undefined where it was not JSON. */
export function readHttpError(status: number, body: Json | undefined): A2aError {
  const object = isJsonObject(body) ? body : {};
  const inner = isJsonObject(object["error"]) ? object["error"] : object;
  const { code, type, message, details, data } = inner;
  const read = readDetails(details ?? data);
  const known = typeof code === "number" ? errorOfCode(code) : undefined;
  const named = typeof type === "string" ? namedError(type)?.reason : undefined;
  const told = read.reason ?? known ?? named ?? (read.options.fields ? "INVALID_PARAMS" : undefined);
  return peerError(
    told ?? BY_STATUS.get(status) ?? "INTERNAL",
    message ?? `HTTP status ${status}`,
    read.options,
  );
}

function peerError(reason: A2aReason, message: Json | undefined, options: A2aErrorOptions): A2aError {
  return new A2aError(reason, typeof message === "string" && message !== "" ? message : undefined, options);
}
