// One event as one line: when, what kind, and the essence of its payload.
import type { RunEvent } from "../../core/event.ts";
import { textOf } from "../../core/message.ts";
import { formatCount, formatOffset } from "./amounts.ts";
import { describeEvent } from "./describe-event.ts";
import { questionLines, textLines } from "./question-lines.ts";
import { paintStatus, statusIcon, type Paint } from "./paint.ts";
import { manyLines, oneLine, padEnd, padStart, truncate } from "./text.ts";

interface EventLineOptions {
  /** Epoch milliseconds from which the offset counts. */
  startMs: number;
  paint: Paint;
  /** Columns of the terminal. Absent in a pipe. */
  width?: number | undefined;
  /** Shows messages and questions with all their lines, as a conversation that is read while it goes on. */
  whole?: boolean;
}

const OFFSET_COLUMNS = 8;
const KIND_COLUMNS = 9;
/** A pipe gets much, but no megabyte on one line: `runs events --json` has everything. */
const PIPE_COLUMNS = 2000;
const MAX_LOG_LINES = 50;

/** Columns before the essence of an event. Further lines of the same event begin there. */
const HEAD_COLUMNS = OFFSET_COLUMNS + 2 + 1 + 1 + KIND_COLUMNS + 2;
export const EVENT_INDENT = " ".repeat(HEAD_COLUMNS);

/** Columns for what an event says. */
export function eventRoom(width: number | undefined): number {
  return width === undefined ? Infinity : width - HEAD_COLUMNS;
}

export function renderEventLine(event: RunEvent, options: EventLineOptions): string {
  const { paint, width } = options;
  const { kind, colour } = look(event, paint);
  const room = (isUncut(event) ? PIPE_COLUMNS : (width ?? PIPE_COLUMNS)) - HEAD_COLUMNS;
  const start = eventStart(event, options);
  const lines = linesOf(event, options, room);
  if (lines !== undefined) {
    const [first = "", ...more] = lines;
    const below = more.map((line) => `${EVENT_INDENT}${line}`.trimEnd());
    return [`${start} ${colour(padEnd(kind, KIND_COLUMNS))}  ${first}`.trimEnd(), ...below].join("\n");
  }
  const essence = truncate(oneLine(describeEvent(event, room)), room);
  if (essence === "") return `${start} ${colour(kind)}`;
  return `${start} ${colour(padEnd(kind, KIND_COLUMNS))}  ${isQuiet(event) ? paint.dim(essence) : essence}`;
}

/** A row of what an agent says while it speaks: the first with when and who, the others below it. */
export function renderSpokenRow(
  event: RunEvent,
  row: string,
  isFirst: boolean,
  options: EventLineOptions,
): string {
  if (!isFirst) return `${EVENT_INDENT}${row}`.trimEnd();
  const { kind, colour } = look(event, options.paint);
  return `${eventStart(event, options)} ${colour(padEnd(kind, KIND_COLUMNS))}  ${row}`.trimEnd();
}

function eventStart(event: RunEvent, { startMs, paint }: EventLineOptions): string {
  const offset = padStart(formatOffset(Date.parse(event.timestamp) - startMs), OFFSET_COLUMNS);
  const { icon, colour } = look(event, paint);
  return `${paint.dim(offset)}  ${colour(icon)}`;
}

/** Undefined for an event that is shown on one line. */
function linesOf(
  event: RunEvent,
  { paint, width, whole }: EventLineOptions,
  room: number,
): string[] | undefined {
  if (event.type === "log") return logLines(describeEvent(event), room).map(paint.dim);
  if (whole !== true) return undefined;
  if (event.type === "message.added") return textLines(textOf(event.payload.message.parts), eventRoom(width));
  if (event.type === "question.asked") return questionLines(event.payload.question, paint, eventRoom(width));
  return undefined;
}

/** Keeps lines apart: a traceback on one line is unreadable. */
function logLines(text: string, room: number): string[] {
  const lines = manyLines(text).replace(/\n+$/, "").split("\n");
  const shown = lines.slice(0, MAX_LOG_LINES).map((line) => truncate(line.trimEnd(), room));
  const more = lines.length - shown.length;
  return more > 0 ? [...shown, `… ${formatCount(more)} more lines`] : shown;
}

/** True for a line that is never cut: a path is useless without its end. */
function isUncut(event: RunEvent): boolean {
  return event.type === "workspace.kept";
}

function isQuiet(event: RunEvent): boolean {
  return (
    event.type === "log" ||
    event.type === "wire.message" ||
    event.type === "run.queued" ||
    event.type === "run.started" ||
    event.type === "message.opened" ||
    event.type === "message.closed" ||
    event.type === "message.delivered" ||
    event.type === "question.delivered" ||
    event.type === "session.opened" ||
    event.type === "session.parked"
  );
}

interface Look {
  icon: string;
  kind: string;
  colour: (text: string) => string;
}

function look(event: RunEvent, paint: Paint): Look {
  switch (event.type) {
    case "run.created":
      return { icon: "○", kind: "created", colour: paint.dim };
    case "run.queued":
      return { icon: "○", kind: "queued", colour: paint.dim };
    case "run.started":
      return { icon: "▶", kind: "started", colour: paint.cyan };
    case "run.paused":
      return { icon: "‖", kind: "paused", colour: paint.magenta };
    case "run.resumed":
      return { icon: "▶", kind: "resumed", colour: paint.magenta };
    case "run.pause_requested":
      return { icon: "‖", kind: "pause", colour: paint.dim };
    case "run.resume_requested":
      return { icon: "▶", kind: "resume", colour: paint.dim };
    case "run.cancel_requested":
      return { icon: "■", kind: "cancel", colour: paint.yellow };
    case "run.ended":
      return {
        icon: statusIcon(event.payload.status),
        kind: event.payload.status,
        colour: paintStatus(paint, event.payload.status),
      };
    case "artifact.added":
      return { icon: "◆", kind: "artifact", colour: paint.green };
    case "artifact.removed":
      return { icon: "◇", kind: "removed", colour: paint.yellow };
    case "step.added":
      return { icon: "▹", kind: "step", colour: paint.cyan };
    case "step.changed":
      return { icon: "▸", kind: "step", colour: paint.cyan };
    case "message.added":
      return event.payload.message.role === "user"
        ? { icon: "»", kind: "user", colour: paint.green }
        : { icon: "«", kind: "agent", colour: paint.cyan };
    case "message.opened":
    case "message.extended":
    case "message.closed":
      return { icon: "«", kind: "agent", colour: paint.cyan };
    case "message.delivered":
    case "question.delivered":
      return { icon: "✓", kind: "delivered", colour: paint.dim };
    case "question.asked":
      return { icon: "?", kind: "question", colour: paint.magenta };
    case "question.answered":
      return { icon: "»", kind: "answer", colour: paint.green };
    case "question.withdrawn":
      return { icon: "·", kind: "withdrawn", colour: paint.dim };
    case "question.expired":
      return { icon: "·", kind: "expired", colour: paint.yellow };
    case "session.opened":
    case "session.parked":
      return { icon: "▣", kind: event.type === "session.parked" ? "parked" : "session", colour: paint.dim };
    case "artifact.opened":
    case "artifact.extended":
      return { icon: "◇", kind: "artifact", colour: paint.dim };
    case "process.exited":
      return { icon: "▪", kind: "exited", colour: event.payload.code === 0 ? paint.dim : paint.yellow };
    case "log":
      return { icon: "│", kind: event.payload.stream, colour: paint.dim };
    case "violation":
      return { icon: "!", kind: "violation", colour: paint.yellow };
    case "unknown":
      return { icon: "?", kind: "unknown", colour: paint.yellow };
    case "workspace.kept":
      return { icon: "▣", kind: "workspace", colour: paint.dim };
    case "environment.opened":
      return { icon: "▣", kind: "environment", colour: event.payload.isolated ? paint.dim : paint.yellow };
    case "wire.message":
      return {
        icon: event.payload.direction === "sent" ? "»" : "«",
        kind: event.payload.direction,
        colour: paint.dim,
      };
    case "tool.called":
      return {
        icon: "⇄",
        kind: "called",
        colour: event.payload.status === "success" ? paint.blue : paint.yellow,
      };
    case "tool_call":
      return { icon: "→", kind: "tool", colour: paint.blue };
    case "llm_request":
      return { icon: "✦", kind: "model", colour: paint.magenta };
    case "reasoning":
      return { icon: "∴", kind: "reasoning", colour: paint.cyan };
    case "state_change":
      return { icon: "⇢", kind: "state", colour: paint.cyan };
    case "artifact_created":
      return { icon: "◇", kind: "artifact", colour: paint.green };
    case "error":
      return { icon: "✗", kind: "error", colour: paint.red };
    case "progress":
      return { icon: "▸", kind: "progress", colour: paint.cyan };
    default:
      return event satisfies never;
  }
}
