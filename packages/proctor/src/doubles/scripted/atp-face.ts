// The same scripts for clients of ATP: a task is the first message to a scripted agent, what it plays becomes ATP's events and its response.
// How an ATP client is reached is doubles/agent/ (HTTP, WebSocket, the standard pipes).
import { randomHex } from "../../core/random.ts";
import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { messageOf } from "../../core/message-of.ts";
import type { A2aArtifact, A2aPart, A2aTask, StreamResponse } from "../../protocols/a2a/model.ts";
import type { A2aCall, A2aService } from "../../protocols/a2a/service.ts";
import type { MockAgent } from "../agent/mock-agent.ts";

const VERSION = "1.0";

const STATUSES: Readonly<Record<string, string>> = {
  TASK_STATE_COMPLETED: "completed",
  TASK_STATE_CANCELED: "cancelled",
};

export function createAtpFace(service: A2aService): MockAgent {
  return {
    begin: ({ taskId, description }) => ({
      answer: undefined,
      exitCode: 0,
      async play(say, signal) {
        const send = (role: "event" | "response", document: JsonObject): Promise<boolean> =>
          say({
            kind: "say",
            role,
            text: JSON.stringify({ version: VERSION, task_id: taskId, ...document }),
          });
        let sequence = 0;
        const event = (type: string, payload: JsonObject): Promise<boolean> =>
          send("event", {
            timestamp: new Date().toISOString(),
            sequence: sequence++,
            event_type: type,
            payload,
          });
        const call = callOf(taskId, signal);
        let played: string | undefined;
        try {
          const message = { messageId: taskId, role: "ROLE_USER" as const, parts: [{ text: description }] };
          for await (const { event: frame } of await service.stream({ message }, call)) {
            played = taskOf(frame) ?? played;
            const [type, payload] = eventOf(frame);
            if (!(await event(type, payload))) return "left";
          }
          if (signal.aborted) return "left";
          const task = played === undefined ? undefined : await service.getTask({ id: played }, call);
          await send("response", responseOf(task));
        } catch (error) {
          if (signal.aborted) return "left";
          await send("response", { status: "failed", artifacts: [], metrics: {}, error: messageOf(error) });
        }
        return "answered";
      },
    }),
  };
}

function callOf(taskId: string, signal: AbortSignal): A2aCall {
  return {
    version: "0.3",
    binding: "HTTP+JSON",
    headers: { "x-atp-task-id": taskId },
    extensions: [],
    origin: "",
    basePath: "",
    traceId: randomHex(16),
    signal,
  };
}

function taskOf({ task, statusUpdate, artifactUpdate }: StreamResponse): string | undefined {
  return task?.id ?? statusUpdate?.taskId ?? artifactUpdate?.taskId;
}

function eventOf({
  task,
  statusUpdate,
  artifactUpdate,
  message,
}: StreamResponse): [type: string, payload: JsonObject] {
  const status = task?.status ?? statusUpdate?.status;
  if (status !== undefined)
    return ["progress", { message: textOf(status.message?.parts ?? []) || status.state }];
  if (artifactUpdate !== undefined) {
    const { artifactId, name } = artifactUpdate.artifact;
    return ["artifact_created", { artifact_id: artifactId, path: name ?? artifactId }];
  }
  return ["progress", { message: textOf(message?.parts ?? []) }];
}

function responseOf(task: A2aTask | undefined): JsonObject {
  if (task === undefined) return { status: "completed", artifacts: [], metrics: {} };
  const { state, message } = task.status;
  const status = STATUSES[state] ?? "failed";
  const said = textOf(message?.parts ?? []);
  return {
    status,
    artifacts: (task.artifacts ?? []).flatMap(artifactsOf),
    metrics: {},
    ...(status === "failed" && { error: said || `the script left the task in ${state}` }),
  };
}

/** Returns an artifact for each part, because an artifact of ATP has one content. */
function artifactsOf({ artifactId, name, parts }: A2aArtifact): JsonObject[] {
  const common = name ?? artifactId;
  return parts.map((part, index) => {
    const path = part.filename ?? (index === 0 ? common : `${common}-${index + 1}`);
    const type = part.mediaType === undefined ? {} : { content_type: part.mediaType };
    if (part.url !== undefined) return { type: "reference", path: part.url, ...type };
    if (part.data !== undefined) {
      return {
        type: "structured",
        name: common,
        data: isJsonObject(part.data) ? part.data : { value: part.data },
      };
    }
    return { type: "file", path, ...type, ...contentOf(part) };
  });
}

/** Returns the content of a part: text as it is, anything else in base64. */
function contentOf({ text, raw = "" }: A2aPart): JsonObject {
  if (text !== undefined) return { content: text, size_bytes: Buffer.byteLength(text) };
  const bytes = Buffer.from(raw, "base64");
  try {
    return { content: new TextDecoder("utf-8", { fatal: true }).decode(bytes), size_bytes: bytes.length };
  } catch {
    return { content: raw, content_encoding: "base64", size_bytes: bytes.length };
  }
}

function textOf(parts: readonly A2aPart[]): string {
  return parts.flatMap(({ text }) => (text === undefined ? [] : [text])).join("\n");
}
