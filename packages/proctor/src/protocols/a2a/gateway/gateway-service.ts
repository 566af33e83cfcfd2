// One agent behind the gateway, as a service over its service. It records nothing of what is said but artifacts and ids.
import { DerivedCall } from "../derived-call.ts";
import { A2aError } from "../errors.ts";
import { rememberCard } from "../card/remember-card.ts";
import type { A2aTask, AgentCard, GetTaskRequest, SendRequest, StreamResponse } from "../model.ts";
import type { A2aCall, A2aService, A2aStream } from "../service.ts";
import { isTerminalState } from "../states.ts";
import { createChunks } from "./chunks.ts";
import type { Connection } from "./downstream.ts";
import { createExchange, type AnswerOptions, type Exchange, type ExchangeDeps } from "./exchange.ts";
import { followTask } from "./follow-task.ts";
import { gatewayCard } from "./gateway-card.ts";
import { inward, noPush } from "./inward.ts";
import { listTasks } from "./list-tasks.ts";
import { outwardFrames } from "./outward-frames.ts";
import { untilLate, withTimeLimit } from "./time-limit.ts";

export interface GatewayServiceDeps extends ExchangeDeps {
  alias: string;
  /** Returns whether clients need a token, which may change while the hub runs. */
  isProtected: () => boolean;
  /** Bytes of all artifacts of one message together. */
  maxMessageBytes: number;
  /** Milliseconds for which a file that may lack chunks is held back. */
  holdMs: number;
}

export function createGatewayService(deps: GatewayServiceDeps): A2aService {
  const { ids, clock, feeds, artifacts } = deps;
  const makeCard = (card: AgentCard, call: Pick<A2aCall, "origin" | "basePath">): AgentCard =>
    gatewayCard(card, call, { alias: deps.alias, isProtected: deps.isProtected() });
  const cardOf = rememberCard(makeCard, deps.isProtected);
  const limited = <T>(call: A2aCall, work: (signal: AbortSignal) => Promise<T>): Promise<T> =>
    untilLate(deps, call.signal, work);

  async function innerRequest(request: SendRequest, exchange: Exchange) {
    const { user, connection } = exchange;
    const made = await inward(request, user, { ...deps, maxBytes: deps.maxMessageBytes });
    exchange.notes.request(made.request);
    return { ...made, connection };
  }

  /** Opens a stream that outlives its client for a while: it has a signal of its own. */
  async function openStream(
    exchange: Exchange,
    answer: AnswerOptions,
    open: (call: A2aCall) => Promise<A2aStream>,
  ): Promise<A2aStream> {
    const { call, user, connection } = exchange;
    const stopping = new AbortController();
    const { signal } = stopping;
    const leave = (): void => stopping.abort();
    call.signal.addEventListener("abort", leave, { once: true });
    if (call.signal.aborted) leave();
    let first: A2aStream;
    try {
      first = await withTimeLimit(deps, stopping, () => open(exchange.inner(signal)));
    } catch (error) {
      stopping.abort();
      throw error;
    } finally {
      call.signal.removeEventListener("abort", leave);
    }
    const outward = exchange.outward(answer, signal);
    const chunks = createChunks({
      keep: deps.keep,
      read: (artifact) => artifacts.read(artifact),
      user,
      onKept: (produced) => outward.noteProduced(produced),
      signal,
    });
    const events = followTask(first, {
      subscribe: (id, attempt) => connection.service.subscribe({ id }, exchange.inner(attempt)),
      getTask: (id) =>
        untilLate(deps, signal, (limit) => connection.service.getTask({ id }, exchange.inner(limit))),
      beginsWithTask: connection.version === "1.0",
      clock,
      signal,
    });
    const note = (event: StreamResponse): StreamResponse => exchange.notes.frame(event);
    return feeds.open(
      {
        user,
        source: outwardFrames(events, { outward, chunks, note, clock, holdMs: deps.holdMs }),
        stop: () => stopping.abort(),
        snapshot: async (reader) => ({
          task: await getTask({ id: outward.taskId() ?? "" }, new DerivedCall(call, { signal: reader })),
        }),
      },
      call.signal,
    );
  }

  async function getTask(request: GetTaskRequest, call: A2aCall): Promise<A2aTask> {
    const exchange = await createExchange(call, deps);
    const { inner, context } = await ids.task(exchange.user, request.id);
    const task = await askForTask(exchange.connection, { ...request, id: inner }, exchange, call);
    const outward = exchange.outward({ context, isNamed: true, task: inner }, call.signal);
    return exchange.notes.result("getTask", await outward.task(task));
  }

  function askForTask(
    { service }: Connection,
    request: GetTaskRequest,
    exchange: Exchange,
    call: A2aCall,
  ): Promise<A2aTask> {
    return limited(call, (signal) => service.getTask(request, exchange.inner(signal)));
  }

  return {
    async card(call) {
      return cardOf((await deps.downstream(call)).card, call);
    },
    async extendedCard(call) {
      const exchange = await createExchange(call, deps);
      const { service } = exchange.connection;
      const card = await limited(call, (signal) => service.extendedCard(exchange.inner(signal)));
      return makeCard(card, call);
    },
    async send(request, call) {
      const exchange = await createExchange(call, deps);
      const { request: sent, connection, ...answer } = await innerRequest(request, exchange);
      const result = await limited(call, (signal) => connection.service.send(sent, exchange.inner(signal)));
      const outward = exchange.outward(answer, call.signal);
      const { task, message } = result;
      return exchange.notes.result("send", {
        ...result,
        ...(task && { task: await outward.task(task) }),
        ...(message && { message: await outward.message(message) }),
      });
    },
    async stream(request, call) {
      const exchange = await createExchange(call, deps);
      // A client that comes back with the same request wants the rest of its answer, and not another.
      const rest = feeds.resume(call, exchange.user);
      if (rest) return rest;
      const { request: sent, connection, ...answer } = await innerRequest(request, exchange);
      const { taskId: task } = sent.message;
      return openStream(exchange, { ...answer, ...(task !== undefined && { task }) }, (inner) =>
        connection.service.stream(sent, inner),
      );
    },
    async subscribe(request, call) {
      const exchange = await createExchange(call, deps);
      const { inner: id, context } = await ids.task(exchange.user, request.id);
      const rest = feeds.resume(call, exchange.user);
      if (rest) return rest;
      const { service, version } = exchange.connection;
      return openStream(exchange, { context, isNamed: true, task: id }, async (inner) => {
        if (version === "1.0") return service.subscribe({ ...request, id }, inner);
        // A client may rely on the task as the first frame; 0.3 does not promise it.
        const task = await service.getTask({ id }, inner);
        if (isTerminalState(task.status.state)) {
          throw new A2aError("UNSUPPORTED_OPERATION", "the task is over: there is nothing to subscribe to");
        }
        return startingWith({ task }, await service.subscribe({ ...request, id }, inner));
      });
    },
    getTask,
    async listTasks(request, call) {
      const exchange = await createExchange(call, deps);
      return limited(call, (signal) => listTasks(request, exchange, signal, ids));
    },
    async cancelTask(request, call) {
      const exchange = await createExchange(call, deps);
      const { inner: id, context } = await ids.task(exchange.user, request.id);
      const { connection } = exchange;
      let task: A2aTask;
      try {
        task = await limited(call, (signal) =>
          connection.service.cancelTask({ ...request, id }, exchange.inner(signal)),
        );
      } catch (error) {
        if (!(error instanceof A2aError) || error.reason !== "TASK_NOT_CANCELABLE") throw error;
        // A client that cancels a task is content when the task has ended.
        task = await askForTask(connection, { id }, exchange, call);
        if (!isTerminalState(task.status.state)) throw error;
      }
      const outward = exchange.outward({ context, isNamed: true, task: id }, call.signal);
      return exchange.notes.result("cancelTask", await outward.task(task));
    },
    createPushConfig: () => Promise.reject(noPush()),
    getPushConfig: () => Promise.reject(noPush()),
    listPushConfigs: () => Promise.reject(noPush()),
    deletePushConfig: () => Promise.reject(noPush()),
  };
}

async function* startingWith(
  event: StreamResponse,
  stream: A2aStream,
): AsyncGenerator<{ event: StreamResponse }> {
  yield { event };
  let isFirst = true;
  for await (const frame of stream) {
    if (!isFirst || frame.event.task === undefined) yield frame;
    isFirst = false;
  }
}
