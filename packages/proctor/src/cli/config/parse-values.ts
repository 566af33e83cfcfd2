// How single values of the configuration are read from text. Messages never repeat a value that may hold a password.
import { fileURLToPath } from "node:url";
import { resolve } from "node:path";
import { areLabels, MAX_LABELS } from "../../core/labels.ts";
import { suggest } from "../../core/suggest.ts";
import { quote } from "../../core/printable.ts";

export type Parsed<T> = { ok: true; value: T } | { ok: false; message: string };
export type Parse<T> = (text: string) => Parsed<T>;

export const BUILD_NETWORKS = ["none", "host"] as const;
export type BuildNetwork = (typeof BUILD_NETWORKS)[number];

export const LOG_LEVELS = ["info", "json", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Largest number of megabytes: one terabyte, more than is ever meant. */
export const MAX_MEGABYTES = 1024 * 1024;

const good = <T>(value: T): Parsed<T> => ({ ok: true, value });
const bad = (message: string): { ok: false; message: string } => ({ ok: false, message });

export function parseInteger(minimum: number, maximum: number): Parse<number> {
  return (text) => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= minimum && value <= maximum) return good(value);
    return bad(`must be a whole number from ${minimum} to ${maximum}, not ${quote(text)}`);
  };
}

export function parseNumber(minimum: number, maximum: number): Parse<number> {
  return (text) => {
    const value = /^\d{1,10}(?:\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
    if (value >= minimum && value <= maximum) return good(value);
    return bad(`must be a number from ${minimum} to ${maximum}, not ${quote(text)}`);
  };
}

/** Parses megabytes into bytes. */
export const parseMegabytes: Parse<number> = (text) => {
  const size = parseNumber(0, MAX_MEGABYTES)(text);
  return size.ok ? good(toBytes(size.value)) : size;
};

export function toBytes(megabytes: number): number;
export function toBytes(megabytes: number | undefined): number | undefined;
export function toBytes(megabytes: number | undefined): number | undefined {
  return megabytes === undefined ? undefined : Math.floor(megabytes * 1024 * 1024);
}

export function parseChoice<T extends string>(choices: readonly T[]): Parse<T> {
  return (text) => {
    const choice = choices.find((known) => known === text);
    if (choice !== undefined) return good(choice);
    const similar = suggest(text, choices);
    const hint = similar === undefined ? "" : `\n   did you mean ${quote(similar)}?`;
    return bad(`must be ${choices.join(", ")}, not ${quote(text)}${hint}`);
  };
}

/** Parses the labels of a worker, separated by commas. */
export const parseLabels: Parse<string[]> = (text) => {
  const labels = text.split(",").map((label) => label.trim());
  if (areLabels(labels)) return good(labels);
  return bad(
    `must be at most ${MAX_LABELS} labels with commas, each of 1 to 40 of a-z, 0-9, ".", "_" or "-"`,
  );
};

export const parseYesOrNo: Parse<boolean> = (text) => {
  const choice = parseChoice(["true", "false"])(text);
  return choice.ok ? good(choice.value === "true") : choice;
};

export const parseHost: Parse<string> = (text) =>
  /^[A-Za-z0-9.:_-]+$/.test(text)
    ? good(text)
    : bad(`must be a host name or an IP address, not ${quote(text)}\n   the port is a setting of its own`);

export const parseHostAndPort: Parse<string> = (text) => {
  const isPlace = HOST_AND_PORT.test(text) && /:\d+$/.test(text) && URL.canParse(`grpc://${text}`);
  return isPlace
    ? good(text)
    : bad(`must be a host and a port, like agents.example.com:443, not ${quote(text)}`);
};

/** Parses host names with or without a port, separated by commas. */
export const parseHosts: Parse<string[]> = (text) => {
  const hosts = text.split(",").map((host) => host.trim());
  const wrong = hosts.find((host) => !HOST_AND_PORT.test(host));
  if (wrong === undefined) return good(hosts);
  return bad(
    `must be host names separated by commas, not ${quote(wrong)}\n   for example api.example.com,10.0.0.7:8080`,
  );
};

/** Parses an origin as browsers write it, or `*`. */
export const parseOrigin: Parse<string> = (text) => {
  if (text === "*") return good(text);
  const [, scheme = "", place = "", rest = ""] = ORIGIN.exec(text) ?? [];
  const origin = `${scheme}://${place}`.toLowerCase();
  if (scheme === "" || !URL.canParse(origin))
    return bad(`must be an origin like http://localhost:5173, or *, not ${quote(text)}`);
  // Browsers write only the web's own schemes in a normal form: without a default port, names in ASCII.
  const written = /^https?$/i.test(scheme) ? new URL(origin).origin : origin;
  if (rest !== "" && rest !== "/")
    return bad(`must end after the host and port, not ${quote(text)}\n   did you mean ${quote(written)}?`);
  return good(written);
};

const ORIGIN = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/([^\s/?#@*,]+)([/?#].*)?$/;

/** Parses origins separated by commas. */
export const parseOrigins: Parse<string[]> = (text) => {
  const parsed = text.split(",").map((origin) => parseOrigin(origin.trim()));
  return parsed.find((origin) => !origin.ok) ?? good(parsed.flatMap((one) => (one.ok ? [one.value] : [])));
};

const HOST_AND_PORT = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

export const parseHubUrl: Parse<string> = (text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return bad("must be a URL like http://127.0.0.1:3001");
  if (url.username || url.password) return bad("must not hold a password\n   set PROCTOR_TOKEN instead");
  if (url.search || url.hash) return bad("must end after the path: no ? and no #");
  return good(url.href.replace(/\/+$/, ""));
};

/** Where the store is: a SQLite file, or a PostgreSQL database that several processes may share. */
export type DatabasePlace = { file: string } | { url: string };

/** Parses `file:relative/path`, `file:/absolute/path` or `file:///absolute/path`, or `postgres://user:password@host:port/database`. */
export function parseDatabaseUrl(text: string, base: string): Parsed<DatabasePlace> {
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1]?.toLowerCase();
  if (scheme === "postgres" || scheme === "postgresql") return parsePostgresUrl(text);
  if (scheme !== "file") {
    const found = scheme === undefined ? "has no scheme" : `starts with ${quote(`${scheme}:`)}`;
    return bad(
      `${found}; file: and postgres: are supported\n   for example file:./.proctor/proctor.db or postgres://user@host/proctor`,
    );
  }
  const file = parseFileUrl(text, base);
  return file.ok ? good({ file: file.value }) : file;
}

/** Parses the address of a PostgreSQL database. A problem never shows any of it: it may hold a password. */
function parsePostgresUrl(text: string): Parsed<DatabasePlace> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) {
    return bad(
      "must be a URL like postgres://user:password@host:5432/database\n   write special characters of the password as %XX",
    );
  }
  if (url.hostname === "" && !url.searchParams.has("host"))
    return bad("must name a host: postgres://user@host/database");
  if (url.pathname.length <= 1) return bad("must name a database: postgres://user@host/database");
  return good({ url: text });
}

function parseFileUrl(text: string, base: string): Parsed<string> {
  const path = text.slice("file:".length);
  if (/[?#]/.test(path)) return bad("must end after the path: no ? and no #");
  if (path === "" || path.endsWith("/"))
    return bad("must name a file, for example file:./.proctor/proctor.db");
  if (path.includes(":memory:")) return bad("must name a file: runs are kept on disk");
  if (!path.startsWith("//")) return good(resolve(base, path));
  try {
    return good(fileURLToPath(text));
  } catch {
    return bad("must be file:<path> or file:///<absolute path>");
  }
}
