// Everything `runs show` tells about one run.
import type { JsonObject } from "../../core/json.ts";
import { textOf } from "../../core/message.ts";
import { isTerminal, type Run } from "../../core/run.ts";
import { formatAgo, formatDuration } from "./amounts.ts";
import { paintStatus, statusIcon, type Paint } from "./paint.ts";
import { describeUse, field, renderArtifacts, renderFailure, renderViolations } from "./run-summary.ts";
import { manyLines, oneLine, truncate } from "./text.ts";

const MAX_TASK_LINES = 12;
const MAX_QUESTIONS = 10;

export function renderRunDetails(run: Run, paint: Paint, nowMs: number, width?: number): string[] {
  const room = (width ?? Infinity) - 14;
  const status = paintStatus(paint, run.status)(`${statusIcon(run.status)} ${run.status}`);
  const lines = (label: string, values: readonly string[]) => field(label, values, paint);
  return [
    `${paint.bold(run.id)}  ${status}`,
    ...lines("agent", [truncate(oneLine(run.agent), room)]),
    ...lines("task", taskLines(run, room)),
    ...lines("created", [moment(run.created_at, nowMs)]),
    ...lines("duration", [describeTime(run, nowMs)]),
    ...renderFailure(run, paint, width),
    ...lines("used", [describeUse(run.metrics)]),
    ...lines("artifacts", renderArtifacts(run.artifacts, width)),
    ...lines("violations", renderViolations(run, paint, width)),
    ...lines("limits", [describeObject(run.constraints, room)]),
    ...lines("context", [describeObject(run.context, room)]),
    ...lines("metadata", [describeObject(run.metadata, room)]),
    ...lines("attempt", [describeAttempt(run)]),
    ...lines("follows", [run.follows ?? ""]),
    ...lines("part of", [run.conversation_id === run.id ? "" : describeConversation(run, room)]),
    ...lines("questions", describeQuestions(run, room)),
    ...lines("trace", [run.trace_id]),
    ...lines("events", [`proctor runs events ${run.id}${isTerminal(run.status) ? "" : " --follow"}`]),
  ];
}

function describeConversation({ id, conversation_id }: Run, room: number): string {
  return `${truncate(oneLine(conversation_id), room)}: proctor runs messages ${id} --all`;
}

function describeQuestions({ id, questions }: Run, room: number): string[] {
  if (questions.length === 0) return [];
  const asked = questions.slice(0, MAX_QUESTIONS).map((question) => {
    const what = `${oneLine(question.id)}  ${question.kind}: ${oneLine(textOf(question.parts))}`;
    return truncate(what, room);
  });
  const more = questions.length > MAX_QUESTIONS ? ["…"] : [];
  return [...asked, ...more, `answer: proctor runs answer ${id}`];
}

function taskLines(run: Run, room: number): string[] {
  const all = manyLines(run.task.description).trim().split("\n");
  const shown = all.slice(0, MAX_TASK_LINES).map((line) => truncate(line, room));
  return all.length > shown.length ? [...shown, "…"] : shown;
}

function moment(iso: string, nowMs: number): string {
  return `${iso} (${formatAgo(iso, nowMs)})`;
}

function describeTime(run: Run, nowMs: number): string {
  if (run.started_at === null) return "";
  const end = run.ended_at === null ? nowMs : Date.parse(run.ended_at);
  const elapsed = formatDuration(end - Date.parse(run.started_at));
  return run.ended_at === null ? `${elapsed} so far` : elapsed;
}

function describeAttempt(run: Run): string {
  if (run.attempt === 1 && run.retry === null) return "";
  const most = run.retry === null ? "" : ` of at most ${run.retry.max_attempts}`;
  const before = run.retry_of === null ? "" : `, retries ${run.retry_of}`;
  return `${run.attempt}${most}${before}`;
}

function describeObject(value: JsonObject, room: number): string {
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined && entry !== null);
  const parts = entries.map(
    ([key, entry]) => `${key}=${typeof entry === "string" ? entry : JSON.stringify(entry)}`,
  );
  return truncate(oneLine(parts.join("  ")), room);
}
