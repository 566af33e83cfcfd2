// What a request for a WebSocket must be before it is served: RFC 6455, 4.2, and who may ask.
import { ProctorError } from "../core/errors.ts";

/**
 * Returns the request as the auth policy should judge it. A socket can change things, so its Origin always counts, as that of a
 * POST does; and a browser cannot send headers with it, so its token may come in the query.
 */
export function judgedRequest(request: Request): Request {
  const headers = new Headers(request.headers);
  const token = new URL(request.url).searchParams.get("access_token");
  // Anything else cannot be a token, nor the value of a header.
  if (token !== null && !headers.has("authorization") && /^[\x21-\x7e]+$/.test(token)) {
    headers.set("authorization", `Bearer ${token}`);
  }
  return new Request(request.url, { method: "POST", headers });
}

/** Throws INVALID_REQUEST. */
export function checkHandshake({ method, headers }: Request): void {
  const key = headers.get("sec-websocket-key") ?? "";
  if (method !== "GET") throw malformed("a WebSocket begins with GET");
  if (!/^[+/0-9A-Za-z]{22}==$/.test(key)) throw malformed("Sec-WebSocket-Key is missing or malformed");
  if (headers.get("sec-websocket-version") !== "13") throw malformed("Sec-WebSocket-Version must be 13");
}

/** Returns the first of `known` that the client offers; undefined when it offers none at all. Throws INVALID_REQUEST. */
export function chooseProtocol({ headers }: Request, known: readonly string[]): string | undefined {
  const header = headers.get("sec-websocket-protocol");
  if (header === null) return undefined;
  const offered = new Set(header.split(",").map((name) => name.trim()));
  const chosen = known.find((name) => offered.has(name));
  if (chosen !== undefined) return chosen;
  throw malformed(`none of the offered subprotocols is spoken here\nspoken are: ${known.join(", ")}`);
}

function malformed(message: string): ProctorError {
  return new ProctorError("INVALID_REQUEST", message);
}
