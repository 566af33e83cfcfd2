// When an envelope was written, in epoch milliseconds, whatever unit its sender counts in.

/** Below it, a number counts seconds: as milliseconds it would lie before March 1973. */
const SECONDS_BELOW = 1e11;
const MILLISECONDS_BELOW = 1e14;
const MICROSECONDS_BELOW = 1e17;

export function toMilliseconds(timestamp: number): number {
  if (timestamp < SECONDS_BELOW) return Math.round(timestamp * 1000);
  if (timestamp < MILLISECONDS_BELOW) return Math.round(timestamp);
  return Math.round(timestamp < MICROSECONDS_BELOW ? timestamp / 1000 : timestamp / 1e6);
}
