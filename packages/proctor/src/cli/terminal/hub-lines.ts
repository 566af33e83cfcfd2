// What the terminal of a hub shows while it works: a line when a run starts, one when it ends, and problems as they come.
import type { Run } from "../../core/run.ts";
import { formatDuration } from "./amounts.ts";
import { paintStatus, statusIcon, type Paint } from "./paint.ts";
import { oneLine, padEnd, truncate } from "./text.ts";

const STATUS_COLUMNS = 9;

export function runLine(
  { id, agent, status, task, failure, started_at, ended_at }: Run,
  paint: Paint,
  width = 80,
): string {
  const time = new Date(ended_at ?? started_at ?? Date.now()).toTimeString().slice(0, 8);
  const word = ended_at === null ? "started" : status;
  const paintWord = paintStatus(paint, status);
  const head = `${time}  ${statusIcon(status)} ${padEnd(word, STATUS_COLUMNS)}  ${id}`;
  const room = width - head.length - 2;
  const said =
    ended_at === null
      ? `${oneLine(agent)}  ${oneLine(task.description)}`
      : endOf({ failure, started_at, ended_at });
  return `${paint.dim(time)}  ${paintWord(`${statusIcon(status)} ${padEnd(word, STATUS_COLUMNS)}`)}  ${id}  ${paint.dim(truncate(said, room))}`.trimEnd();
}

function endOf({ failure, started_at, ended_at }: Pick<Run, "failure" | "started_at" | "ended_at">): string {
  if (failure !== null) return oneLine(`${failure.code}: ${failure.message}`);
  if (started_at === null || ended_at === null) return "";
  return `in ${formatDuration(Date.parse(ended_at) - Date.parse(started_at))}`;
}
