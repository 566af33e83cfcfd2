// How a client shows who it is. Whether a server may see it at all is decided before (card/trusted-hosts.ts).
import type { TlsIdentity } from "../../../../channels/http/client.ts";

export interface ClientAuth {
  /** Adds the credentials to a request. Rejects with an A2aError where there are none to be had. */
  apply(request: { url: URL; headers: Record<string, string> }, signal: AbortSignal): Promise<void>;
  /** The server refused the credentials with 401. True where other ones may be had, and the request is worth another try. */
  renew(): boolean;
  /** For connections to this server only. */
  readonly tls?: TlsIdentity;
}

/** Nobody in particular. */
export const ANONYMOUS: ClientAuth = {
  apply: () => Promise.resolve(),
  renew: () => false,
};
