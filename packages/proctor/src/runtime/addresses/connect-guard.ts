// Applies the rules of endpoint-guard.ts to connections to endpoints that others have named, each time one is made.
import { isIP, type LookupFunction } from "node:net";
import { createGuardedLookup, type LookupAll } from "./guarded-lookup.ts";
import { isAllowedHost } from "./endpoint-guard.ts";
import { isLoopback } from "./is-loopback.ts";
import { isPublicAddress } from "./public-address.ts";

interface ConnectGuardOptions {
  /** The address that the hub is bound to. */
  hubHost: string;
  /** Private hosts that may be reached nevertheless, as `name` or `name:port`. */
  allowHosts: readonly string[];
  /** Resolves host names in place of the system's resolver. */
  lookup?: LookupAll;
}

/** Returns how the host of a URL is resolved; undefined for a host that may be reached at any address. */
export type ConnectGuard = (url: URL) => { lookup: LookupFunction } | { refused: string } | undefined;

export function createConnectGuard({ hubHost, allowHosts, lookup }: ConnectGuardOptions): ConnectGuard {
  const guarded = createGuardedLookup(notPublic, lookup);
  return (url) => {
    if (isLoopback(hubHost) || isAllowedHost(url, allowHosts)) return undefined;
    const bare = url.hostname.replace(/^\[(.*)\]$/, "$1");
    if (isIP(bare) === 0) return { lookup: guarded };
    return isPublicAddress(bare) ? undefined : { refused: notPublic(bare) };
  };
}

function notPublic(host: string): string {
  return `${host} is not a public address`;
}
