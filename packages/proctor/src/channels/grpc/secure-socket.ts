// The socket of a connection to a gRPC server over TLS, which has to agree on HTTP/2.
import { isIP, type Socket } from "node:net";
import { connect } from "node:tls";
import type { TlsIdentity } from "../http/client.ts";
import { troubleOf, type HttpTrouble } from "../http/trouble.ts";

/** Why no connection over TLS came about. */
export class TlsTrouble extends Error {
  readonly trouble: HttpTrouble;

  constructor(trouble: HttpTrouble) {
    super(trouble.message);
    this.trouble = trouble;
  }
}

interface SecureSocketOptions {
  host: string;
  port: number;
  tls: TlsIdentity;
}

/** `onTrouble` is called with what the handshake failed for, before the socket says so itself. */
export function openSecureSocket(
  { host, port, tls }: SecureSocketOptions,
  onTrouble: (trouble: TlsTrouble) => void,
): Socket {
  let isHandshaking = false;
  const socket = connect({
    host,
    port,
    ...tls,
    ALPNProtocols: ["h2"],
    // Addresses are no names.
    ...(isIP(host) === 0 && { servername: host }),
  });
  socket.once("connect", () => (isHandshaking = true));
  socket.once("error", (error: NodeJS.ErrnoException) => {
    if (isHandshaking) onTrouble(new TlsTrouble(troubleOf(error, "handshaking")));
  });
  socket.once("secureConnect", () => {
    isHandshaking = false;
    if (socket.alpnProtocol === "h2") return;
    const message = "speaks TLS, and not HTTP/2 over it";
    onTrouble(new TlsTrouble({ kind: "malformed", code: "NO_HTTP2", message }));
    // Not before HTTP/2 has taken the socket in the same moment: taking one that is gone ends the process.
    setImmediate(() => socket.destroy());
  });
  return socket;
}
