// Why no connection came about, told apart by who is to blame: the network, the certificate, or what answered.

export type ConnectFailure =
  /** Refused, reset, no route, or the name is not known; `code` says which. */
  | "unreachable"
  | "timeout"
  | "tls"
  | "redirect"
  /** An HTTP status where a WebSocket should have begun. */
  | "status"
  /** The server chose none of the offered subprotocols. */
  | "no-subprotocol"
  /** The server chose a subprotocol that was not offered. */
  | "wrong-subprotocol"
  /** The server answered with something that is no handshake. */
  | "handshake"
  /** The address or a header cannot be used. */
  | "invalid"
  | "aborted";

export class SocketConnectError extends Error {
  readonly kind: ConnectFailure;
  /** Code of the system or of the TLS library: `ECONNREFUSED`. */
  readonly code: string | undefined;
  readonly status: number | undefined;
  readonly location: string | undefined;

  constructor(
    kind: ConnectFailure,
    message: string,
    more: { code?: string; status?: number; location?: string; cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = "SocketConnectError";
    this.kind = kind;
    this.code = more.code;
    this.status = more.status;
    this.location = more.location;
  }
}

const NETWORK: Record<string, string> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was closed before the handshake was done",
  EPIPE: "the connection was closed before the handshake was done",
  ENOTFOUND: "the host's name is not known",
  EAI_AGAIN: "the host's name could not be looked up",
  EHOSTUNREACH: "there is no route to the host",
  ENETUNREACH: "there is no route to the host",
  ETIMEDOUT: "the host does not answer",
};

const TLS =
  /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|EPROTO$|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH$|INVALID_CA$|INVALID_PURPOSE$)/;

/** Node's error of a connection that failed before any answer could be read. */
export function networkError(cause: Error & { code?: string }): SocketConnectError {
  const code = cause.code ?? "";
  const more = { cause, ...(code !== "" && { code }) };
  if (TLS.test(code)) return new SocketConnectError("tls", `TLS failed: ${cause.message}`, more);
  // The HTTP parser's own: what answered does not speak HTTP.
  if (code.startsWith("HPE_")) return new SocketConnectError("handshake", "the answer is not HTTP", more);
  return new SocketConnectError("unreachable", NETWORK[code] ?? cause.message, more);
}
