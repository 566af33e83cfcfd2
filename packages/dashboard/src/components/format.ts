// Numbers and times as people read them.

const COUNT = new Intl.NumberFormat("en");
const CENTS = new Intl.NumberFormat("en", { minimumSignificantDigits: 2, maximumSignificantDigits: 2 });
const DOLLARS = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });
const DAY = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" });
const CLOCK = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
});

export function count(value: number): string {
  return COUNT.format(value);
}

/** Returns a duration such as `340 ms`, `4.2 s`, `3 m 05 s` or `2 h 14 m`. */
export function duration(ms: number): string {
  if (!Number.isFinite(ms) || ms < 0) return "–";
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_500) return `${(ms / 1000).toFixed(ms < 9950 ? 1 : 0)} s`;
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} m ${String(seconds % 60).padStart(2, "0")} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} m`;
}

/** Returns an amount such as `$0.0042` or `$12.30`. */
export function cost(usd: number): string {
  if (usd === 0) return "$0";
  return `$${usd < 1 ? CENTS.format(usd) : DOLLARS.format(usd)}`;
}

export function bytes(value: number): string {
  if (value < 1000) return `${value} B`;
  if (value < 1_000_000) return `${(value / 1000).toFixed(value < 10_000 ? 1 : 0)} kB`;
  if (value < 1_000_000_000) return `${(value / 1_000_000).toFixed(1)} MB`;
  return `${(value / 1_000_000_000).toFixed(1)} GB`;
}

/** Returns a percentage: only the whole is 100 %, and only nothing is 0 %. */
export function percent(part: number, whole: number): string {
  if (whole === 0) return "–";
  const share = (part / whole) * 100;
  if (share > 99 && share < 100) return `${Math.min(99.9, share).toFixed(1)} %`;
  if (share > 0 && share < 1) return `${Math.max(0.1, share).toFixed(1)} %`;
  return `${Math.round(share)} %`;
}

/** Returns an instant such as `12 s ago`, `4 m ago`, `3 h ago` or `14 Nov`. */
export function relative(iso: string, now: number): string {
  const ms = now - Date.parse(iso);
  if (Number.isNaN(ms)) return iso;
  if (ms < 0) return `in ${short(-ms)}`;
  if (ms < 1500) return "now";
  return ms < 7 * 86_400_000 ? `${short(ms)} ago` : DAY.format(new Date(iso));
}

function short(ms: number): string {
  if (ms < 60_000) return `${Math.max(1, Math.floor(ms / 1000))} s`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} m`;
  if (ms < 86_400_000) return `${Math.floor(ms / 3_600_000)} h`;
  return `${Math.floor(ms / 86_400_000)} d`;
}

/** Returns the exact instant in the viewer's zone, with the instant that the hub recorded. */
export function exact(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : `${EXACT.format(date)}\n${iso}`;
}

export function clock(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : CLOCK.format(date);
}

/** Returns the first characters of an id, which are enough for a reader to tell runs apart. */
export function shortId(id: string): string {
  return id.length > 12 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id;
}

/** Returns an instant in UTC, so that every reader sees the same: `2026-03-04 10:15 UTC`. */
export function utc(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
