// Which hosts an environment may reach, as a client lists them. Knows names only; what a name leads to is looked at elsewhere.
import { isIP } from "node:net";
import { ProctorError } from "../../core/errors.ts";

export interface Target {
  /** The host in lower case, as a URL spells it, without brackets and without a final dot. */
  host: string;
  port: number;
}

interface AllowList {
  entries: readonly string[];
  /** Looks up a target. `named`: the host itself is on the list; `below`: only a wildcard covers it. Undefined: it may not be reached. */
  find(target: Target): "named" | "below" | undefined;
}

interface Entry {
  host: string;
  port: number | undefined;
  below: boolean;
}

/** The ports that an entry without a port allows. */
const WEB_PORTS: ReadonlySet<number> = new Set([80, 443]);
const MAX_PORT = 65_535;
const HOST_AND_PORT = /^(\[[^\]]*\]|[^:]*):(\d{1,5})$/;

/** Parses entries such as `host`, `host:port`, `*.host` and `*.host:port`. Throws INVALID_REQUEST for others. */
export function parseAllowList(texts: readonly string[]): AllowList {
  const entries = texts.map(parseEntry);
  return {
    entries: texts,
    find({ host, port }) {
      const matching = entries.filter(
        (entry) =>
          portFits(entry, port) && (entry.below ? host.endsWith(`.${entry.host}`) : host === entry.host),
      );
      if (matching.length === 0) return undefined;
      return matching.some(({ below }) => !below) ? "named" : "below";
    },
  };
}

/** Parses `host:port` of a CONNECT request. */
export function parseTarget(text: string): Target | undefined {
  const [, name = "", digits = ""] = HOST_AND_PORT.exec(text) ?? [];
  const host = canonicalHost(name);
  const port = Number(digits);
  return host === undefined || digits === "" || port < 1 || port > MAX_PORT ? undefined : { host, port };
}

export function formatTarget({ host, port }: Target): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

/** Returns one spelling for all ways to write a name or an address; undefined for what is neither. */
export function canonicalHost(text: string): string | undefined {
  const bare = isIP(text) === 6 ? `[${text}]` : text;
  if (!/^(?:\[[^\]]*\]|[^:]+)$/.test(bare) || /[\s/?#@\\%*]/.test(bare)) return undefined;
  const url = `http://${bare}/`;
  if (!URL.canParse(url)) return undefined;
  return new URL(url).hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "") || undefined;
}

function portFits({ port }: Entry, asked: number): boolean {
  return port === undefined ? WEB_PORTS.has(asked) : port === asked;
}

function parseEntry(given: string): Entry {
  const text = given.trim();
  const below = text.startsWith("*.");
  const rest = below ? text.slice(2) : text;
  const whole = canonicalHost(rest);
  const target = whole === undefined ? parseTarget(rest) : { host: whole, port: undefined };
  if (target === undefined || (below && isIP(target.host) !== 0)) {
    throw new ProctorError(
      "INVALID_REQUEST",
      `"${given}" names no host that an environment may reach\nwrite host, host:port, or *.host for what is below it`,
    );
  }
  return { ...target, below };
}
