// Times of spans: ISO 8601 in, nanoseconds since 1970 as OTLP's decimal string out.

/** The last millisecond that fits a uint64 of nanoseconds, in the year 2554. */
const LAST_MS = 18_446_744_073_709;

/** Returns the epoch milliseconds of an ISO timestamp, or the alternative when the text is not one. */
export function parseTime(iso: string | null | undefined, otherwiseMs: number): number {
  const timeMs = iso == null ? Number.NaN : Date.parse(iso);
  return Number.isNaN(timeMs) ? otherwiseMs : timeMs;
}

/** Returns the start of what ended at a time and took a duration: never before its run began, never after the end. */
export function startedBefore(endMs: number, durationMs: unknown, earliestMs: number): number {
  const isDuration = typeof durationMs === "number" && durationMs > 0;
  return Math.min(endMs, Math.max(earliestMs, isDuration ? endMs - durationMs : endMs));
}

export function unixNano(timeMs: number): string {
  const clamped = Math.min(Math.max(timeMs, 0), LAST_MS);
  const wholeMs = Math.floor(clamped);
  return String(BigInt(wholeMs) * 1_000_000n + BigInt(Math.round((clamped - wholeMs) * 1e6)));
}
