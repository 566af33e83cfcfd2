// The address under which a client reached this server, for documents that contain addresses; proxies in front of it are taken into account.
// Answers that depend on it name `ORIGIN_HEADERS` in `Vary`, so that no cache gives one client the address of another.

export interface ClientOrigin {
  /** Origin without a path: `https://example.com:8443`. */
  origin: string;
  /** The path that a proxy took away before it passed the request on: `/agents`; empty where there is none. */
  prefix: string;
}

/** Request headers that decide the origin. */
export const ORIGIN_HEADERS = ["X-Forwarded-Host", "X-Forwarded-Proto", "X-Forwarded-Prefix"] as const;

const HOST = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;
const PREFIX = /^(?:\/[\w.~-]+)+$/;

/** The last address without a proxy before it: almost every request asks for the same, and reading one is not free. */
let plain: { address: string; origin: ClientOrigin } | undefined;

/** Returns the origin. Proxy headers that do not form a valid address are ignored. */
export function clientOrigin({ url, headers }: Request): ClientOrigin {
  const [host, proto, prefix] = ORIGIN_HEADERS.map((name) => headers.get(name));
  if (host != null || proto != null || prefix != null) return throughProxies(url, host, proto, prefix);
  const path = url.indexOf("/", url.indexOf("//") + 2);
  const address = path === -1 ? url : url.slice(0, path);
  if (plain?.address !== address)
    plain = { address, origin: { origin: new URL(address).origin, prefix: "" } };
  return plain.origin;
}

type Header = string | null | undefined;

function throughProxies(url: string, toHost: Header, toProto: Header, toPrefix: Header): ClientOrigin {
  const { protocol, host } = new URL(url);
  const proto = firstOf(toProto).toLowerCase();
  const forwarded = firstOf(toHost);
  const prefix = firstOf(toPrefix).replace(/\/+$/, "");
  const scheme = proto === "http" || proto === "https" ? proto : protocol.slice(0, -1);
  return {
    origin: new URL(`${scheme}://${HOST.test(forwarded) ? forwarded : host}`).origin,
    prefix: PREFIX.test(prefix) && !/\/\.{1,2}(?:\/|$)/.test(prefix) ? prefix : "",
  };
}

/** Each proxy adds its value at the end; the first is what the client asked for. */
function firstOf(header: Header): string {
  return header?.split(",", 1)[0]?.trim() ?? "";
}
