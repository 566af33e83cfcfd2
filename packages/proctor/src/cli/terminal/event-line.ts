// One event as one line: when, what kind, and the essence of its payload.
import type { RunEvent } from "../../core/event.ts";
import { formatCount, formatOffset } from "./amounts.ts";
import { describeEvent } from "./describe-event.ts";
import { paintStatus, statusIcon, type Paint } from "./paint.ts";
import { manyLines, oneLine, padEnd, padStart, truncate } from "./text.ts";

interface EventLineOptions {
  /** Epoch milliseconds from which the offset counts. */
  startMs: number;
  paint: Paint;
  /** Columns of the terminal. Absent in a pipe. */
  width?: number | undefined;
}

const OFFSET_COLUMNS = 8;
const KIND_COLUMNS = 9;
/** A pipe gets much, but no megabyte on one line: `runs events --json` has everything. */
const PIPE_COLUMNS = 2000;
const MAX_LOG_LINES = 50;

export function renderEventLine(event: RunEvent, { startMs, paint, width }: EventLineOptions): string {
  const offset = padStart(formatOffset(Date.parse(event.timestamp) - startMs), OFFSET_COLUMNS);
  const { icon, kind, colour } = look(event, paint);
  const head = OFFSET_COLUMNS + 2 + 1 + 1 + KIND_COLUMNS + 2;
  const room = (isUncut(event) ? PIPE_COLUMNS : (width ?? PIPE_COLUMNS)) - head;
  const essence = truncate(oneLine(describeEvent(event, room)), room);
  const start = `${paint.dim(offset)}  ${colour(icon)}`;
  if (event.type === "log") {
    const [first = "", ...more] = logLines(describeEvent(event), room);
    const below = more.map((line) => `${" ".repeat(head)}${paint.dim(line)}`.trimEnd());
    return [`${start} ${colour(padEnd(kind, KIND_COLUMNS))}  ${paint.dim(first)}`, ...below].join("\n");
  }
  if (essence === "") return `${start} ${colour(kind)}`;
  return `${start} ${colour(padEnd(kind, KIND_COLUMNS))}  ${isQuiet(event) ? paint.dim(essence) : essence}`;
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
    event.type === "run.started"
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
      return { icon: "!", kind: "answer", colour: paint.green };
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
