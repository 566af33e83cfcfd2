// RFC 9110, section 7.8: a server may ignore an upgrade that it does not understand, and clients that offer HTTP/2 over plain
// HTTP count on it. Node detaches every such request from its HTTP server, so it is handed back without the offer.
import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";

const OFFER = /^(?:upgrade|connection|http2-settings)$/i;

export function ignoreUpgrade(
  server: Server,
  request: IncomingMessage,
  connection: Duplex,
  head: Buffer,
): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const [name = "", value = ""] = request.rawHeaders.slice(index, index + 2);
    if (!OFFER.test(name)) lines.push(`${name}: ${value}`);
  }
  connection.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]));
  server.emit("connection", connection);
}
