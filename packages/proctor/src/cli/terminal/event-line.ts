// One event as one line: when, what kind, and the essence of its payload.
import type { RunEvent } from "../../core/event.ts";
import { textOf } from "../../core/message.ts";
import { formatCount, formatOffset } from "./amounts.ts";
import { describeEvent } from "./describe-event.ts";
import { questionLines, textLines } from "./question-lines.ts";
import { paintStatus, statusIcon, type Colour, type Paint } from "./paint.ts";
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
/** Columns of a line in a pipe, which gets much, but no megabyte on one line: `runs events --json` has everything. */
const PIPE_COLUMNS = 2000;
const MAX_LOG_LINES = 50;

/** Columns before the essence of an event. Further lines of the same event begin there. */
const HEAD_COLUMNS = OFFSET_COLUMNS + 2 + 1 + 1 + KIND_COLUMNS + 2;
export const EVENT_INDENT = " ".repeat(HEAD_COLUMNS);

/** Returns the columns for what an event says. */
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
  return `${start} ${colour(padEnd(kind, KIND_COLUMNS))}  ${QUIET.has(event.type) ? paint.dim(essence) : essence}`;
}

/** Renders a row of what an agent says while it speaks: the first with when and who, the others below it. */
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

/** Returns undefined for an event that is shown on one line. */
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

/** Keeps the lines of a text apart: a traceback on one line is unreadable. */
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

/** Events whose text matters less than the events around them. */
const QUIET: ReadonlySet<RunEvent["type"]> = new Set<RunEvent["type"]>([
  "log",
  "wire.message",
  "run.queued",
  "run.started",
  "message.opened",
  "message.closed",
  "message.delivered",
  "question.delivered",
  "session.opened",
  "session.parked",
]);

type Look = readonly [icon: string, kind: string, colour: Colour];

/** Looks of the events that look the same whatever their payload. */
const LOOKS = {
  "run.created": ["○", "created", "dim"],
  "run.queued": ["○", "queued", "dim"],
  "run.started": ["▶", "started", "cyan"],
  "run.paused": ["‖", "paused", "magenta"],
  "run.resumed": ["▶", "resumed", "magenta"],
  "run.pause_requested": ["‖", "pause", "dim"],
  "run.resume_requested": ["▶", "resume", "dim"],
  "run.cancel_requested": ["■", "cancel", "yellow"],
  "artifact.added": ["◆", "artifact", "green"],
  "artifact.removed": ["◇", "removed", "yellow"],
  "artifact.opened": ["◇", "artifact", "dim"],
  "artifact.extended": ["◇", "artifact", "dim"],
  "step.added": ["▹", "step", "cyan"],
  "step.changed": ["▸", "step", "cyan"],
  "message.opened": ["«", "agent", "cyan"],
  "message.extended": ["«", "agent", "cyan"],
  "message.closed": ["«", "agent", "cyan"],
  "message.delivered": ["✓", "delivered", "dim"],
  "question.delivered": ["✓", "delivered", "dim"],
  "question.asked": ["?", "question", "magenta"],
  "question.answered": ["»", "answer", "green"],
  "question.withdrawn": ["·", "withdrawn", "dim"],
  "question.notified": ["✉", "notified", "dim"],
  "question.expired": ["·", "expired", "yellow"],
  "session.opened": ["▣", "session", "dim"],
  "session.parked": ["▣", "parked", "dim"],
  "plan.made": ["◇", "plan", "cyan"],
  "plan.refused": ["!", "plan", "yellow"],
  "subtask.expanded": ["◇", "items", "dim"],
  "subtask.started": ["▶", "subtask", "cyan"],
  "subtask.retried": ["↻", "again", "yellow"],
  "subtask.reviewed": ["◆", "review", "magenta"],
  "subtask.settled": ["■", "settled", "green"],
  violation: ["!", "violation", "yellow"],
  unknown: ["?", "unknown", "yellow"],
  "workspace.kept": ["▣", "workspace", "dim"],
  tool_call: ["→", "tool", "blue"],
  llm_request: ["✦", "model", "magenta"],
  reasoning: ["∴", "reasoning", "cyan"],
  state_change: ["⇢", "state", "cyan"],
  artifact_created: ["◇", "artifact", "green"],
  error: ["✗", "error", "red"],
  progress: ["▸", "progress", "cyan"],
} as const satisfies Partial<Record<RunEvent["type"], Look>>;

function look(
  event: RunEvent,
  paint: Paint,
): { icon: string; kind: string; colour: (text: string) => string } {
  if (event.type === "run.ended") {
    const { status } = event.payload;
    return { icon: statusIcon(status), kind: status, colour: paintStatus(paint, status) };
  }
  const [icon, kind, colour] = lookOf(event);
  return { icon, kind, colour: paint[colour] };
}

function lookOf(event: Exclude<RunEvent, { type: "run.ended" }>): Look {
  switch (event.type) {
    case "message.added":
      return event.payload.message.role === "user" ? ["»", "user", "green"] : ["«", "agent", "cyan"];
    case "process.exited":
      return ["▪", "exited", event.payload.code === 0 ? "dim" : "yellow"];
    case "log":
      return ["│", event.payload.stream, "dim"];
    case "environment.opened":
      return ["▣", "environment", event.payload.isolated ? "dim" : "yellow"];
    case "wire.message":
      return [event.payload.direction === "sent" ? "»" : "«", event.payload.direction, "dim"];
    case "tool.called":
      return ["⇄", "called", event.payload.status === "success" ? "blue" : "yellow"];
    default:
      return LOOKS[event.type];
  }
}
