// An error of A2A as the status that ends a call: specification 1.0, section 10.6.
import { ConnectError } from "@connectrpc/connect";
import type { JsonObject } from "../../../core/json.ts";
import { shorten } from "../../../core/shorten.ts";
import { detailsOf } from "../error-details.ts";
import { nameOfError } from "../error-names.ts";
import { statusOf, type A2aError, type PatchLevel } from "../errors.ts";
import type { A2aVersion } from "../service.ts";
import { encodeDetail } from "./status-details.ts";

/** Characters of a message: a status travels in the trailers, of which many clients accept 8 KB in all. */
const MAX_MESSAGE_CHARS = 1000;
const MAX_DETAILS_BYTES = 4096;

const MAX_VIOLATIONS = 20;

/** Leaves out what is too much for a status, the ErrorInfo last. The SDKs of 0.3 look for the error's name in the message. */
export function writeStatus(error: A2aError, version: A2aVersion, patch: PatchLevel): ConnectError {
  const { grpc } = statusOf(error.reason, patch);
  // A message may repeat half a character that a client sent, which could not be encoded.
  const message = shorten(error.message, MAX_MESSAGE_CHARS).toWellFormed();
  const name = version === "0.3" ? nameOfError(error.reason) : undefined;
  const status = new ConnectError(name === undefined ? message : `${name}: ${message}`, grpc);
  let left = MAX_DETAILS_BYTES;
  for (const detail of detailsOf(error).toSorted(infoFirst)) {
    const encoded = encodeDetail(withFewViolations(detail));
    if (!encoded || encoded.value.byteLength > left) continue;
    left -= encoded.value.byteLength;
    status.details.push(encoded);
  }
  return status;
}

function infoFirst(one: JsonObject, other: JsonObject): number {
  return Number(isInfo(other)) - Number(isInfo(one));
}

function isInfo({ "@type": type }: JsonObject): boolean {
  return typeof type === "string" && type.endsWith("google.rpc.ErrorInfo");
}

function withFewViolations(detail: JsonObject): JsonObject {
  const { fieldViolations } = detail;
  return Array.isArray(fieldViolations)
    ? { ...detail, fieldViolations: fieldViolations.slice(0, MAX_VIOLATIONS) }
    : detail;
}
