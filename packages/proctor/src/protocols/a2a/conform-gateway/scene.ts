// What the upstream agent plays for one rule, and what it was asked meanwhile. A scene is found by its key, which is in the ids and in the text of
// its messages: so rules can be tried side by side, and a gateway that loses one of them is still understood.
import type { JsonObject } from "../../../core/json.ts";
import { randomHex } from "../../../core/random.ts";
import type { Outgoing } from "../../../runtime/http/listen.ts";
import { A2aError } from "../errors.ts";
import type { A2aMessage, A2aTask, PushConfig, SendRequest, StreamResponse, TaskState } from "../model.ts";
import type { A2aCall, A2aOperation, A2aService, A2aStream } from "../service.ts";

/** Behaviour of the upstream that differs from the usual one. */
export interface Play extends Partial<Omit<A2aService, "card" | "extendedCard">> {
  /** State of a task when its message is answered; completed when absent. */
  state?: TaskState;
  /** Resolves when a message may be answered; at once when absent. */
  hold?: () => Promise<void>;
  /** Derives another task from the usual one. */
  shape?: (task: A2aTask, request: SendRequest) => A2aTask;
  /** Yields the events between the beginning and the end of a stream. */
  events?: (task: A2aTask, call: A2aCall) => AsyncIterable<StreamResponse>;
  /** Answers in place of the agent: with a raw response, or by closing the connection. */
  http?: () => Response | "cut";
}

export interface Asked {
  operation: A2aOperation;
  request: JsonObject;
  call: A2aCall;
}

export interface Scene {
  readonly key: string;
  readonly play: Play;
  /** Requests that the upstream got, in order. */
  readonly asked: readonly Asked[];
  readonly tasks: ReadonlyMap<string, A2aTask>;
  readonly pushConfigs: readonly PushConfig[];
  /** The upstream's answers. */
  readonly service: Omit<A2aService, "card" | "extendedCard">;
  /** The connections on which the upstream was asked. */
  readonly connections: Outgoing[];
  /** Makes a message of the scene, with an id of its own. */
  message(more?: Partial<A2aMessage>): A2aMessage;
  note(asked: Asked): void;
  /** Cuts the connections, as a crash would. */
  cut(): void;
}

const KEY = /proctor[0-9a-f]{12}/;

export function keyIn(text: string): string | undefined {
  return KEY.exec(text)?.[0];
}

export function createScene(play: Play): Scene {
  const key = `proctor${randomHex(6)}`;
  const asked: Asked[] = [];
  const tasks = new Map<string, A2aTask>();
  const pushConfigs: PushConfig[] = [];
  const connections: Outgoing[] = [];
  let count = 0;

  function begin({ message }: SendRequest, state: TaskState): A2aTask {
    count++;
    const task: A2aTask = {
      id: message.taskId ?? `task-${key}-${count}`,
      contextId: message.contextId ?? `context-${key}-${count}`,
      status: { state, message: says(`heard ${textOf(message)}`, `${key}-${count}`) },
    };
    tasks.set(task.id, task);
    return task;
  }

  function find(id: string): A2aTask {
    const task = tasks.get(id);
    if (task === undefined) throw new A2aError("TASK_NOT_FOUND");
    return task;
  }

  async function* follow(task: A2aTask, call: A2aCall): AsyncGenerator<{ event: StreamResponse }> {
    const working = { ...task, status: { state: "TASK_STATE_WORKING" } };
    yield { event: { task: working } };
    for await (const event of play.events?.(working, call) ?? []) yield { event };
    yield { event: statusEvent(task, "TASK_STATE_COMPLETED") };
  }

  const usual: Omit<A2aService, "card" | "extendedCard"> = {
    async send(request) {
      await play.hold?.();
      const task = begin(request, play.state ?? "TASK_STATE_COMPLETED");
      const shaped = play.shape?.(task, request) ?? task;
      tasks.set(shaped.id, shaped);
      return { task: shaped };
    },
    stream: (request, call): Promise<A2aStream> =>
      Promise.resolve(follow(begin(request, play.state ?? "TASK_STATE_COMPLETED"), call)),
    subscribe: async ({ id }, call) => follow(find(id), call),
    getTask: async ({ id }) => find(id),
    async listTasks({ contextId }) {
      const found = [...tasks.values()].filter(
        (task) => contextId === undefined || task.contextId === contextId,
      );
      return { tasks: found, nextPageToken: "", pageSize: 50, totalSize: found.length };
    },
    async cancelTask({ id }) {
      const task = { ...find(id), status: { state: "TASK_STATE_CANCELED" } };
      tasks.set(id, task);
      return task;
    },
    async createPushConfig(config) {
      const kept = { ...config, id: config.id ?? `push-${key}` };
      pushConfigs.push(kept);
      return kept;
    },
    getPushConfig: async ({ id }) => pushConfigs.find((config) => config.id === id) ?? missing(),
    listPushConfigs: async () => ({ configs: [...pushConfigs] }),
    deletePushConfig: async () => undefined,
  };

  return {
    key,
    play,
    asked,
    tasks,
    pushConfigs,
    connections,
    service: { ...usual, ...play },
    message: (more = {}) => ({
      messageId: `message-${key}-${randomHex(3)}`,
      role: "ROLE_USER",
      parts: [{ text: `${key} says hello` }],
      ...more,
    }),
    note: (one) => void asked.push(one),
    cut() {
      for (const connection of connections.splice(0)) connection.destroy();
    },
  };
}

function missing(): never {
  throw new A2aError("TASK_NOT_FOUND");
}

export function textOf({ parts }: A2aMessage): string {
  return parts.flatMap(({ text }) => text ?? []).join("");
}

export function says(text: string, messageId: string): A2aMessage {
  return { messageId, role: "ROLE_AGENT", parts: [{ text }] };
}

export function statusEvent(
  { id, contextId = "" }: A2aTask,
  state: TaskState,
  text?: string,
): StreamResponse {
  const message = text === undefined ? {} : { message: says(text, `status-${id}-${text}`) };
  return { statusUpdate: { taskId: id, contextId, status: { state, ...message } } };
}

export function artifactEvent(
  { id, contextId = "" }: A2aTask,
  text: string,
  more: { append?: boolean; lastChunk?: boolean } = {},
): StreamResponse {
  const artifact = { artifactId: "artifact", name: "text", parts: [{ text }] };
  return { artifactUpdate: { taskId: id, contextId, artifact, ...more } };
}
