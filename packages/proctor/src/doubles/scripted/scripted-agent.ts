// The agent of document 001: an A2A service without any intelligence, which plays scripts to those who talk to it and remembers what they
// asked. It owns its tasks. Versions and bindings are the server half's; faults on the way to the client are faults/.
import type { Clock } from "../../core/ports/clock.ts";
import { A2aError, type A2aReason } from "../../protocols/a2a/errors.ts";
import type { A2aMessage, AgentCard, SendRequest, SendResult } from "../../protocols/a2a/model.ts";
import type { A2aCall, A2aOperation, A2aService, StreamFrame } from "../../protocols/a2a/service.ts";
import { isInterruptedState } from "../../protocols/a2a/states.ts";
import { beginTurn, TEST_CASE_HEADER, type BegunTurn } from "./begin-turn.ts";
import type { CapturedRequest, CapturedRequests } from "./captured-requests.ts";
import type { Codecs } from "./complete-event.ts";
import type { Exchange, Exchanges } from "./exchange.ts";
import type { FaultChooser } from "./faults/choose-faults.ts";
import type { ScriptedFault } from "./faults/fault.ts";
import { viewTask } from "./fold-task.ts";
import { addPushConfig, findPushConfig, listPushConfigs } from "./push-configs.ts";
import { resumeAt, type ScriptedTask } from "./scripted-task.ts";
import type { ScriptSource } from "./script-source.ts";
import type { TaskStore } from "./task-store.ts";
import { createTurnPlayer, type Notify, type Played } from "./turn-player.ts";

export interface ScriptedAgentOptions {
  codecs: Codecs;
  clock: Clock;
  source: ScriptSource;
  tasks: TaskStore;
  captured: CapturedRequests;
  /** Requests over HTTP, which the app captures. Requests over other bindings are captured here. */
  exchanges: Exchanges;
  chooser: FaultChooser;
  /** Returns the faults of every turn, in addition to those of its script. */
  faults(): readonly ScriptedFault[];
  card(call: A2aCall): AgentCard;
  extendedCard(call: A2aCall): AgentCard;
  /** Throws A2aError where the caller may not use the operation; absent where every caller may. */
  authorize?(operation: A2aOperation, call: A2aCall): void;
  notify: Notify;
}

export function createScriptedAgent(options: ScriptedAgentOptions): A2aService {
  const { clock, tasks, exchanges, captured } = options;
  const player = createTurnPlayer(options);
  let order = 0;

  /** Captures requests that did not come over HTTP, authorizes the caller, and notes why a request was refused. */
  async function serve<T>(
    operation: A2aOperation,
    request: object,
    call: A2aCall,
    answer: (exchange: Exchange) => T | Promise<T>,
  ): Promise<T> {
    const exchange = exchanges.get(call.traceId) ?? {
      capture: captured.add(factsOf(call, clock.now()), JSON.stringify(request)),
    };
    const { version, binding } = call;
    const testCaseId = call.headers[TEST_CASE_HEADER];
    exchange.capture.note({
      operation,
      version,
      binding,
      ...(testCaseId !== undefined && { test_case_id: testCaseId }),
    });
    try {
      options.authorize?.(operation, call);
      return await answer(exchange);
    } catch (error) {
      exchange.capture.note({ error: error instanceof Error ? error.message : String(error) });
      throw error;
    }
  }

  /** Returns the task if the caller may see it. */
  function find(id: string, call: A2aCall, { capture }: Exchange): ScriptedTask {
    const task = tasks.get(id, call.headers[TEST_CASE_HEADER]);
    capture.note({
      task_id: task.id,
      context_id: task.contextId,
      ...(task.testCaseId !== undefined && { test_case_id: task.testCaseId }),
    });
    return task;
  }

  async function begin(request: SendRequest, call: A2aCall, exchange: Exchange): Promise<BegunTurn> {
    const { message, configuration } = request;
    const begun = await beginTurn(message, call, {
      source: options.source,
      tasks,
      now: () => clock.now(),
      nextOrder: () => (order += 1),
      note: (facts) => exchange.capture.note(facts),
    });
    const { task, turn, hasTask, isNew } = begun;
    chooseFaults(begun, exchange);
    if (turn.error !== undefined) {
      if (!isNew) task.say(message, sizeOf(message));
      throw new A2aError(turn.error.reason, turn.error.message);
    }
    if (turn.events.some(({ raw }) => raw === true)) exchange.raw = new Map();
    const config = configuration?.taskPushNotificationConfig;
    if (config !== undefined) addPushConfig(task, config, call.version);
    task.say(message, sizeOf(message));
    if (hasTask) exchange.capture.note({ task_id: task.id });
    if (hasTask && isNew) tasks.add(task);
    return begun;
  }

  function chooseFaults({ task, turn, script, index }: BegunTurn, exchange: Exchange): void {
    const all = [...options.faults(), ...script.faults, ...(turn.faults ?? [])];
    if (all.length === 0) return;
    const chosen = options.chooser.choose(all, task.testCaseId ?? script.name, index);
    if (chosen.faults.length === 0) return;
    exchange.faults = chosen;
    exchange.capture.note({ faults: chosen.faults.map(({ kind }) => kind) });
    const refusing = chosen.faults.find((fault) => fault.kind === "status");
    // The turn is not used up: a client that tries again gets it.
    if (refusing?.kind === "status") throw refusal(refusing);
  }

  async function* follow(
    task: ScriptedTask,
    from: number,
    isOver: (at: number) => boolean,
    call: A2aCall,
    exchange: Exchange,
    sent: number,
  ): AsyncGenerator<StreamFrame> {
    let number = sent;
    for await (const frame of task.log.follow(from, isOver, call.signal)) {
      const raw = player.rawOf(frame.event);
      if (raw !== undefined) exchange.raw?.set(number, raw);
      number += 1;
      yield frame;
    }
  }

  async function* followTurn(
    task: ScriptedTask,
    played: Played,
    call: A2aCall,
    exchange: Exchange,
  ): AsyncGenerator<StreamFrame> {
    const isOver = (at: number): boolean => played.end !== undefined && at >= played.end;
    yield* follow(task, played.from, isOver, call, exchange, 0);
    if (played.failure !== undefined) {
      exchange.capture.note({ error: played.failure.message });
      throw played.failure;
    }
  }

  function play(begun: BegunTurn, message: A2aMessage, call: A2aCall, streams: boolean): Played {
    return player.play(begun, message.messageId, {
      opening: streams && opens(begun, call),
      version: call.version,
    });
  }

  return {
    card: (call) => Promise.resolve(options.card(call)),

    extendedCard: (call) => serve("extendedCard", {}, call, () => options.extendedCard(call)),

    send: (request, call) =>
      serve("send", request, call, async (exchange): Promise<SendResult> => {
        const begun = await begin(request, call, exchange);
        const { task, hasTask } = begun;
        const { returnImmediately = false, historyLength } = request.configuration ?? {};
        const before = task.task;
        const played = play(begun, request.message, call, false);
        if (returnImmediately && hasTask) return { task: viewTask(before, { historyLength }) };
        await played.done;
        if (played.failure !== undefined) throw played.failure;
        const raw = played.last && player.rawOf(played.last);
        if (raw !== undefined) exchange.raw?.set(0, raw);
        const message = played.last?.message;
        return message === undefined ? { task: viewTask(task.task, { historyLength }) } : { message };
      }),

    stream: (request, call) =>
      serve("stream", request, call, async (exchange) => {
        const begun = await begin(request, call, exchange);
        return followTurn(begun.task, play(begun, request.message, call, true), call, exchange);
      }),

    subscribe: ({ id }, call) =>
      serve("subscribe", { id }, call, (exchange) => {
        const task = find(id, call, exchange);
        const resumed = resumeAt(task, call.lastEventId);
        if (task.isTerminal && task.playing === undefined && resumed === undefined) {
          throw new A2aError(
            "UNSUPPORTED_OPERATION",
            `the task has ended as ${task.task.status.state}; nothing more comes`,
          );
        }
        if (exchange.faults === undefined) exchange.raw = new Map();
        // A task whose turn ended while it was working sends nothing more; one that waits for its client may.
        const isOver = (at: number): boolean =>
          at >= task.log.end && task.playing === undefined && !isInterruptedState(task.task.status.state);
        if (resumed !== undefined) return follow(task, resumed, isOver, call, exchange, 0);
        return withSnapshot(task, () => follow(task, task.log.end, isOver, call, exchange, 1));
      }),

    getTask: ({ id, historyLength }, call) =>
      serve("getTask", { id }, call, (exchange) =>
        viewTask(find(id, call, exchange).task, { historyLength }),
      ),

    listTasks: (request, call) =>
      serve("listTasks", request, call, () => tasks.list(request, call.headers[TEST_CASE_HEADER])),

    cancelTask: ({ id }, call) =>
      serve("cancelTask", { id }, call, async (exchange) => {
        const task = find(id, call, exchange);
        if (task.isTerminal && task.playing === undefined)
          throw notCancelable(task, `it has ended as ${task.task.status.state}`);
        if (task.script.cancel === "refuse") throw notCancelable(task, "its script refuses to be cancelled");
        await player.cancel(task, call.version);
        return viewTask(task.task);
      }),

    createPushConfig: (config, call) =>
      serve("createPushConfig", config, call, (exchange) =>
        addPushConfig(find(config.taskId ?? "", call, exchange), config, call.version),
      ),

    getPushConfig: ({ taskId, id }, call) =>
      serve("getPushConfig", { taskId, id }, call, (exchange) =>
        findPushConfig(find(taskId, call, exchange), id),
      ),

    listPushConfigs: ({ taskId }, call) =>
      serve("listPushConfigs", { taskId }, call, (exchange) => listPushConfigs(find(taskId, call, exchange))),

    deletePushConfig: ({ taskId, id }, call) =>
      serve(
        "deletePushConfig",
        { taskId, id },
        call,
        (exchange) => void find(taskId, call, exchange).pushConfigs.delete(id),
      ),
  };
}

/** Yields the current task before the events of a subscription (specification 1.0, section 3.1.6). */
async function* withSnapshot(
  task: ScriptedTask,
  rest: () => AsyncGenerator<StreamFrame>,
): AsyncGenerator<StreamFrame> {
  const following = rest();
  yield { event: { task: viewTask(task.task) } };
  yield* following;
}

/** Whether a stream has to begin with the task (specification 1.0, section 3.1.2), unless it is one message. Version 0.3 has no such rule. */
function opens({ script, turn, hasTask }: BegunTurn, { version }: A2aCall): boolean {
  if (!hasTask || script.opening === "none") return false;
  const [first] = turn.events;
  const begins =
    first !== undefined &&
    ("task" in first.event || "message" in first.event || first.event["kind"] === "task");
  return script.opening === "task" ? !begins : version === "1.0" && !begins;
}

function notCancelable({ id }: ScriptedTask, why: string): A2aError {
  return new A2aError("TASK_NOT_CANCELABLE", `the task cannot be cancelled: ${why}`, {
    metadata: { taskId: id },
  });
}

const REASONS: Readonly<Record<number, A2aReason>> = {
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "TASK_NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
};

/** Returns the error for a fault's status, for bindings other than HTTP, where the app answers with the status itself. */
function refusal({ status, retryAfterSeconds }: { status: number; retryAfterSeconds?: number }): A2aError {
  return new A2aError(REASONS[status] ?? "INTERNAL", `the script answers with the status ${status}`, {
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}

function factsOf({ headers, binding }: A2aCall, nowMs: number): Omit<CapturedRequest, "number" | "body"> {
  return {
    time: new Date(nowMs).toISOString(),
    method: "POST",
    path: binding === "GRPC" ? "grpc" : "",
    headers: { ...headers },
  };
}

/** Returns the characters that a message takes in memory, without encoding it. */
function sizeOf({ parts }: A2aMessage): number {
  return parts.reduce(
    (sum, { text, raw, data }) =>
      sum + (text?.length ?? 0) + (raw?.length ?? 0) + (data === undefined ? 0 : JSON.stringify(data).length),
    200,
  );
}
