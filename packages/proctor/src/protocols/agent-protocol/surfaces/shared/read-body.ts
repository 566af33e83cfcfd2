// Reads a request's JSON object without trusting it. No body at all is an empty object: official clients announce JSON and send
// nothing.
import { ProctorError } from "../../../../core/errors.ts";
import { isTooDeep, MAX_JSON_DEPTH } from "../../../../core/json-depth.ts";
import { refuseInexactNumbers } from "../../../../core/json-numbers.ts";
import { isJsonObject, type JsonObject } from "../../../../core/json.ts";

export const MAX_BODY_BYTES = 10 * 1024 * 1024;
const UTF8 = new TextDecoder("utf-8", { fatal: true });
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/** Throws UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE or INVALID_REQUEST. */
export async function readBody(request: Request): Promise<JsonObject> {
  const bytes = await readBytes(request);
  if (bytes.byteLength === 0) return {};
  if (!JSON_TYPE.test(request.headers.get("content-type") ?? "")) {
    throw new ProctorError(
      "UNSUPPORTED_MEDIA_TYPE",
      "the body must be JSON\nsend it with the header Content-Type: application/json",
    );
  }
  const value = parse(bytes);
  if (value === undefined) return {};
  if (isJsonObject(value)) return value;
  throw new ProctorError("INVALID_REQUEST", "the body must be a JSON object");
}

async function readBytes(request: Request): Promise<Uint8Array> {
  const declared = request.headers.get("content-length");
  if (Number(declared) > MAX_BODY_BYTES) throw tooLarge();
  try {
    // With a length, the server itself stops at it.
    return declared === null ? await readChunks(request.body) : new Uint8Array(await request.arrayBuffer());
  } catch (cause) {
    if (ProctorError.is(cause)) throw cause;
    throw new ProctorError("INVALID_REQUEST", "the body was cut off before its end", { cause });
  }
}

async function readChunks(body: ReadableStream<Uint8Array> | null): Promise<Uint8Array> {
  if (body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > MAX_BODY_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

function parse(bytes: Uint8Array): unknown {
  try {
    const text = UTF8.decode(bytes);
    if (text.trim() === "") return undefined;
    if (!isTooDeep(text)) {
      const value = JSON.parse(text) as unknown;
      refuseInexactNumbers(text);
      return value;
    }
  } catch (error) {
    if (ProctorError.is(error)) throw error;
    // The engine's message quotes the body, which may hold secrets.
    throw new ProctorError("INVALID_REQUEST", "the body is not valid JSON in UTF-8");
  }
  throw new ProctorError("INVALID_REQUEST", `the body is nested deeper than ${MAX_JSON_DEPTH}`);
}

function tooLarge(): ProctorError {
  return new ProctorError("PAYLOAD_TOO_LARGE", `the body is larger than ${MAX_BODY_BYTES} bytes`);
}
