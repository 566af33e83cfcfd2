// The tasks of one client on one socket: docs/reference/atp.md, "WebSocket". Each is told as fast as the client reads,
// page by page and in turn, so that one that floods neither starves the others nor fills the memory.
import { createHangUp } from "../../../channels/websocket/hang-up.ts";
import { taskKey } from "../formats.ts";
import type { Caller } from "../../../core/caller.ts";
import { ProctorError } from "../../../core/errors.ts";
import { isJsonObject, type Json } from "../../../core/json.ts";
import type { MessageSocket } from "../../../core/ports/message-socket.ts";
import type { TraceOrigin } from "../../../core/trace.ts";
import { refusal, type Execution, type Executions } from "../execution.ts";
import { readClientFrame, type ClientFrame } from "./client-frame.ts";
import { createPagePuller } from "./page-puller.ts";
import { createRecent } from "./recent.ts";
import { createTurns, type Turns } from "./turns.ts";

export interface ServeOptions {
  executions: Executions;
  stopping: AbortSignal;
  agent: string;
  /** Caller that opened the socket; undefined for the operator of the hub. */
  caller: Caller | undefined;
  /** True when tasks go on after the client has left. */
  keep: boolean;
  /** Returns where a new task belongs: to the trace that it names itself, to that of the socket, or to one of its own. */
  origin: (named?: string) => TraceOrigin;
  /** Called with a problem that the client can no longer see. */
  report: (problem: unknown, runId: string) => void;
}

interface Task {
  /** Id of the task; undefined for a request without one. */
  id: string | undefined;
  opened: Promise<Execution>;
  stop: AbortController;
}

const MAX_TASKS = 10_000;
/** The most requests that are started at a time; the rest waits in the socket. */
const STARTING = 16;
/** The most tasks that hold a page at a time. */
const TELLING = 16;
/** Number of ended tasks that are remembered, so that a late cancel of one is not an error. */
const REMEMBERED = 1000;

/** Serves until the socket is closed and its tasks are let go. Throws failures on our side. */
export async function serveTasks(socket: MessageSocket, options: ServeOptions): Promise<void> {
  const { executions, stopping, agent, caller, keep, origin, report } = options;
  const line = createHangUp(socket, stopping);
  const tasks = new Map<string, Task>();
  const performing = new Set<Promise<void>>();
  const ended = createRecent(REMEMBERED);
  const starting = createTurns(STARTING);
  const telling = createTurns(TELLING);
  /** True when the client has left. */
  let gone = false;

  function refuse(error: ProctorError, taskId: string | undefined): Promise<boolean> {
    return socket.send(JSON.stringify(refusal(error, taskId)));
  }

  async function hear(frame: ClientFrame): Promise<void> {
    switch (frame.kind) {
      case "malformed":
        await refuse(frame.error, frame.taskId);
        break;
      case "request": {
        const start = (): Promise<Execution> =>
          executions.start(agent, frame.body, {
            ...origin(traceparentIn(frame.body)),
            ...(caller && { caller }),
          });
        await begin(frame.taskId, start, -1);
        break;
      }
      case "resume":
        await begin(frame.taskId, () => executions.find(agent, frame.taskId), frame.after);
        break;
      case "cancel":
        await cancel(frame.taskId, frame.reason ?? "the client asked for it");
        break;
    }
  }

  async function begin(id: string | undefined, open: () => Promise<Execution>, after: number): Promise<void> {
    if (id !== undefined && tasks.has(taskKey(id))) {
      const error = new ProctorError("ILLEGAL_TRANSITION", `task ${id} still runs on this socket`);
      await refuse(error, id);
      return;
    }
    if (tasks.size >= MAX_TASKS) return line.hangUp(1013, `more than ${MAX_TASKS} tasks on one socket`);
    await starting.take();
    const opened = open();
    const task: Task = { id, opened, stop: new AbortController() };
    if (id !== undefined) tasks.set(taskKey(id), task);
    const done: Promise<void> = perform(task, after)
      .catch((error: unknown) => {
        if (!task.stop.signal.aborted) line.fail(error);
      })
      .then(() => {
        forget(task);
        performing.delete(done);
      });
    performing.add(done);
  }

  async function perform(task: Task, after: number): Promise<void> {
    let execution: Execution;
    try {
      execution = await task.opened;
    } catch (error) {
      if (!ProctorError.is(error)) throw error;
      forget(task);
      await refuse(error, task.id);
      return;
    } finally {
      starting.give();
    }
    await tell(task, execution, after);
  }

  async function tell(task: Task, execution: Execution, after: number): Promise<void> {
    const { signal } = task.stop;
    const pages = createPagePuller(execution.messages(after, signal)[Symbol.asyncIterator](), telling);
    try {
      for (let page = await pages.next(); page !== undefined; page = await pages.next()) {
        for (const { kind, text } of page) {
          // Before the response is sent: a client that has it may use the id again.
          if (kind === "response") forget(task);
          if (!(await socket.send(text)) || kind === "response") return;
        }
      }
    } finally {
      await pages.close();
    }
    if (!signal.aborted) throw new Error(`the log of run ${execution.runId} ended without its end`);
  }

  function forget({ id }: Task): void {
    if (id === undefined || !tasks.delete(taskKey(id))) return;
    ended.add(taskKey(id));
  }

  async function cancel(id: string, reason: string): Promise<void> {
    const task = tasks.get(taskKey(id));
    if (task) void cancelOpened(task, reason).catch((error: unknown) => line.fail(error));
    else if (!ended.has(taskKey(id))) {
      const error = new ProctorError("RUN_NOT_FOUND", `no task ${id} runs on this socket\nresume it first`);
      await refuse(error, id);
    }
  }

  async function cancelOpened({ opened }: Task, reason: string): Promise<void> {
    // A task that did not start needs no cancel; its refusal says why.
    const execution = await opened.catch(() => undefined);
    await execution?.cancel(reason);
  }

  async function cancelInTurn(task: Task, turns: Turns): Promise<void> {
    await turns.take();
    try {
      await cancelOpened(task, "the client disconnected");
    } catch (error) {
      const runId = await task.opened.then((execution) => execution.runId);
      report(error, runId);
    } finally {
      turns.give();
    }
  }

  async function letGo(): Promise<void> {
    const left = [...tasks.values()];
    for (const task of left) task.stop.abort();
    // When the hub ends the connection itself, the client is told to come back and resume.
    if (!keep && !stopping.aborted && !line.failed) {
      const turns = createTurns(STARTING);
      await Promise.all(left.map((task) => cancelInTurn(task, turns)));
    }
    await Promise.all(performing);
  }

  void socket.closed.then(() => (gone = true));
  try {
    for await (const text of socket.messages) {
      // Requests of a client that has left are served only when the client asked to keep its tasks.
      if (line.over || (gone && !keep)) break;
      await hear(readClientFrame(text));
    }
    await socket.closed;
  } finally {
    line.release();
    await letGo();
  }
  line.throwFailure();
}

/** Returns the traceparent in a task's metadata: tasks share a socket, and so cannot use headers. */
function traceparentIn(body: Json): string | undefined {
  const metadata = isJsonObject(body) ? body["metadata"] : undefined;
  const named = isJsonObject(metadata) ? metadata["traceparent"] : undefined;
  return typeof named === "string" ? named : undefined;
}
