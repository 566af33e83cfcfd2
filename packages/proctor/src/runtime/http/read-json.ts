// Reads the JSON body of a request, the same at every endpoint: which media types, how deep, which numbers. Only the size
// limit differs.
import { ProctorError } from "../../core/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { parseJson } from "../../core/parse-json.ts";
import { readBody, type ReadBodyOptions } from "./read-body.ts";

export interface ReadJsonOptions extends ReadBodyOptions {
  /** Whether JSON is accepted under any media type; only for endpoints that a web page of another site cannot reach. */
  anyType?: boolean;
  /** Parses the text instead of `parseJson`. Throws INVALID_REQUEST. */
  parse?: (bytes: Uint8Array) => Json;
}

const JSON_TYPE = /^application\/(?:[\w.!#$&^-]+\+)?json\s*(?:;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]+)/i;

/** Reads a JSON body. Throws UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, INVALID_REQUEST, or the signal's reason. */
export async function readJson(request: Request, options: ReadJsonOptions): Promise<Json> {
  // The type is checked before a large body is read.
  if (options.anyType !== true) requireJson(request.headers);
  const bytes = await readBody(request, options);
  if (isBlank(bytes)) throw new ProctorError("INVALID_REQUEST", "the body is empty; send a JSON object");
  return (options.parse ?? parseJson)(bytes);
}

/** Reads a JSON body that is optional; undefined when it is absent, whatever its media type. */
export async function readOptionalJson(
  request: Request,
  options: ReadJsonOptions,
): Promise<Json | undefined> {
  const bytes = await readBody(request, options);
  if (isBlank(bytes)) return undefined;
  if (options.anyType !== true) requireJson(request.headers);
  return parseJson(bytes);
}

/** Returns the body where it has to be an object. Throws INVALID_REQUEST. */
export function requireObject(body: Json): JsonObject {
  if (isJsonObject(body)) return body;
  throw new ProctorError("INVALID_REQUEST", "the body must be a JSON object");
}

/** Requires a JSON media type: browsers let other sites post forms and plain text without a preflight request, but not JSON. */
function requireJson(headers: Headers): void {
  const type = headers.get("content-type") ?? "";
  const [, charset = "utf-8"] = CHARSET.exec(type) ?? [];
  const encoding = headers.get("content-encoding") ?? "identity";
  if (JSON_TYPE.test(type) && /^utf-?8$/i.test(charset) && /^identity$/i.test(encoding)) return;
  throw new ProctorError(
    "UNSUPPORTED_MEDIA_TYPE",
    "the body must be JSON in UTF-8, uncompressed\nsend it with the header Content-Type: application/json",
  );
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d);
}
