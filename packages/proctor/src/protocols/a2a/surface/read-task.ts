// Reads a task from the logs of its attempts as they are now.
import type { ConversationMessage, Hub } from "../../../core/ports/hub.ts";
import { isTerminal, type Run } from "../../../core/run.ts";
import type { FoundTask } from "./find-task.ts";
import type { TaskView } from "./task-document.ts";
import { createTaskFold, type TaskFold } from "./task-fold.ts";

type Reader = Pick<Hub, "run" | "events" | "messages">;

const PAGE = 1000;

/** The task, with everything that was said in all attempts. */
export async function readTask(hub: Reader, task: FoundTask): Promise<TaskView> {
  const { id, last } = task;
  const before = await messagesBefore(hub, task);
  if (!isTerminal(last.status)) return viewOf(id, before, await foldNow(hub, last.id));
  const messages = [...before, ...attemptMessages(await hub.messages(last.id), last)];
  return { taskId: id, run: last, messages, since: last.ended_at ?? last.created_at };
}

/** What was said in the attempts before the newest. */
export async function messagesBefore(
  hub: Pick<Hub, "messages">,
  { runs, last }: FoundTask,
): Promise<ConversationMessage[]> {
  const said: ConversationMessage[] = [];
  for (const run of runs) if (run !== last) said.push(...attemptMessages(await hub.messages(run.id), run));
  return said;
}

/** The task as a fold of its newest attempt has it; `before` is what was said in the others. */
export function viewOf(taskId: string, before: readonly ConversationMessage[], fold: TaskFold): TaskView {
  const run = fold.run();
  const messages = [...before, ...attemptMessages(fold.messages(), run)];
  return { taskId, run, messages, growing: fold.growing(), since: fold.since() };
}

/** What was said in an attempt. Only the first has the client's message; the others repeat the task in its place. */
function attemptMessages(messages: readonly ConversationMessage[], run: Run): ConversationMessage[] {
  return messages.filter(({ sequence, message }) => {
    return run.retry_of === null || sequence !== null || message.role !== "user";
  });
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
