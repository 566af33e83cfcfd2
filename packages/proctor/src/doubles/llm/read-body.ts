// The body of a request, read without trusting it: as far as a limit, as UTF-8, as a JSON object that is not too deep.
import type { IncomingMessage } from "node:http";
import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { isTooDeep } from "../../core/json-depth.ts";
import { inexactProblem } from "../../core/json-numbers.ts";
import { ApiError } from "./api-error.ts";

export const MAX_BODY_BYTES = 8 * 1024 * 1024;
/** What is too large is still taken so far, and thrown away: a client that is sending does not read an answer. */
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024;

const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** Throws ApiError. `onBytes` is told what has to be kept in memory, and may throw. */
export async function readBody(
  incoming: IncomingMessage,
  signal: AbortSignal,
  onBytes: (count: number) => void,
): Promise<JsonObject> {
  // Who sends slowly does not hold up the end.
  const cut = (): void => void incoming.destroy();
  signal.addEventListener("abort", cut, { once: true });
  try {
    return parse(await readBytes(incoming, onBytes));
  } finally {
    signal.removeEventListener("abort", cut);
  }
}

async function readBytes(incoming: IncomingMessage, onBytes: (count: number) => void): Promise<Buffer> {
  let chunks: Buffer[] = [];
  let size = 0;
  let refused: unknown;
  try {
    // The connection must survive, or nobody reads why.
    for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
      // Without an encoding, chunks are buffers.
      const bytes = chunk as Buffer;
      size += bytes.length;
      if (size > MAX_DISCARDED_BYTES) break;
      if (refused !== undefined) continue;
      try {
        if (size > MAX_BODY_BYTES) throw tooLarge();
        onBytes(bytes.length);
        chunks.push(bytes);
      } catch (error) {
        refused = error;
        chunks = [];
      }
    }
  } catch {
    throw new ApiError(400, "the body was cut off before its end");
  }
  if (refused !== undefined) throw refused;
  return Buffer.concat(chunks, size);
}

function parse(bytes: Uint8Array): JsonObject {
  let body: unknown;
  try {
    const text = UTF8.decode(bytes);
    if (isTooDeep(text)) throw new ApiError(400, "the body is nested too deeply");
    body = JSON.parse(text) as unknown;
    const inexact = inexactProblem(text);
    if (inexact !== undefined) throw new ApiError(400, inexact);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    // The engine's message quotes the body, which may hold secrets.
    throw new ApiError(400, "the body is not valid JSON in UTF-8");
  }
  if (isJsonObject(body)) return body;
  throw new ApiError(400, "the body must be a JSON object");
}

function tooLarge(): ApiError {
  return new ApiError(413, `the body is larger than ${MAX_BODY_BYTES} bytes`, {
    headers: { connection: "close" },
  });
}
