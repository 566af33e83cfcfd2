// How a run ended, in the few lines that are worth reading after it.
import type { Artifact } from "../../core/artifact.ts";
import { artifactName } from "../../core/artifact.ts";
import { lastWords } from "../../core/last-words.ts";
import type { Violation } from "../../core/event.ts";
import type { Metrics } from "../../core/metrics.ts";
import type { Run } from "../../core/run.ts";
import { formatBytes, formatCost, formatCount, formatDuration, plural } from "./amounts.ts";
import { paintStatus, statusIcon, type Paint } from "./paint.ts";
import { manyLines, oneLine, padEnd, padStart, textWidth, truncate, wrap, wrapLines } from "./text.ts";

const LABEL_COLUMNS = 12;
const MAX_SHOWN = 10;

export function renderRunSummary(run: Run, paint: Paint, width?: number): string[] {
  const seconds = run.metrics.wall_time_seconds;
  const took = seconds === undefined ? "" : ` in ${formatDuration(seconds * 1000)}`;
  const headline = `${statusIcon(run.status)} ${run.status}`;
  return [
    `${paintStatus(paint, run.status)(paint.bold(headline))}${took}`,
    ...renderFailure(run, paint, width),
    ...field("used", [describeUse(run.metrics)], paint),
    ...field("artifacts", renderArtifacts(run.artifacts, width), paint),
    ...field("violations", renderViolations(run, paint, width), paint),
    ...field("details", [`proctor runs show ${run.id}`], paint),
  ];
}

/** Returns a label with its lines next to it; nothing at all when there are none. */
export function field(label: string, lines: readonly string[], paint: Paint): string[] {
  const shown = lines.filter((line) => line !== "");
  return shown.map((line, index) => {
    const head = index === 0 ? paint.dim(padEnd(label, LABEL_COLUMNS)) : " ".repeat(LABEL_COLUMNS);
    return `  ${head}${line}`;
  });
}

export function describeUse(metrics: Metrics): string {
  const { total_tokens, input_tokens, output_tokens, cost_usd, total_steps, tool_calls, llm_calls } = metrics;
  const split =
    input_tokens === undefined || output_tokens === undefined
      ? ""
      : ` (${formatCount(input_tokens)} in, ${formatCount(output_tokens)} out)`;
  return [
    total_tokens !== undefined && total_tokens > 0 && `${formatCount(total_tokens)} tokens${split}`,
    cost_usd !== undefined && cost_usd > 0 && formatCost(cost_usd),
    total_steps !== undefined && plural(total_steps, "step"),
    tool_calls !== undefined && tool_calls > 0 && plural(tool_calls, "tool call"),
    llm_calls !== undefined && llm_calls > 0 && plural(llm_calls, "model call"),
  ]
    .filter((part) => part !== false)
    .join(" · ");
}

export function renderFailure(run: Run, paint: Paint, width?: number): string[] {
  if (run.failure === null) return [];
  const [first = "", ...rest] = manyLines(run.failure.message).trim().split("\n");
  const room = roomOf(width);
  const code = truncate(oneLine(run.failure.code), room);
  const lines = [first, ...rest].flatMap((line, index) =>
    wrap(line, room, index === 0 ? room - textWidth(code) - 2 : room),
  );
  const [beside = "", ...below] = shorten(lines);
  return field(
    "failure",
    [
      `${paintStatus(paint, run.status)(code)}  ${beside}`.trimEnd(),
      ...below,
      ...lastWords(run.failure).flatMap((line) => wrapLines(manyLines(line), room).map(paint.dim)),
      run.retried_as === null ? "" : `retried as ${run.retried_as}`,
    ],
    paint,
  );
}

export function renderArtifacts(artifacts: readonly Artifact[], width?: number): string[] {
  const shown = artifacts.slice(0, MAX_SHOWN);
  const sizes = shown.map(({ size_bytes: size }) => (size === undefined ? "" : formatBytes(size)));
  const sizeColumns = Math.max(0, ...sizes.map((size) => size.length));
  const kinds = shown.map((artifact) =>
    oneLine(artifact.type === "file" ? (artifact.content_type ?? "file") : artifact.type),
  );
  const kindColumns = Math.max(0, ...kinds.map(textWidth));
  const room = (width ?? Infinity) - LABEL_COLUMNS - 2 - sizeColumns - kindColumns - 4;
  const names = shown.map((artifact) => truncate(oneLine(artifactName(artifact)), Math.max(12, room)));
  const nameColumns = Math.max(0, ...names.map(textWidth));
  const lines = shown.map((_, index) =>
    [
      padEnd(names[index] ?? "", nameColumns),
      padStart(sizes[index] ?? "", sizeColumns),
      kinds[index] ?? "",
    ].join("  "),
  );
  const more = artifacts.length - shown.length;
  return more > 0 ? [...lines, `and ${formatCount(more)} more`] : lines;
}

export function renderViolations(run: Run, paint: Paint, width?: number): string[] {
  const shown = run.violations.slice(0, MAX_SHOWN);
  const room = roomOf(width);
  const lines = shown.flatMap((violation) => {
    const rule = oneLine(violation.rule);
    const words = wrap(describeViolation(violation), room, room - textWidth(rule) - 2);
    const [beside = "", ...below] = shorten(words);
    return [`${paint.yellow(rule)}  ${beside}`.trimEnd(), ...below];
  });
  const more = run.violations.length - shown.length;
  return more > 0 ? [...lines, `and ${formatCount(more)} more`] : lines;
}

/** Describes where the violation is and what it is; many messages begin with the place. */
function describeViolation({ where = "", message }: Violation): string {
  const words = oneLine(message);
  return where === "" || message.startsWith(where) ? words : `${oneLine(where)}: ${words}`;
}

/** Returns the columns to the right of the label. */
function roomOf(width: number | undefined): number {
  return width === undefined ? Infinity : width - LABEL_COLUMNS - 2;
}

/** Leaves several lines for the reason of a failure, but not a whole screen. */
function shorten(lines: readonly string[]): string[] {
  return lines.length <= MAX_SHOWN ? [...lines] : [...lines.slice(0, MAX_SHOWN), "…"];
}
