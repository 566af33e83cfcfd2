// One of the hub's agents as a service of A2A: tasks are runs, contexts are conversations.
import type { Agent } from "../../../core/agent.ts";
import type { Hub } from "../../../core/ports/hub.ts";
import type { LogReader } from "../../../core/ports/log-reader.ts";
import type { Receivers } from "../../../core/ports/receivers.ts";
import type { HubPlaces } from "../../protocol.ts";
import { A2aError } from "../errors.ts";
import type { A2aTask, AgentCard, SendRequest } from "../model.ts";
import type { A2aCall, A2aService, A2aStream } from "../service.ts";
import { isAnsweredByMessage } from "../sent-as.ts";
import { isTerminalState } from "../states.ts";
import { rememberCard } from "../card/remember-card.ts";
import { agentCard } from "./agent-card.ts";
import { awaitTask } from "./await-task.ts";
import { cancelTask } from "./cancel-task.ts";
import { continueTask } from "./continue-task.ts";
import { findTask, type FoundTask } from "./find-task.ts";
import { listTasks } from "./list-tasks.ts";
import { newTask, type Repeats } from "./new-task.ts";
import { placeOf } from "./place.ts";
import { createPushConfigs, type PushConfigs } from "./push-configs.ts";
import { foldNow, readTask } from "./read-task.ts";
import { taskDocument, type TaskShape } from "./task-document.ts";
import { stateOf } from "./task-state.ts";
import { endsForClient, readPosition, taskStream, type TaskStreamOptions } from "./task-stream.ts";
import { inA2aWords } from "./to-a2a-error.ts";

export interface AgentServiceDeps {
  hub: Hub;
  log: LogReader;
  /** Accepts receivers of push notifications; absent where this hub sends none. */
  receivers?: Receivers;
  /** Returns whether clients need a bearer token for everything but the card. */
  needsToken: () => boolean;
  /** True when the agent is the one that clients reach without naming any. */
  isDefault: boolean;
  /** Returns the addresses at which clients reach the hub; undefined until it listens. */
  places?: () => HubPlaces | undefined;
  /** Which task a repeated message means. */
  repeats: Repeats;
}

/** Requires the agent to exist only when an operation is called. */
export function createAgentService(agent: string, deps: AgentServiceDeps): A2aService {
  const { hub, log, receivers, needsToken, isDefault, places, repeats } = deps;
  const push = receivers && createPushConfigs(receivers);
  const makeCard = (registered: Agent, call: Pick<A2aCall, "origin" | "basePath">): AgentCard =>
    agentCard(registered, call, {
      needsToken: needsToken(),
      pushes: push !== undefined,
      isDefault,
      places: places?.(),
    });
  const cardOf = rememberCard(makeCard, needsToken);

  const find = (id: string): Promise<FoundTask> => findTask(hub, agent, id);

  async function show(task: FoundTask, call: A2aCall, shape?: TaskShape): Promise<A2aTask> {
    return taskDocument(await readTask({ hub, log }, task), { hub, place: placeOf(call) }, shape);
  }

  /** Resolves with the task that the message begins or continues; its content is on disk. */
  async function take(request: SendRequest, call: A2aCall): Promise<FoundTask> {
    const { message, configuration } = request;
    const known = message.taskId === undefined ? undefined : await find(message.taskId);
    if (known) await continueTask(hub, known, message, call.caller);
    const task = known ? await find(known.id) : await newTask(hub, agent, request, { call, repeats });
    const config = configuration?.taskPushNotificationConfig;
    if (config) await pushing().create(task, config, call, known ? await endOf(known) : -1);
    return task;
  }

  function pushing(): PushConfigs {
    if (push) return push;
    throw new A2aError("PUSH_NOTIFICATION_NOT_SUPPORTED", "this hub sends no push notifications");
  }

  async function endOf({ last }: FoundTask): Promise<number> {
    return (await foldNow(hub, last.id)).sequence();
  }

  function follow(options: TaskStreamOptions, call: A2aCall): A2aStream {
    return taskStream({ hub, log, place: placeOf(call) }, options);
  }

  return {
    card: (call) =>
      inA2aWords(async () => {
        const registered = await hub.agent(agent);
        // Until the hub knows where it listens, its cards lack a place.
        return places && !places() ? makeCard(registered, call) : cardOf(registered, call);
      }),
    extendedCard: () => Promise.reject(new A2aError("EXTENDED_AGENT_CARD_NOT_CONFIGURED")),
    send: (request, call) =>
      inA2aWords(async () => {
        const { historyLength, returnImmediately = false } = request.configuration ?? {};
        const taken = await take(request, call);
        const task = returnImmediately ? taken : await awaitTask({ hub, log }, taken, call.signal);
        const document = await show(task, call, { historyLength });
        const { message } = document.status;
        const isLone = !returnImmediately && isAnsweredByMessage(task.last.extensions);
        return isLone && message ? { message } : { task: document };
      }),
    stream: (request, call) =>
      inA2aWords(async () => {
        const { historyLength } = request.configuration ?? {};
        const task = await take(request, call);
        const endsAt = endsForClient(call.version);
        const after = positionIn(task, call);
        return follow({ task, after, endsAt, historyLength, signal: call.signal }, call);
      }),
    subscribe: ({ id }, call) =>
      inA2aWords(async () => {
        const task = await find(id);
        const after = positionIn(task, call);
        if (isTerminalState(stateOf(task.last)) && (after === undefined || (await hasAll(task, after))))
          throw ended(task);
        return follow({ task, after, endsAt: () => false, signal: call.signal }, call);
      }),
    getTask: ({ id, historyLength }, call) =>
      inA2aWords(async () => show(await find(id), call, { historyLength })),
    listTasks: (request, call) =>
      inA2aWords(() => listTasks({ hub, log, place: placeOf(call) }, agent, request)),
    cancelTask: ({ id }, call) =>
      inA2aWords(async () => {
        await cancelTask({ hub, log }, await find(id), call.signal);
        return show(await find(id), call);
      }),
    createPushConfig: (config, call) =>
      inA2aWords(async () => {
        const task = await find(config.taskId ?? "");
        return pushing().create(task, config, call, await endOf(task));
      }),
    getPushConfig: ({ taskId, id }) => inA2aWords(async () => pushing().get(await find(taskId), id)),
    listPushConfigs: ({ taskId }) => inA2aWords(async () => pushing().list(await find(taskId))),
    deletePushConfig: ({ taskId, id }) => inA2aWords(async () => pushing().remove(await find(taskId), id)),
  };

  async function hasAll(
    { last }: FoundTask,
    after: NonNullable<TaskStreamOptions["after"]>,
  ): Promise<boolean> {
    if (after.runId !== last.id) return false;
    const rest = await hub.events(last.id, { after: after.sequence, limit: 1 });
    return rest.length === 0;
  }
}

/** Returns the position of a returning client in the logs of this task; undefined when it does not come back to this task. */
function positionIn({ runs }: FoundTask, { lastEventId }: A2aCall): TaskStreamOptions["after"] {
  const position = lastEventId === undefined ? undefined : readPosition(lastEventId);
  return runs.some(({ id }) => id === position?.runId) ? position : undefined;
}

function ended({ id, last }: FoundTask): A2aError {
  const what = `task ${id} has ended with ${stateOf(last)}; ask for it instead`;
  return new A2aError("UNSUPPORTED_OPERATION", what, { metadata: { taskId: id } });
}
