// Answers to bytes that never become a request: a head that is too long, malformed or late. The app does not see it, and Node's own answers
// have no body; these have the form of all errors.
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { ProctorError, type ErrorCode } from "../../core/errors.ts";

/** Answers a request whose target or Host header does not form a URL. */
export function unreadableRequest(): Response {
  const { status, body } = refusal("INVALID_REQUEST", "the request's target or Host header is malformed");
  return new Response(body, { status, headers: { "content-type": "application/json" } });
}

/** Answers instead of Node, whose answers would have no body. */
export function answerUnreadable(server: Server): void {
  const answers = new WeakMap<Duplex, ServerResponse>();
  server.on("request", (incoming: IncomingMessage, outgoing: ServerResponse) => {
    answers.set(incoming.socket, outgoing);
  });
  server.on("clientError", (cause: NodeJS.ErrnoException, socket: Duplex) => {
    const current = answers.get(socket);
    // In the middle of an answer, whatever is written now would look like a part of it.
    const midAnswer = current?.headersSent === true && !current.writableFinished;
    if (cause.code === "ECONNRESET" || !socket.writable || midAnswer) return void socket.destroy();
    const [code, message] = REASONS[cause.code ?? ""] ?? MALFORMED;
    socket.end(head(refusal(code, message)));
  });
}

const REASONS: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  HPE_HEADER_OVERFLOW: ["HEADERS_TOO_LARGE", "the request's headers are longer than the limit"],
  ERR_HTTP_REQUEST_TIMEOUT: ["REQUEST_TIMEOUT", "the request did not arrive in time"],
};
const MALFORMED = ["INVALID_REQUEST", "the request is not valid HTTP"] as const;

function refusal(code: ErrorCode, message: string): { status: number; body: string } {
  const { status } = new ProctorError(code, message);
  return { status, body: JSON.stringify({ error: STATUS_CODES[status], code, message }) };
}

function head({ status, body }: { status: number; body: string }): string {
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
    "",
    body,
  ].join("\r\n");
}
