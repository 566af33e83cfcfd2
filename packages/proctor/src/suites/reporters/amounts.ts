// Counts, shares, money and durations as reports show them.
import { groupDigits } from "../../core/group-digits.ts";

export function formatCount(count: number): string {
  return groupDigits(count);
}

/** Formats a share of 1 in percent. Only 0 and 1 themselves become 0 % and 100 %. */
export function formatPercent(share: number): string {
  const percent = Math.round(share * 100);
  if (percent === 100 && share < 1) return ">99 %";
  if (percent === 0 && share > 0) return "<1 %";
  return `${percent} %`;
}

/** Formats a rate with its interval: `80 % [49–94 %]`. */
export function formatRate({ value, low, high }: { value: number; low: number; high: number }): string {
  return `${formatPercent(value)} [${Math.round(low * 100)}–${Math.round(high * 100)} %]`;
}

export function formatCost(usd: number): string {
  return `$${usd.toFixed(usd > 0 && usd < 1 ? 4 : 2)}`;
}

/** Formats a duration: `5ms`, `1.2s`, `3m 05s`, `2h 04m`. */
export function formatTime(milliseconds: number): string {
  const ms = Math.max(0, milliseconds);
  if (ms < 999.5) return `${Math.round(ms)}ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)}s`;
  return formatLongTime(ms);
}

/** Formats a duration in seconds without a unit, for formats that have one of their own. */
export function formatSeconds(durationMs: number, digits = 1): string {
  return (Math.max(0, durationMs) / 1000).toFixed(digits);
}

/** Formats a duration in whole seconds, for figures that change on the screen. */
export function formatLongTime(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${two(seconds % 60)}s`;
  const minutes = Math.round(seconds / 60);
  return `${formatCount(Math.floor(minutes / 60))}h ${two(minutes % 60)}m`;
}

export function formatPerSecond(count: number, milliseconds: number): string {
  const rate = (count * 1000) / Math.max(1, milliseconds);
  return `${rate >= 100 ? formatCount(rate) : rate.toFixed(1)} runs/s`;
}

/** Returns a count with its noun: `1 run`, `3 runs`. */
export function plural(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
