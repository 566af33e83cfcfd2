// Reads a task from the logs of its attempts as they are now.
import type { Message } from "../../../core/message.ts";
import type { ConversationMessage, Hub } from "../../../core/ports/hub.ts";
import type { LogReader } from "../../../core/ports/log-reader.ts";
import { decodeRecord } from "../../../core/ports/store.ts";
import { isTerminal, type Run } from "../../../core/run.ts";
import type { FoundTask } from "./find-task.ts";
import { createHistoryFold, HISTORY_EVENTS, type Said } from "./history-fold.ts";
import type { TaskView } from "./task-document.ts";
import { createTaskFold, type TaskFold } from "./task-fold.ts";
import { never } from "../../../runtime/time/never.ts";

export interface TaskReader {
  hub: Pick<Hub, "events">;
  log: Pick<LogReader, "records">;
}

const PAGE = 1000;

/** Resolves with the task and everything that was said in all attempts. */
export async function readTask(reader: TaskReader, task: FoundTask): Promise<TaskView> {
  const { id, last } = task;
  if (task.said) return begun(last, task.said);
  const before = await saidBefore(reader, task);
  if (!isTerminal(last.status)) return viewOf(id, before, await foldNow(reader.hub, last.id));
  const said = joined([before, await saidIn(reader, last)]);
  return { taskId: id, run: last, ...said, since: last.ended_at ?? last.created_at };
}

/** Returns the task after its first commit. */
function begun(run: Run, message: Message): TaskView {
  const messages = [{ run_id: run.id, sequence: null, message }];
  return { taskId: run.id, run, messages, history: messages, since: run.created_at };
}

/** Resolves with what was said in the attempts before the newest one. */
export async function saidBefore(reader: TaskReader, { runs, last }: FoundTask): Promise<Said> {
  const said: Said[] = [];
  for (const run of runs) if (run !== last) said.push(await saidIn(reader, run));
  return joined(said);
}

/** Returns the task with the state of its newest attempt; `before` is what was said in the others. */
export function viewOf(taskId: string, before: Said, fold: TaskFold): TaskView {
  const run = fold.run();
  const said = joined([before, inAttempt(fold.said(), run)]);
  return { taskId, run, ...said, growing: fold.growing(), since: fold.since() };
}

/** Resolves with what was said in an ended run, whose log ends by itself. */
async function saidIn({ log }: TaskReader, run: Run): Promise<Said> {
  const fold = createHistoryFold(run.id);
  for await (const records of log.records(run.id, -1, never))
    for (const record of records) if (HISTORY_EVENTS.test(record.type)) fold.add(decodeRecord(record));
  return inAttempt(fold.said(run), run);
}

function joined(all: readonly Said[]): Said {
  return {
    messages: all.flatMap(({ messages }) => messages),
    history: all.flatMap(({ history }) => history),
  };
}

/** Returns what was said in an attempt. Only the first has the client's message; the others repeat the task in its place. */
function inAttempt({ messages, history }: Said, run: Run): Said {
  if (run.retry_of === null) return { messages, history };
  const isOwn = ({ sequence, message }: ConversationMessage): boolean =>
    sequence !== null || message.role !== "user";
  return { messages: messages.filter(isOwn), history: history.filter(isOwn) };
}

/** Folds a log up to its present end. */
export async function foldNow(hub: Pick<Hub, "events">, runId: string): Promise<TaskFold> {
  const fold = createTaskFold(runId, { pieces: true });
  for (;;) {
    const page = await hub.events(runId, { after: fold.sequence(), limit: PAGE });
    for (const event of page) fold.add(event);
    if (page.length < PAGE) return fold;
  }
}
