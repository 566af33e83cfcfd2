// What can go wrong between a request and the end of its answer, and which of it an error of Node's is.

export interface HttpTrouble {
  kind: TroubleKind;
  /** The system's code: ECONNREFUSED, DEPTH_ZERO_SELF_SIGNED_CERT, HPE_HEADER_OVERFLOW. */
  code: string;
  /** Continues a sentence about the server: "refused the connection". */
  message: string;
}

export type TroubleKind =
  /** The request cannot be sent at all: a header with a line break, an impossible port. */
  | "unsendable"
  /** No connection came about, so nothing was sent. */
  | "unreachable"
  /** The server's certificate or its TLS was refused, by us or by it. */
  | "tls"
  /** The connection broke after the request was sent. */
  | "lost"
  /** The answer is not HTTP, or has more headers than allowed. */
  | "malformed"
  /** This side closed the connection. */
  | "closed";

/** How far a request got. */
export type Stage = "connecting" | "handshaking" | "sent";

export const CLOSED: HttpTrouble = { kind: "closed", code: "CLOSED", message: "was left by us" };

export function troubleOf(error: NodeJS.ErrnoException, stage: Stage): HttpTrouble {
  const code = error.code ?? "UNKNOWN";
  if (code.startsWith("HPE_")) return { kind: "malformed", code, message: describeParserError(code) };
  switch (stage) {
    case "connecting":
      return { kind: "unreachable", code, message: CONNECT_FAILURES[code] ?? `cannot be reached (${code})` };
    case "handshaking":
      // A hang-up says nothing about certificates: the server, or something before it, may be starting.
      return isHangUp(error)
        ? { kind: "unreachable", code, message: "hung up during the TLS handshake" }
        : { kind: "tls", code, message: describeTlsError(code) };
    case "sent":
      // TLS 1.3 tells a client that its certificate is missing only after the handshake.
      return TLS_ALERT.test(code)
        ? { kind: "tls", code, message: describeTlsError(code) }
        : { kind: "lost", code, message: "broke off the connection" };
  }
}

export function connectTimeout(stage: Stage, ms: number): HttpTrouble {
  const what = stage === "handshaking" ? "did not finish the TLS handshake" : "did not accept the connection";
  return { kind: "unreachable", code: "ETIMEDOUT", message: `${what} within ${ms / 1000} s` };
}

export function unsendable(cause: unknown): HttpTrouble {
  const { code = "UNKNOWN" } = cause as NodeJS.ErrnoException;
  // Node's message quotes the header's value in some versions, and that may be a secret.
  const what = code === "ERR_INVALID_CHAR" ? "a header has a character that HTTP cannot carry" : code;
  return { kind: "unsendable", code, message: `cannot be asked: ${what}` };
}

/** The other side went away without a word about why. */
export function isHangUp({ code }: NodeJS.ErrnoException): boolean {
  return code === "ECONNRESET" || code === "EPIPE";
}

const TLS_ALERT = /^ERR_SSL_.*ALERT/;

const CONNECT_FAILURES: Record<string, string> = {
  ECONNREFUSED: "refused the connection: nothing listens there",
  ENOTFOUND: "has a name that nobody knows",
  EAI_AGAIN: "has a name that cannot be looked up now",
  EHOSTUNREACH: "cannot be reached from here",
  ENETUNREACH: "cannot be reached from here",
  ETIMEDOUT: "did not accept the connection in time",
  NOT_PUBLIC: "is not at a public address, and PROCTOR_AGENT_HOSTS (agent_hosts) does not name it",
};

function describeTlsError(code: string): string {
  if (code.includes("SELF_SIGNED")) return "has a self-signed certificate";
  if (code === "CERT_HAS_EXPIRED") return "has a certificate that has expired";
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return "has a certificate for another name";
  if (code === "EPROTO" || code.includes("WRONG_VERSION_NUMBER")) return "does not speak TLS";
  return `failed in TLS (${code})`;
}

function describeParserError(code: string): string {
  if (code === "HPE_HEADER_OVERFLOW") return "sent more headers than allowed";
  return `sent something that is not HTTP (${code})`;
}
