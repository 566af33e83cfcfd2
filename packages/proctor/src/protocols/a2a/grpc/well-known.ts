// google.protobuf.Timestamp and Duration as ProtoJSON writes them.
import type { Json } from "../../../core/json.ts";

export interface Instant {
  seconds: number;
  nanos: number;
}

/** First second of year 1, and last of year 9999: the range of a Timestamp. */
const MIN_SECONDS = -62_135_596_800;
const MAX_SECONDS = 253_402_300_799;
const MAX_DURATION_SECONDS = 315_576_000_000;
const NANOS = 1_000_000_000;

const DATE_TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/i;
const DURATION = /^(-?)(\d{1,12})(?:\.(\d{1,9}))?s$/;

/** Returns undefined for a value that is not a time of RFC 3339. */
export function parseTimestamp(value: Json): Instant | undefined {
  const [, time, fraction = "", zone = ""] = (typeof value === "string" && DATE_TIME.exec(value)) || [];
  if (time === undefined) return undefined;
  const seconds = Date.parse(`${time}${zone}`.toUpperCase()) / 1000;
  // A day that does not exist must not become one of the next month.
  if (!Number.isInteger(seconds) || !hasDay(time)) return undefined;
  if (seconds < MIN_SECONDS || seconds > MAX_SECONDS) return undefined;
  return { seconds, nanos: nanosOf(fraction) };
}

/** Formats in UTC, with 0, 3, 6 or 9 digits of a second. Returns undefined for what does not fit into a Timestamp. */
export function formatTimestamp({ seconds, nanos }: Instant): string | undefined {
  if (!(seconds >= MIN_SECONDS && seconds <= MAX_SECONDS && nanos >= 0 && nanos < NANOS)) return undefined;
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}${fractionOf(nanos)}Z`;
}

/** Returns undefined for a value that is not a Duration such as `1.5s`. */
export function parseDuration(value: Json): Instant | undefined {
  const [, sign, whole, fraction = ""] = (typeof value === "string" && DURATION.exec(value)) || [];
  const seconds = Number(whole);
  if (whole === undefined || seconds > MAX_DURATION_SECONDS) return undefined;
  const factor = sign === "-" ? -1 : 1;
  return { seconds: seconds * factor, nanos: nanosOf(fraction) * factor };
}

/** Returns undefined for what does not fit into a Duration. */
export function formatDuration({ seconds, nanos }: Instant): string | undefined {
  if (!(Math.abs(seconds) <= MAX_DURATION_SECONDS && Math.abs(nanos) < NANOS)) return undefined;
  if (seconds * nanos < 0) return undefined;
  const sign = seconds < 0 || nanos < 0 ? "-" : "";
  return `${sign}${Math.abs(seconds)}${fractionOf(Math.abs(nanos))}s`;
}

function nanosOf(fraction: string): number {
  return Number(fraction.padEnd(9, "0"));
}

function fractionOf(nanos: number): string {
  if (nanos === 0) return "";
  const digits = String(nanos).padStart(9, "0");
  return `.${digits.replace(/(?:000){1,2}$/, "")}`;
}

function hasDay(time: string): boolean {
  const day = new Date(`${time.slice(0, 10).toUpperCase()}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(time.slice(0, 10));
}
