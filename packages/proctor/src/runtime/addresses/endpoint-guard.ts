// Which endpoints others may name for the hub to connect to: public ones, those that the configuration allows, and any where the hub itself
// listens to this machine alone.
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { ProctorError } from "../../core/errors.ts";
import { isLoopback } from "./is-loopback.ts";
import { isPublicAddress } from "./public-address.ts";

interface EndpointGuardOptions {
  /** The address that the hub is bound to. */
  hubHost: string;
  /** Private hosts that may be reached nevertheless, as `name` or `name:port`. */
  allowHosts: readonly string[];
  /** Returns the addresses of a name; DNS when absent. */
  resolve?: (host: string) => Promise<readonly string[]>;
}

/** Throws FORBIDDEN for a private endpoint, and INVALID_REQUEST for one whose name has no address. */
export type EndpointGuard = (url: string) => Promise<void>;

export function createEndpointGuard({
  hubHost,
  allowHosts,
  resolve = addressesOf,
}: EndpointGuardOptions): EndpointGuard {
  return async (text) => {
    if (isLoopback(hubHost)) return;
    const url = new URL(text);
    if (isAllowedHost(url, allowHosts)) return;
    const host = url.hostname.toLowerCase();
    const bare = host.replace(/^\[(.*)\]$/, "$1");
    const addresses = isIP(bare) === 0 ? await resolve(bare) : [bare];
    if (addresses.length === 0) throw new ProctorError("INVALID_REQUEST", `the host ${host} has no address`);
    if (addresses.every(isPublicAddress)) return;
    throw new ProctorError(
      "FORBIDDEN",
      `${host} is not a public address\nadd it to PROCTOR_AGENT_HOSTS (agent_hosts in proctor.yaml) if agents may be there`,
      { details: { host } },
    );
  };
}

/** Returns whether the configuration allows agents at this host. */
export function isAllowedHost({ hostname, port }: URL, allowHosts: readonly string[]): boolean {
  const host = hostname.toLowerCase();
  return allowHosts.some((each) => each.toLowerCase() === host || each.toLowerCase() === `${host}:${port}`);
}

async function addressesOf(host: string): Promise<string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch {
    return [];
  }
}
