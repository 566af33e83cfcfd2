// Reads a JSON body without trusting it: media type, size while reading, encoding, syntax, nesting.
import { ProctorError } from "../core/errors.ts";
import { isTooDeep } from "../core/json-depth.ts";
import { refuseInexactNumbers } from "../core/json-numbers.ts";

export const DEFAULT_BODY_LIMIT_BYTES = 1024 * 1024;

/** Deeper documents would overflow the stack of whoever serialises them later. */
const MAX_DEPTH = 100;
const UTF8 = new TextDecoder("utf-8", { fatal: true });
const JSON_TYPE = /^application\/json\s*(?:;|$)/i;

/** The parsed body. Throws UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE or INVALID_REQUEST. */
export async function readJson(request: Request, limitBytes: number): Promise<unknown> {
  requireJson(request);
  const bytes = await readBytes(request, limitBytes);
  if (bytes.byteLength === 0)
    throw new ProctorError("INVALID_REQUEST", "the body is empty; send a JSON object");
  return parseJson(bytes);
}

/** The same where a body may be left out: undefined then. */
export async function readOptionalJson(request: Request, limitBytes: number): Promise<unknown> {
  const bytes = await readBytes(request, limitBytes);
  if (bytes.byteLength === 0) return undefined;
  requireJson(request);
  return parseJson(bytes);
}

/** A form or plain text is what other sites can post without asking; JSON is not. */
function requireJson(request: Request): void {
  if (JSON_TYPE.test(request.headers.get("content-type") ?? "")) return;
  throw new ProctorError(
    "UNSUPPORTED_MEDIA_TYPE",
    "the body must be JSON\nsend it with the header Content-Type: application/json",
  );
}

async function readBytes(request: Request, limitBytes: number): Promise<Uint8Array> {
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > limitBytes) throw tooLarge(limitBytes);
  try {
    // With a length, Node itself stops at it, and the adapter reads without building a web stream.
    const bytes =
      declared === null
        ? await readChunks(request.body, limitBytes)
        : new Uint8Array(await request.arrayBuffer());
    if (bytes.byteLength > limitBytes) throw tooLarge(limitBytes);
    return bytes;
  } catch (cause) {
    if (ProctorError.is(cause)) throw cause;
    throw new ProctorError("INVALID_REQUEST", "the body was cut off before its end", { cause });
  }
}

async function readChunks(body: ReadableStream<Uint8Array> | null, limitBytes: number): Promise<Uint8Array> {
  if (body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > limitBytes) throw tooLarge(limitBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    const text = UTF8.decode(bytes);
    if (!isTooDeep(text, MAX_DEPTH)) {
      const value = JSON.parse(text) as unknown;
      refuseInexactNumbers(text);
      return value;
    }
  } catch (error) {
    if (ProctorError.is(error)) throw error;
    // The engine's message quotes the body, which may hold secrets.
    throw new ProctorError("INVALID_REQUEST", "the body is not valid JSON in UTF-8");
  }
  throw new ProctorError("INVALID_REQUEST", `the body is nested more than ${MAX_DEPTH} levels deep`);
}

function tooLarge(limitBytes: number): ProctorError {
  return new ProctorError("PAYLOAD_TOO_LARGE", `the body is larger than ${limitBytes} bytes`);
}
