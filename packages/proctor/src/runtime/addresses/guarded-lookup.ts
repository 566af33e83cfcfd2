// Resolves names at the moment of a connection, and to public addresses alone: what is connected to is what was checked, whatever the name
// meant before.
import { lookup as dnsLookup, type LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { isPublicAddress } from "./public-address.ts";

export type LookupAll = (
  hostname: string,
  options: { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Code of the error for a name that leads to a private address. */
export const NOT_PUBLIC = "NOT_PUBLIC";

/** Creates a lookup; `explain` returns what is wrong with a private host. */
export function createGuardedLookup(
  explain: (hostname: string) => string,
  lookup: LookupAll = dnsLookup,
): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || first === undefined) return callback(error ?? new Error(`${hostname} has no address`), []);
      if (!addresses.every(({ address }) => isPublicAddress(address)))
        return callback(Object.assign(new Error(explain(hostname)), { code: NOT_PUBLIC }), []);
      if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
