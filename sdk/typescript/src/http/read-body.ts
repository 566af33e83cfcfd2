// Reads the body of an HTTP request, up to the limit of a message.
import type { IncomingMessage } from "node:http";
import { MAX_MESSAGE_BYTES } from "../protocol/messages.ts";

/** Returns null when the body is too large. Rejects when the client goes away. */
export async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  if (Number(request.headers["content-length"] ?? 0) > MAX_MESSAGE_BYTES) return null;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_MESSAGE_BYTES) {
        chunks.length = 0;
        resolve(null);
      } else chunks.push(chunk);
    });
    request.once("end", () => resolve(Buffer.concat(chunks)));
    request.once("error", reject);
    request.once("close", () => reject(new Error("the client went away")));
  });
}
