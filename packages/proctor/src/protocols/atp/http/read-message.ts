// Reads the body of a request as JSON without trusting it: size while reading, encoding, nesting, syntax.
import { ProctorError } from "../../../core/errors.ts";
import type { Json } from "../../../core/json.ts";
import { isTooDeep, MAX_JSON_DEPTH } from "../../../core/json-depth.ts";
import { refuseInexactNumbers } from "../../../core/json-numbers.ts";

export const MAX_REQUEST_BYTES = 10 * 1024 * 1024;
const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** Throws PAYLOAD_TOO_LARGE or INVALID_REQUEST. */
export async function readMessage(request: Request): Promise<Json> {
  const bytes = await readBytes(request);
  let text;
  try {
    text = UTF8.decode(bytes);
  } catch {
    throw malformed("the body is not valid UTF-8");
  }
  if (text.trim() === "") throw malformed("the body is empty\nsend an ATP request");
  if (isTooDeep(text)) throw malformed(`the body is nested deeper than ${MAX_JSON_DEPTH}`);
  let message: Json;
  try {
    message = JSON.parse(text) as Json;
  } catch {
    // The engine's message quotes the body, which may hold secrets.
    throw malformed("the body is not valid JSON");
  }
  refuseInexactNumbers(text);
  return message;
}

async function readBytes(request: Request): Promise<Uint8Array> {
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > MAX_REQUEST_BYTES) throw tooLarge();
  try {
    // With a length, Node itself stops at it, and the adapter reads without building a web stream.
    return declared === null ? await readChunks(request.body) : new Uint8Array(await request.arrayBuffer());
  } catch (cause) {
    if (ProctorError.is(cause)) throw cause;
    throw new ProctorError("INVALID_REQUEST", "the body was cut off before its end", { cause });
  }
}

async function readChunks(body: ReadableStream<Uint8Array> | null): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_REQUEST_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

function tooLarge(): ProctorError {
  return new ProctorError("PAYLOAD_TOO_LARGE", `the body is larger than ${MAX_REQUEST_BYTES} bytes`);
}

function malformed(message: string): ProctorError {
  return new ProctorError("INVALID_REQUEST", message);
}
