// Which hosts webhooks may reach although they are private: those of the configuration, as `name` or `name:port`.
import { isIP } from "node:net";
import { isPublicAddress } from "../runtime/addresses/public-address.ts";

export type AllowHost = (url: URL) => boolean;

export function createAllowHost(hosts: readonly string[]): AllowHost {
  const known = new Set(hosts.map((host) => host.toLowerCase()));
  return ({ hostname, port, protocol }) => {
    const name = hostname.toLowerCase();
    const number = port === "" ? (protocol === "https:" ? "443" : "80") : port;
    return known.has(name) || known.has(`${name}:${number}`);
  };
}

/** Returns true for a host that is private by its text alone. Other names are resolved and checked each time they are used. */
export function isPlainlyPrivate({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  if (isIP(host) !== 0) return !isPublicAddress(host);
  return /(?:^|\.)(?:localhost|local|internal)\.?$/i.test(host);
}
