// Durations as reports show them.

export function formatSeconds(durationMs: number, digits = 1): string {
  return (Math.max(0, durationMs) / 1000).toFixed(digits);
}
