// What errors carry beside code and message: objects of google.rpc, in ProtoJSON's form of `Any`, the same in JSON-RPC's `data`, in
// `details` of HTTP+JSON and in a status of gRPC. Specification 1.0, sections 9.5, 10.6 and 11.6.
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import {
  errorOfReason,
  type A2aError,
  type A2aErrorOptions,
  type A2aReason,
  type FieldViolation,
} from "./errors.ts";

const ERROR_DOMAIN = "a2a-protocol.org";
const ERROR_INFO = "type.googleapis.com/google.rpc.ErrorInfo";
const BAD_REQUEST = "type.googleapis.com/google.rpc.BadRequest";
const RETRY_INFO = "type.googleapis.com/google.rpc.RetryInfo";
const VALUE = "type.googleapis.com/google.protobuf.Value";

/** Keeps the details that a peer sent first and unchanged, and adds what they lack. */
export function detailsOf(error: A2aError): JsonObject[] {
  const { details = [], metadata, data, retryAfterSeconds } = error.options;
  const has = (type: string): boolean => details.some((detail) => detail["@type"] === type);
  const info = { reason: error.reason, domain: ERROR_DOMAIN, ...(metadata && { metadata: { ...metadata } }) };
  return [
    ...details,
    ...(has(ERROR_INFO) ? [] : [{ "@type": ERROR_INFO, ...info }]),
    ...(has(BAD_REQUEST) || error.fields.length === 0
      ? []
      : [{ "@type": BAD_REQUEST, fieldViolations: [...error.fields] }]),
    ...(has(RETRY_INFO) || retryAfterSeconds === undefined
      ? []
      : [{ "@type": RETRY_INFO, retryDelay: `${retryAfterSeconds}s` }]),
    ...(data === undefined ? [] : [{ "@type": VALUE, value: data }]),
  ];
}

export interface ReadDetails {
  /** The reason in an ErrorInfo of A2A; undefined where there is none, or an unknown one. */
  reason?: A2aReason;
  options: A2aErrorOptions;
}

/** `data` or `details` of a peer's error, whatever it is. */
export function readDetails(value: Json | undefined): ReadDetails {
  if (value == null) return { options: {} };
  if (!Array.isArray(value) || !value.every(isJsonObject)) return { options: { data: value } };
  const info = value.find((detail) => typeOf(detail) === ERROR_INFO && detail["domain"] === ERROR_DOMAIN);
  const reason = typeof info?.["reason"] === "string" ? errorOfReason(info["reason"]) : undefined;
  const metadata = textsOf(info?.["metadata"]);
  const fields = value.filter((detail) => typeOf(detail) === BAD_REQUEST).flatMap(violationsOf);
  const retryAfterSeconds = secondsOf(value.find((detail) => typeOf(detail) === RETRY_INFO)?.["retryDelay"]);
  return {
    ...(reason !== undefined && { reason }),
    options: {
      details: value,
      ...(fields.length > 0 && { fields }),
      ...(metadata && { metadata }),
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    },
  };
}

/** Returns the type without the prefix that `Any` has: peers write it with and without. */
function typeOf(detail: JsonObject): Json | undefined {
  const type = detail["@type"];
  return typeof type === "string" && !type.includes("/") ? `type.googleapis.com/${type}` : type;
}

function violationsOf({ fieldViolations }: JsonObject): FieldViolation[] {
  if (!Array.isArray(fieldViolations)) return [];
  return fieldViolations.filter(isJsonObject).map(({ field, description, ...rest }) => ({
    ...rest,
    field: typeof field === "string" ? field : "",
    description: typeof description === "string" ? description : "",
  }));
}

function textsOf(value: Json | undefined): Record<string, string> | undefined {
  if (!isJsonObject(value)) return undefined;
  const texts = Object.entries(value).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return Object.fromEntries(texts);
}

/** Reads a Duration of ProtoJSON, such as `1.5s`, in seconds. */
function secondsOf(delay: Json | undefined): number | undefined {
  const [, seconds] = typeof delay === "string" ? (/^(\d{1,12}(?:\.\d{1,9})?)s$/.exec(delay) ?? []) : [];
  return seconds === undefined ? undefined : Number(seconds);
}
