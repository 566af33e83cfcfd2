// One request of a client, passed on to the address it may go to, and its answer, passed back. What concerns only one of the two
// connections stays there.
import { request as send, type IncomingMessage, type ServerResponse } from "node:http";
import { pipeline } from "node:stream";
import { openTarget, type Destination } from "./open-target.ts";

const IDLE_MS = 300_000;
const MAX_HEADER_BYTES = 64 * 1024;

const ONE_CONNECTION = new Set([
  "connection",
  "expect",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

export function passRequest(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  destination: Destination,
): void {
  const upstream = send({
    method: request.method,
    path: `${url.pathname}${url.search}`,
    headers: {
      ...passedOn(request),
      // The request names the allowed host, whatever the client's own header says.
      host: url.host,
      ...(request.headers["transfer-encoding"] !== undefined && { "transfer-encoding": "chunked" }),
    },
    createConnection: () => openTarget(destination),
    maxHeaderSize: MAX_HEADER_BYTES,
  });

  function fail(error: Error): void {
    if (response.headersSent) return void response.destroy();
    const why = "code" in error && typeof error.code === "string" ? error.code : error.message;
    response.writeHead(502, { "content-type": "text/plain; charset=utf-8", connection: "close" });
    response.end(`${url.host} does not answer: ${why}\n`);
  }

  upstream.setTimeout(IDLE_MS, () => upstream.destroy(new Error("nothing came for too long")));
  upstream.once("error", fail);
  upstream.once("response", (answer) => {
    try {
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, passedOn(answer));
    } catch (error) {
      // The head of the answer is invalid.
      upstream.destroy();
      return fail(error instanceof Error ? error : new Error("its answer cannot be passed on"));
    }
    pipeline(answer, response, () => {});
  });
  response.once("close", () => upstream.destroy());
  pipeline(request, upstream, () => {});
}

function passedOn({ headersDistinct, headers }: IncomingMessage): Record<string, string | string[]> {
  const named = new Set((headers.connection ?? "").split(",").map((name) => name.trim().toLowerCase()));
  const kept: Record<string, string | string[]> = {};
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    if (ONE_CONNECTION.has(name) || named.has(name)) continue;
    const [first = ""] = values;
    kept[name] = values.length === 1 ? first : values;
  }
  return kept;
}
