// RFC 6455, section 4.2: the request that opens a socket, and the answer to it.
import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isForeignOrigin } from "../http/origin.ts";

const SUBPROTOCOL = "atp.v1";

/** Constant that section 1.3 defines for every handshake. */
const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** Returns the text to answer with, and whether it opens a socket. */
export function answerHandshake({ headers, method }: IncomingMessage): { accepted: boolean; answer: string } {
  const key = headers["sec-websocket-key"] ?? "";
  const offered = headers["sec-websocket-protocol"]?.split(",").map((name) => name.trim());
  if (method !== "GET" || Buffer.from(key, "base64").length !== 16 || !/^[A-Za-z0-9+/]{22}==$/.test(key)) {
    return refusal("400 Bad Request", "This is no WebSocket handshake");
  }
  if (headers["sec-websocket-version"] !== "13") {
    return refusal("426 Upgrade Required", "Only version 13 is understood", "Sec-WebSocket-Version: 13\r\n");
  }
  if (isForeignOrigin(headers.origin)) return refusal("403 Forbidden", "Not from another site");
  if (offered && !offered.includes(SUBPROTOCOL))
    return refusal("400 Bad Request", `The subprotocol is ${SUBPROTOCOL}`);
  const accept = createHash("sha1")
    .update(key + GUID)
    .digest("base64");
  const lines = [
    "HTTP/1.1 101 Switching Protocols",
    "Upgrade: websocket",
    "Connection: Upgrade",
    `Sec-WebSocket-Accept: ${accept}`,
    ...(offered ? [`Sec-WebSocket-Protocol: ${SUBPROTOCOL}`] : []),
  ];
  return { accepted: true, answer: `${lines.join("\r\n")}\r\n\r\n` };
}

export function refusal(status: string, why: string, header = ""): { accepted: false; answer: string } {
  const body = JSON.stringify({ error: why });
  return {
    accepted: false,
    answer:
      `HTTP/1.1 ${status}\r\nConnection: close\r\n${header}Content-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`,
  };
}
