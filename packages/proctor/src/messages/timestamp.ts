// When an envelope was written, in epoch milliseconds, whatever unit its sender counts in.

export type TimeUnit = "seconds" | "milliseconds" | "microseconds" | "nanoseconds";

/** Below it, a number counts seconds: as milliseconds it would lie before March 1973. */
const SECONDS_BELOW = 1e11;
const MILLISECONDS_BELOW = 1e14;
const MICROSECONDS_BELOW = 1e17;

const PER_MILLISECOND: Readonly<Record<TimeUnit, number>> = {
  seconds: 1e-3,
  milliseconds: 1,
  microseconds: 1e3,
  nanoseconds: 1e6,
};

export function unitOf(timestamp: number): TimeUnit {
  if (timestamp < SECONDS_BELOW) return "seconds";
  if (timestamp < MILLISECONDS_BELOW) return "milliseconds";
  return timestamp < MICROSECONDS_BELOW ? "microseconds" : "nanoseconds";
}

export function toMilliseconds(timestamp: number): number {
  return Math.round(timestamp / PER_MILLISECOND[unitOf(timestamp)]);
}
