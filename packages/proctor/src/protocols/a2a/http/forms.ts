// Which JSON a version has in a binding: its codec and its errors. Version 0.3 writes HTTP+JSON as ProtoJSON, and JSON-RPC in its own way.
import { isJsonObject } from "../../../core/json.ts";
import type { A2aCodec } from "../codec.ts";
import { codecOf } from "../codecs.ts";
import { writeHttpError, type HttpError } from "../error-form.ts";
import type { A2aError, PatchLevel } from "../errors.ts";
import type { A2aVersion } from "../service.ts";
import type { HttpBinding } from "./serving.ts";

/** Loads the reader of the .proto only with the first request that needs it. */
export async function codecFor(version: A2aVersion, binding: HttpBinding): Promise<A2aCodec> {
  if (version !== "0.3" || binding === "JSONRPC") return codecOf(version);
  return (await import("../grpc/proto-json-0_3.ts")).protoJson03;
}

/** `status` is HTTP's own, where it differs from A2A's table. */
export function httpError(
  error: A2aError,
  version: A2aVersion,
  patch: PatchLevel,
  status?: number,
): HttpError {
  const written = writeHttpError(error, version, patch);
  if (status === undefined || status === written.status) return written;
  const { error: inner, ...rest } = written.body;
  return {
    status,
    body: isJsonObject(inner) ? { ...rest, error: { ...inner, code: status } } : written.body,
  };
}
