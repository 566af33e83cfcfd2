// How a client shows who it is. Whether a server may see it at all is decided before (card/trusted-hosts.ts).
import type { TlsIdentity } from "../../../../channels/http/client.ts";

export interface ClientAuth {
  /** Adds the credentials to a request. Rejects with an A2aError where none can be obtained. */
  apply(request: { url: URL; headers: Record<string, string> }, signal: AbortSignal): Promise<void>;
  /** Called when the server refused the credentials with 401. Returns true where others can be obtained, so that the request is worth another try. */
  renew(): boolean;
  /** Client certificate and trusted certificates, for connections to this server only. */
  readonly tls?: TlsIdentity;
}

/** Sends no credentials. */
export const ANONYMOUS: ClientAuth = {
  apply: () => Promise.resolve(),
  renew: () => false,
};
