// An A2A service that lives in a test: it keeps tasks in memory, echoes what it is told, and remembers how it was called. A text `fail:REASON`
// makes it refuse.
import { A2aError, errorOfReason } from "../../../src/protocols/a2a/errors.ts";
import type {
  A2aMessage,
  A2aTask,
  AgentCard,
  PushConfig,
  StreamResponse,
  TaskRequest,
} from "../../../src/protocols/a2a/model.ts";
import { isTerminalState } from "../../../src/protocols/a2a/states.ts";
import type { A2aCall, A2aService, StreamFrame } from "../../../src/protocols/a2a/service.ts";

export interface MemoryService extends A2aService {
  tasks: Map<string, A2aTask>;
  calls: A2aCall[];
  requests: unknown[];
  /** What `stream` and `subscribe` bring instead, where it is set. */
  frames?: (call: A2aCall) => AsyncIterable<StreamFrame>;
}

const TIMESTAMP = "2025-10-28T10:30:00.123Z";

export const MEMORY_CARD: AgentCard = {
  name: "memory",
  description: "Remembers",
  version: "1.2.3",
  supportedInterfaces: [{ url: "127.0.0.1:1", protocolBinding: "GRPC", protocolVersion: "1.0" }],
  capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true },
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain", "image/png"],
  skills: [{ id: "echo", name: "Echo", description: "Says it again", tags: ["test"] }],
};

export function createMemoryService(card: AgentCard = MEMORY_CARD): MemoryService {
  const configs = new Map<string, PushConfig>();
  let count = 0;

  function begin(message: A2aMessage): A2aTask {
    const text = message.parts.map((part) => part.text ?? "").join("");
    const [, reason] = /^fail:(\w+)$/.exec(text) ?? [];
    if (reason !== undefined) {
      const fields = [{ field: "message.parts[0]", description: "asks for it" }];
      throw new A2aError(errorOfReason(reason) ?? "INTERNAL", `refused: ${reason}`, {
        metadata: { asked: "yes" },
        ...(reason === "INVALID_PARAMS" && { fields }),
        ...(reason === "UNAVAILABLE" && { retryAfterSeconds: 1.5 }),
      });
    }
    const id = message.taskId ?? `task-${++count}`;
    const task: A2aTask = {
      id,
      contextId: message.contextId ?? "context",
      status: { state: "TASK_STATE_WORKING", timestamp: TIMESTAMP },
      history: [message],
      metadata: { nested: { list: [1, "two", null, true, 0.5] } },
    };
    service.tasks.set(id, task);
    return task;
  }

  function complete(task: A2aTask): A2aTask {
    const { parts } = task.history?.[0] ?? { parts: [] };
    task.artifacts = [{ artifactId: "echo", name: "echo", parts }];
    task.status = { state: "TASK_STATE_COMPLETED", timestamp: TIMESTAMP };
    return task;
  }

  function find({ id }: TaskRequest): A2aTask {
    const task = service.tasks.get(id);
    if (!task) throw new A2aError("TASK_NOT_FOUND", `there is no task ${id}`, { metadata: { taskId: id } });
    return task;
  }

  async function* events(task: A2aTask): AsyncGenerator<StreamFrame> {
    const ids = { taskId: task.id, contextId: task.contextId ?? "" };
    const { parts } = task.history?.[0] ?? { parts: [] };
    const told: StreamResponse[] = [
      { task: structuredClone(task) },
      { statusUpdate: { ...ids, status: { state: "TASK_STATE_WORKING" }, metadata: { step: 1 } } },
      { artifactUpdate: { ...ids, artifact: { artifactId: "echo", parts }, append: true, lastChunk: true } },
      { statusUpdate: { ...ids, status: complete(task).status } },
    ];
    for (const event of told) yield { event: await Promise.resolve(event) };
  }

  function note<T>(request: T, call: A2aCall): T {
    service.calls.push(call);
    service.requests.push(request);
    return request;
  }

  const keyOf = ({ taskId, id }: { taskId?: string; id?: string }): string => `${taskId} ${id}`;

  const service: MemoryService = {
    tasks: new Map(),
    calls: [],
    requests: [],
    card: () => Promise.resolve(card),
    async extendedCard(call) {
      note(undefined, call);
      return await Promise.resolve({ ...card, description: `${card.description} more` });
    },
    async send(request, call) {
      const { message } = note(request, call);
      const task = await Promise.resolve(begin(message));
      const [first] = message.parts;
      if (first?.text === "message")
        return { message: { ...message, role: "ROLE_AGENT", contextId: "context" } };
      return { task: request.configuration?.returnImmediately === true ? task : complete(task) };
    },
    async stream(request, call) {
      const task = begin(note(request, call).message);
      return await Promise.resolve(service.frames?.(call) ?? events(task));
    },
    async subscribe(request, call) {
      const task = find(note(request, call));
      if (isTerminalState(task.status.state)) throw new A2aError("UNSUPPORTED_OPERATION", "it has ended");
      return await Promise.resolve(service.frames?.(call) ?? events(task));
    },
    getTask: async (request, call) => await Promise.resolve(find(note(request, call))),
    async listTasks(request, call) {
      note(request, call);
      const tasks = [...service.tasks.values()].map((task) => {
        const { artifacts: _, ...rest } = task;
        return rest;
      });
      return await Promise.resolve({ tasks, nextPageToken: "", pageSize: 50, totalSize: tasks.length });
    },
    async cancelTask(request, call) {
      const task = find(note(request, call));
      if (isTerminalState(task.status.state)) throw new A2aError("TASK_NOT_CANCELABLE", "it has ended");
      task.status = { state: "TASK_STATE_CANCELED", timestamp: TIMESTAMP };
      return await Promise.resolve(task);
    },
    async createPushConfig(config, call) {
      note(config, call);
      find({ id: config.taskId ?? "" });
      const kept = { id: "made-here", ...config };
      configs.set(keyOf(kept), kept);
      return await Promise.resolve(kept);
    },
    async getPushConfig(request, call) {
      const config = configs.get(keyOf(note(request, call)));
      if (!config) throw new A2aError("TASK_NOT_FOUND", "there is no such configuration");
      return await Promise.resolve(config);
    },
    async listPushConfigs(request, call) {
      note(request, call);
      return await Promise.resolve({
        configs: [...configs.values()].filter(({ taskId }) => taskId === request.taskId),
      });
    },
    async deletePushConfig(request, call) {
      configs.delete(keyOf(note(request, call)));
      await Promise.resolve();
    },
  };
  return service;
}
