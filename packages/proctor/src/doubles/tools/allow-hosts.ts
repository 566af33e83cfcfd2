// Which real tools may be called: no URL that came with a run is fetched without a rule that allows its host.
import { isIP } from "node:net";
import { ProctorError } from "../../core/errors.ts";

/** Throws FORBIDDEN for a URL that may not be fetched, and INVALID_REQUEST for what is not a URL. */
export type AssertAllowed = (url: string, what: string) => URL;

const ANY = "*";

/**
 * Entries are `host` (any port), `host:port`, or `*` (every host). This machine is always allowed, unless an entry names it
 * with a port: then only the ports that are named so.
 */
export function allowHosts(entries: readonly string[]): AssertAllowed {
  const listed = new Set(entries.map((entry) => entry.trim().toLowerCase()));
  const localPorts = [...listed].flatMap((entry) => {
    const [, host = "", port = ""] = HOST_AND_PORT.exec(entry) ?? [];
    return isLoopback(host) ? [port] : [];
  });
  const isAllowed = (url: URL): boolean => {
    if (listed.has(ANY) || listed.has(url.hostname) || listed.has(`${url.hostname}:${portOf(url)}`))
      return true;
    return isLoopback(url.hostname) && (localPorts.length === 0 || localPorts.includes(portOf(url)));
  };

  return (text, what) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
      throw new ProctorError("INVALID_REQUEST", `the URL of ${what} is not an http or https address`);
    }
    if (isAllowed(url)) return url;
    throw new ProctorError(
      "FORBIDDEN",
      `${what} goes to ${url.host}, and tools may not call that host\nadd it to PROCTOR_TOOL_HOSTS (tool_hosts in proctor.yaml)`,
      { details: { host: url.host } },
    );
  };
}

const HOST_AND_PORT = /^(.+):(\d+)$/;

function portOf(url: URL): string {
  if (url.port !== "") return url.port;
  return url.protocol === "https:" ? "443" : "80";
}

/** Accepts only names that no resolver can lead elsewhere. A URL spells every form of such an address in one way. */
function isLoopback(hostname: string): boolean {
  return (
    hostname === "localhost" || hostname === "[::1]" || (isIP(hostname) === 4 && hostname.startsWith("127."))
  );
}
