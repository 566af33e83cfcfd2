// Any agent that Proctor can drive as the agent behind the gateway of a declarative test: one message is one task of it.
import { randomUUID } from "node:crypto";
import type { AgentSpec } from "../../core/agent.ts";
import { textOf } from "../../core/message.ts";
import type { AgentDriver, AgentEnd, AgentReport, Job, ReceivedArtifact } from "../../core/ports/driver.ts";
import { A2aError } from "../../protocols/a2a/errors.ts";
import type {
  A2aMessage,
  A2aPart,
  A2aTask,
  AgentCard,
  KnownTaskState,
  SendRequest,
  StreamResponse,
} from "../../protocols/a2a/model.ts";
import type { A2aCall, A2aService, StreamFrame } from "../../protocols/a2a/service.ts";

export interface DriverServiceOptions {
  name: string;
  spec: AgentSpec;
  driver: AgentDriver;
  /** Variables of the agent's program, which name the address of its model. */
  env: Readonly<Record<string, string>>;
}

const STATES: Readonly<Record<AgentEnd["status"], KnownTaskState>> = {
  completed: "TASK_STATE_COMPLETED",
  partial: "TASK_STATE_COMPLETED",
  failed: "TASK_STATE_FAILED",
  timeout: "TASK_STATE_FAILED",
  cancelled: "TASK_STATE_CANCELED",
  rejected: "TASK_STATE_REJECTED",
};

export function createDriverService({ name, spec, driver, env }: DriverServiceOptions): A2aService {
  const cancels = new Map<string, AbortController>();

  async function* play({ message }: SendRequest, { signal, traceId }: A2aCall): AsyncGenerator<StreamFrame> {
    const taskId = randomUUID();
    const contextId = message.contextId ?? randomUUID();
    const ids = { taskId, contextId };
    const cancel = new AbortController();
    const kill = new AbortController();
    const leave = (): void => kill.abort();
    signal.addEventListener("abort", leave);
    cancels.set(taskId, cancel);
    const task: A2aTask = { id: taskId, contextId, status: { state: "TASK_STATE_SUBMITTED" } };
    try {
      yield { event: { task } };
      const session = driver.open(jobOf(message, { spec, env, traceId }), {
        cancel: cancel.signal,
        kill: kill.signal,
      });
      let said = "";
      for await (const report of session) {
        if (report.kind === "text") said += report.text;
        const event = eventOf(report, ids, said);
        if (report.kind === "text" && report.last) said = "";
        if (event) yield { event };
      }
    } finally {
      leave();
      signal.removeEventListener("abort", leave);
      cancels.delete(taskId);
    }
  }

  async function send(request: SendRequest, call: A2aCall): Promise<{ task: A2aTask }> {
    let task: A2aTask | undefined;
    for await (const { event } of play(request, call)) {
      if (event.task) task = event.task;
      if (event.artifactUpdate && task)
        task = { ...task, artifacts: [...(task.artifacts ?? []), event.artifactUpdate.artifact] };
      if (event.statusUpdate && task) task = { ...task, status: event.statusUpdate.status };
    }
    if (!task) throw new A2aError("INTERNAL");
    return { task };
  }

  const unsupported = (): Promise<never> => Promise.reject(new A2aError("UNSUPPORTED_OPERATION"));
  return {
    card: (call) => Promise.resolve(cardOf(name, call)),
    extendedCard: unsupported,
    send,
    stream: (request, call) => Promise.resolve(play(request, call)),
    async cancelTask({ id }) {
      const cancel = cancels.get(id);
      if (!cancel) throw new A2aError("TASK_NOT_FOUND");
      cancel.abort();
      return Promise.resolve({ id, status: { state: "TASK_STATE_CANCELED" } });
    },
    subscribe: unsupported,
    getTask: unsupported,
    listTasks: unsupported,
    createPushConfig: unsupported,
    getPushConfig: unsupported,
    listPushConfigs: unsupported,
    deletePushConfig: unsupported,
  };
}

function jobOf(
  { parts }: A2aMessage,
  { spec, env, traceId }: Pick<DriverServiceOptions, "spec" | "env"> & { traceId: string },
): Job {
  const description = parts.map(({ text = "" }) => text).join("\n");
  return {
    runId: randomUUID(),
    spec,
    task: { description },
    constraints: {},
    context: { environment: { ...env } },
    metadata: {},
    traceId,
    env,
  };
}

function eventOf(
  report: AgentReport,
  ids: { taskId: string; contextId: string },
  said: string,
): StreamResponse | undefined {
  const status = (state: KnownTaskState, text: string): StreamResponse => ({
    statusUpdate: { ...ids, status: { state, ...(text !== "" && { message: messageOf(text, ids) }) } },
  });
  switch (report.kind) {
    case "message":
      return status("TASK_STATE_WORKING", textOf(report.message.parts));
    case "text":
      return report.last ? status("TASK_STATE_WORKING", said) : undefined;
    case "artifact":
      return { artifactUpdate: { ...ids, artifact: artifactOf(report.artifact), lastChunk: true } };
    case "end":
      return status(STATES[report.end.status], report.end.failure?.message ?? "");
    default:
      return undefined;
  }
}

function messageOf(text: string, ids: { taskId: string; contextId: string }): A2aMessage {
  return { ...ids, messageId: randomUUID(), role: "ROLE_AGENT", parts: [{ text }] };
}

function artifactOf(artifact: ReceivedArtifact): { artifactId: string; name: string; parts: A2aPart[] } {
  const name = artifact.type === "structured" ? artifact.name : artifact.path;
  return { artifactId: randomUUID(), name, parts: [partOf(artifact, name)] };
}

function partOf(artifact: ReceivedArtifact, filename: string): A2aPart {
  if (artifact.type === "structured") return { data: artifact.data };
  const media = artifact.content_type === undefined ? {} : { mediaType: artifact.content_type };
  if (artifact.type === "file" && artifact.content)
    return { raw: Buffer.from(artifact.content).toString("base64"), filename, ...media };
  return { url: filename, filename, ...media };
}

function cardOf(name: string, { origin, basePath }: A2aCall): AgentCard {
  const url = `${origin}${basePath}`;
  return {
    name,
    description: "An agent behind the gateway of a test.",
    version: "1",
    supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "0.3" }],
    capabilities: { streaming: true },
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [{ id: "task", name: "Task", description: "Does what it is told.", tags: [] }],
  };
}
