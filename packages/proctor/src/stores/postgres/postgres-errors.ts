// What PostgreSQL and the network report, as errors of the catalogue: what, where, and what to do next. Never with the password.
import { ProctorError, type ErrorCode } from "../../core/errors.ts";
import { messageOf } from "../../core/message-of.ts";
import { errnoOf } from "../disk-error.ts";

/** Makes an error of the store out of what was thrown; returns anything else unchanged. */
export type ErrorMapper = (error: unknown) => unknown;

interface Meaning {
  code: ErrorCode;
  what: string;
  advice: string;
}

const UNREACHABLE: Meaning = {
  code: "STORE_UNAVAILABLE",
  what: "the database cannot be reached",
  advice: "Check that PostgreSQL runs there and that host and port in DATABASE_URL are right.",
};
const STOPPED: Meaning = {
  code: "STORE_UNAVAILABLE",
  what: "the connection to the database was lost",
  advice: "Try again: Proctor connects again by itself. What was acknowledged is kept.",
};
const BUSY: Meaning = {
  code: "STORE_UNAVAILABLE",
  what: "the database is too busy",
  advice: "Try again. If it stays so, look for transactions that hold locks (pg_stat_activity).",
};
const TOO_MANY: Meaning = {
  code: "STORE_UNAVAILABLE",
  what: "the database takes no more connections",
  advice: "Raise max_connections, or run fewer processes of Proctor.",
};
const FULL: Meaning = {
  code: "STORE_FULL",
  what: "no room to write",
  advice: "Free some disk space on the database server; what was acknowledged is kept.",
};
const LOGIN: Meaning = {
  code: "CONFIG_INVALID",
  what: "the user or the password is refused",
  advice: "Check user and password in DATABASE_URL, and pg_hba.conf of the server.",
};
const MISSING: Meaning = {
  code: "CONFIG_INVALID",
  what: "there is no such database",
  advice: "Create it (createdb), or name another one in DATABASE_URL.",
};
const RIGHTS: Meaning = {
  code: "CONFIG_INVALID",
  what: "this user lacks rights",
  advice:
    "Proctor needs to connect, and to create and change tables in its schema: grant that, or use another user.",
};
const POOLED: Meaning = {
  code: "CONFIG_INVALID",
  what: "a pooler that shares connections between transactions stands in front of the database",
  advice:
    "Give Proctor a direct connection, or a pooler in session mode: it needs LISTEN and prepared statements.",
};

/** Meanings by SQLSTATE, by its class (two characters), or by the code of the operating system. */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  ECONNREFUSED: UNREACHABLE,
  ENOTFOUND: UNREACHABLE,
  EAI_AGAIN: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ETIMEDOUT: UNREACHABLE,
  ENOENT: UNREACHABLE,
  ECONNRESET: STOPPED,
  EPIPE: STOPPED,
  "08": STOPPED,
  "08P01": POOLED,
  "57": STOPPED,
  "57014": BUSY,
  "55P03": BUSY,
  "40": BUSY,
  "25P03": BUSY,
  "25P04": BUSY,
  "53": BUSY,
  "53100": FULL,
  "53300": TOO_MANY,
  "58": {
    code: "STORE_UNAVAILABLE",
    what: "the database's disk fails",
    advice: "Check the disk and the log of the database server; what was acknowledged is in it.",
  },
  "28": LOGIN,
  "3D000": MISSING,
  "42501": RIGHTS,
  "25006": {
    code: "STORE_UNAVAILABLE",
    what: "the database only reads",
    advice: "Name the primary server in DATABASE_URL, not a standby.",
  },
  "22021": {
    code: "INVALID_REQUEST",
    what: "a text holds a character that the database cannot keep",
    advice: "Send it without NUL characters.",
  },
  "26000": POOLED,
  "42P05": POOLED,
  XX001: { code: "DATABASE_CORRUPT", what: "the database is damaged", advice: "Restore it from a backup." },
  XX002: { code: "DATABASE_CORRUPT", what: "the database is damaged", advice: "Restore it from a backup." },
};

/** Messages with which a library reports a lost connection that has no code. */
const LOST =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout)|timeout (exceeded|expired)/;
const NOT_POSTGRES = /server does not support SSL|unsupported startup parameter|SASL/i;

/** Creates the mapper; `url` is shown without its password. */
export function mapPostgresErrors(url: string): ErrorMapper {
  const where = describeUrl(url);
  const secret = passwordOf(url);
  return (error) => {
    if (ProctorError.is(error) || !(error instanceof Error)) return error;
    const meaning = meaningOf(error);
    if (meaning === undefined) return error;
    const said = messageOf(error) || (errnoOf(error) ?? "");
    const reason = secret === "" ? said : said.replaceAll(secret, "***");
    return new ProctorError(meaning.code, `${where}: ${meaning.what} (${reason})\n${meaning.advice}`, {
      cause: error,
    });
  };
}

/** Returns `postgres://user@host:port/database`, whatever else the address holds. */
export function describeUrl(url: string): string {
  try {
    const { username, host, pathname } = new URL(url);
    return `postgres://${username === "" ? "" : `${username}@`}${host}${pathname}`;
  } catch {
    return "the database";
  }
}

function passwordOf(url: string): string {
  try {
    return decodeURIComponent(new URL(url).password);
  } catch {
    return "";
  }
}

function meaningOf(error: Error): Meaning | undefined {
  // An address that stands for several is tried on each; the first reason is as good as any.
  if (error instanceof AggregateError) {
    const [first] = error.errors as unknown[];
    return first instanceof Error ? meaningOf(first) : UNREACHABLE;
  }
  if (NOT_POSTGRES.test(error.message)) {
    if (/startup parameter/.test(error.message)) return POOLED;
    return LOGIN;
  }
  const code = errnoOf(error) ?? "";
  const known = MEANINGS[code] ?? (code.length === 5 ? MEANINGS[code.slice(0, 2)] : undefined);
  return known ?? (LOST.test(error.message) ? STOPPED : undefined);
}

/** Returns true when the connection is gone or about to go: whatever was sent last may have happened or not. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const meaning = meaningOf(error);
  return meaning === STOPPED || meaning === UNREACHABLE || (errnoOf(error) ?? "").startsWith("25P0");
}

/** Returns true when the transaction was undone only because of concurrent ones. */
export function isCollision(error: unknown): boolean {
  const code = errnoOf(error);
  return code === "40P01" || code === "40001";
}
