// Executions whose tasks are the test: it says what comes and when, and sees how they are read and cancelled.
import { ProctorError } from "../../../src/core/errors.ts";
import type { Json } from "../../../src/core/json.ts";
import { deferred, type Deferred } from "../http/servers.ts";
import type { Execution, Executions, ExecutionMessage } from "../../../src/protocols/atp/execution.ts";
import { taskIdOf } from "../../../src/protocols/atp/execution.ts";

export interface ScriptedTask {
  agent: string;
  body: Json;
  traceId: string | undefined;
  /** Adds events, each a page of its own. */
  push(...texts: string[]): void;
  end(response?: string): void;
  /** Makes every reader of the task fail. */
  fail(cause: unknown): void;
  /** Number of pages that the last reader has read. */
  pagesRead: number;
  readers: number;
  cancelled: Deferred<string>;
  cancels: number;
}

export interface ScriptedExecutions extends Executions {
  tasks: ScriptedTask[];
  /** The n-th task, once it is started. */
  task(index: number): Promise<ScriptedTask>;
}

export function createScriptedExecutions(
  onStart: (task: ScriptedTask) => void = () => undefined,
): ScriptedExecutions {
  const tasks: ScriptedTask[] = [];
  const executions: { task: ScriptedTask; execution: Execution }[] = [];
  let started = deferred();

  function create(agent: string, body: Json, traceId: string | undefined): Execution {
    const events: string[] = [];
    let response: string | undefined;
    let failure: { cause: unknown } | undefined;
    let changed = deferred();
    const change = (): void => {
      changed.resolve();
      changed = deferred();
    };
    const task: ScriptedTask = {
      agent,
      body,
      traceId,
      push(...texts) {
        events.push(...texts);
        change();
      },
      end(text = '{"status":"completed"}') {
        response = text;
        change();
      },
      fail(cause) {
        failure = { cause };
        change();
      },
      pagesRead: 0,
      readers: 0,
      cancelled: deferred(),
      cancels: 0,
    };

    async function settled(signal: AbortSignal): Promise<void> {
      if (signal.aborted) return;
      await new Promise<void>((resolve) => {
        signal.addEventListener("abort", () => resolve(), { once: true });
        void changed.promise.then(resolve);
      });
    }

    const execution: Execution = {
      runId: `run-${tasks.length}`,
      taskId: taskIdOf(body) ?? "",
      async *messages(after, signal): AsyncGenerator<ExecutionMessage[]> {
        task.readers++;
        task.pagesRead = 0;
        try {
          for (let sequence = after + 1; !signal.aborted;) {
            if (failure) throw failure.cause;
            const text = events[sequence];
            if (text !== undefined) {
              task.pagesRead++;
              yield [{ kind: "event", sequence: sequence++, text }];
            } else if (response !== undefined) return void (yield [{ kind: "response", text: response }]);
            else await settled(signal);
          }
        } finally {
          task.readers--;
        }
      },
      async response(signal) {
        task.readers++;
        try {
          for (;;) {
            if (response !== undefined) return response;
            await settled(signal);
            signal.throwIfAborted();
            if (failure) throw failure.cause;
          }
        } finally {
          task.readers--;
        }
      },
      cancel(reason) {
        task.cancels++;
        task.cancelled.resolve(reason);
        return Promise.resolve();
      },
    };
    tasks.push(task);
    executions.push({ task, execution });
    onStart(task);
    started.resolve();
    started = deferred();
    return execution;
  }

  return {
    tasks,
    async task(index) {
      while (tasks.length <= index) await started.promise;
      return tasks[index]!;
    },
    async start(agent, body, { traceId }) {
      if (agent === "nobody") throw new ProctorError("AGENT_NOT_FOUND", 'there is no agent "nobody"');
      return create(agent, body, traceId);
    },
    async find(agent, taskId) {
      const found = executions.findLast(
        ({ task, execution }) => task.agent === agent && execution.taskId === taskId,
      );
      if (!found) throw new ProctorError("RUN_NOT_FOUND", `there is no task ${taskId} at ${agent}`);
      return found.execution;
    },
  };
}
