// Which JSON a version has in a binding: its codec and its errors. Version 0.3 writes HTTP+JSON as ProtoJSON, and JSON-RPC in its own way.
import type { JsonObject } from "../../../core/json.ts";
import type { A2aCodec } from "../codec.ts";
import { statusOf, type A2aError, type PatchLevel } from "../errors.ts";
import type { A2aVersion } from "../service.ts";
import type { HttpBinding } from "./serving.ts";

export function codecFor(version: A2aVersion, _binding: HttpBinding): A2aCodec {
  // Checked by nobody yet: the codecs of the versions take its place.
  return { version, ...AS_IT_IS } as A2aCodec;
}

const same = (value: unknown): unknown => value;
const second = (_operation: unknown, value: unknown): unknown => value ?? {};
const AS_IT_IS = {
  decodeRequest: second,
  encodeRequest: second,
  decodeResult: second,
  encodeResult: second,
  decodeFrame: same,
  encodeFrame: same,
  decodeCard: same,
  encodeCard: same,
};

export function jsonRpcError(error: A2aError, _version: A2aVersion): JsonObject {
  return { code: error.code, message: error.message, data: detailsOf(error) };
}

/** `status` is what HTTP itself says, where that differs from A2A's table. */
export function restError(
  error: A2aError,
  _version: A2aVersion,
  patch: PatchLevel,
  status?: number,
): JsonObject {
  const { status: own, grpcName } = statusOf(error.reason, patch);
  return {
    error: { code: status ?? own, status: grpcName, message: error.message, details: detailsOf(error) },
  };
}

function detailsOf({ reason, fields, options: { metadata, details = [] } }: A2aError): JsonObject[] {
  return [
    {
      "@type": "type.googleapis.com/google.rpc.ErrorInfo",
      reason,
      domain: "a2a-protocol.org",
      ...(metadata && { metadata: { ...metadata } }),
    },
    ...(fields.length === 0
      ? []
      : [{ "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations: [...fields] }]),
    ...details,
  ];
}
