// The line at the bottom while a run is in flight: that it is alive, for how long, and what it has used so far.
import type { Metrics } from "../../core/metrics.ts";
import type { RunStatus } from "../../core/run.ts";
import { formatCost, formatCount, formatDuration, plural } from "./amounts.ts";
import { paintStatus, type Paint } from "./paint.ts";
import { truncate } from "./text.ts";

export interface Progress {
  status: RunStatus;
  elapsedMs: number;
  metrics: Metrics;
  /** Text that says what Ctrl-C does now. */
  hint: string;
}

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
export const FRAME_MS = 100;

/** Returns the current frame of the spinner. */
export function frameAt(elapsedMs: number): string {
  return FRAMES[Math.floor(elapsedMs / FRAME_MS) % FRAMES.length] ?? "";
}

export function renderProgressLine(progress: Progress, paint: Paint, width: number): string {
  const { status, elapsedMs, metrics, hint } = progress;
  const state = `${status} ${formatDuration(elapsedMs)}`;
  const used = [
    metrics.total_steps !== undefined && plural(metrics.total_steps, "step"),
    metrics.total_tokens !== undefined &&
      metrics.total_tokens > 0 &&
      `${formatCount(metrics.total_tokens)} tokens`,
    metrics.cost_usd !== undefined && metrics.cost_usd > 0 && formatCost(metrics.cost_usd),
    hint,
  ].filter((part) => part !== false);
  // One column stays free: a full line would wrap, and the next redraw would leave half of it behind.
  const room = width - 1 - 2 - state.length;
  const rest = truncate(` · ${used.join(" · ")}`, room);
  return `${paint.cyan(frameAt(elapsedMs))} ${paintStatus(paint, status)(state)}${paint.dim(rest)}`;
}
