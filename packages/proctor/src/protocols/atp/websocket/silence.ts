// Why a task over a WebSocket ended without a response, as a Failure.
import { failure, type Failure } from "../../../core/failure.ts";
import type { SocketConnectError } from "../../../channels/websocket/connect-error.ts";
import type { SocketEnd } from "../../../channels/websocket/wrap-socket.ts";

/** Returns the failure of a connection that could not be made. */
export function notConnected(error: SocketConnectError, url: string): Failure {
  const { kind, message, code, status, location } = error;
  const at = URL.canParse(url) ? new URL(url).host : "the agent";
  switch (kind) {
    case "unreachable":
    case "timeout":
    case "invalid":
      return failure(
        "UNREACHABLE",
        `no connection to ${at}: ${message}`,
        code === undefined ? undefined : { code },
      );
    case "tls":
      return failure(
        "TLS_FAILED",
        `no connection to ${at}: ${message}`,
        code === undefined ? undefined : { code },
      );
    case "redirect":
      return failure("REDIRECTED", `${at} answered with a redirect, which is not followed`, {
        status,
        location,
      });
    case "status":
      return failure("HTTP_ERROR", `${at} answered with HTTP status ${status} instead of a WebSocket`, {
        status,
      });
    case "no-subprotocol":
    case "wrong-subprotocol":
    case "handshake":
      return failure("INVALID_RESPONSE", `no WebSocket at ${at}: ${message}`);
    case "aborted":
      return failure("CANCELLED", "the run was cancelled before its task was sent");
  }
}

/** Closing codes of an agent that meant to leave: RFC 6455, 7.4.1; 1005 stands for no code. */
const CLEAN = new Set([1000, 1001, 1005]);

/** Returns the failure of a connection that ended or, without an end, of a task that was removed from it. */
export function notAnswered(end: SocketEnd | undefined): Failure {
  if (end === undefined) return failure("CANCELLED", "the run was ended before the agent answered");
  const { code, reason, fault } = end;
  const details = { close_code: code, ...(reason !== "" && { reason }) };
  if (fault !== undefined) {
    return failure("INVALID_RESPONSE", `the agent broke the rules of WebSocket: ${fault}`, details);
  }
  if (CLEAN.has(code)) {
    return failure("NO_RESPONSE", "the agent closed the connection without a response", details);
  }
  const how = code === 1006 ? "without a word" : `with code ${code}`;
  return failure("CONNECTION_LOST", `the connection ended ${how} before the agent answered`, details);
}
