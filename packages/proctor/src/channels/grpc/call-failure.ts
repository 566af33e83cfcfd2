// How a call to a server went wrong where no status of gRPC says it: the connection broke, or something else answers there. What statuses mean
// is for the protocols to say.
import { Code, ConnectError } from "@connectrpc/connect";
import { failure, type Failure, type FailureCode } from "../../core/failure.ts";
import { troubleOf } from "../http/trouble.ts";
import { TlsTrouble } from "./secure-socket.ts";

const MAX_MESSAGE_CHARS = 1000;

export function unreachable(origin: string, problem: unknown): Failure {
  if (problem instanceof TlsTrouble) {
    const { kind, code, message } = problem.trouble;
    return failure(kind === "unreachable" ? "UNREACHABLE" : "TLS_FAILED", `${origin} ${message}`, {
      reason: code,
    });
  }
  const reason = nodeCode(problem);
  const details = reason === undefined ? undefined : { reason };
  return failure("UNREACHABLE", `${origin} cannot be reached: ${messageOf(problem)}`, details);
}

/** The failure that a broken connection means, or a peer that does not speak gRPC: told apart by the library's messages. */
export function brokenCall(error: ConnectError, origin: string): Failure {
  const text = messageOf(error);
  const seen = (code: FailureCode, message: string): Failure => {
    const reason = nodeCode(error);
    return failure(code, `${origin} ${message}`, reason === undefined ? undefined : { reason });
  };
  const status = httpStatusOf(error);
  if (status !== undefined) {
    return failure("HTTP_ERROR", `${origin} answered with HTTP ${status} and no gRPC status`, { status });
  }
  if (text.startsWith("unsupported content type"))
    return seen("WRONG_CONTENT_TYPE", `does not speak gRPC: ${text}`);
  // HTTP/2's promise that nothing was done yet.
  if (text.includes("REFUSED_STREAM")) return seen("UNREACHABLE", "refused the call");
  if (/^http\/2 |missing status/.test(text)) return seen("CONNECTION_LOST", `broke off: ${text}`);
  if (error.code === Code.ResourceExhausted) return seen("INVALID_RESPONSE", `sent too much: ${text}`);
  const reason = nodeCode(error);
  // TLS 1.3 tells a client that its certificate is missing only after the handshake.
  const trouble =
    reason === undefined ? undefined : troubleOf({ code: reason, name: "", message: "" }, "sent");
  if (trouble?.kind === "tls") return seen("TLS_FAILED", trouble.message);
  if (reason === "ERR_HTTP2_ERROR") return seen("INVALID_RESPONSE", `does not speak HTTP/2: ${text}`);
  if (reason !== undefined) return seen("CONNECTION_LOST", `broke off: ${text}`);
  return seen("INVALID_RESPONSE", `broke the rules of gRPC: ${text}`);
}

/** A status of gRPC came from the other end. */
export function isSaid(error: ConnectError): boolean {
  return error.metadata.has("grpc-status");
}

/** The status of an HTTP server that says nothing in gRPC. */
export function httpStatusOf(error: ConnectError): number | undefined {
  const [, status] = /^HTTP (\d{3})$/.exec(error.rawMessage) ?? [];
  return status === undefined ? undefined : Number(status);
}

export function messageOf(problem: unknown): string {
  const text =
    problem instanceof ConnectError ? problem.rawMessage : problem instanceof Error ? problem.message : "";
  // Whole or not at all: half a secret would not be recognised.
  return text.length > MAX_MESSAGE_CHARS ? `(${text.length} characters)` : text;
}

/** The system's word for it, somewhere down the chain of causes. */
export function nodeCode(problem: unknown): string | undefined {
  for (let error = problem, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth++) {
    if ("code" in error && typeof error.code === "string") return error.code;
  }
  return undefined;
}
