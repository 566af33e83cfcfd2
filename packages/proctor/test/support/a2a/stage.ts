// Agents of A2A as puppets: an event is a status with a message, a response the task at its end.
import { randomUUID } from "node:crypto";
import { isJsonObject, type Json, type JsonObject } from "../../../src/core/json.ts";
import type { AgentReport } from "../../../src/core/ports/driver.ts";
import { parseObject } from "../../../src/core/parse-object.ts";
import type { ProtocolWords } from "../../../src/protocols/protocol.case.ts";
import type { Play, PuppetTask, Stage } from "../protocols/puppet.ts";
import { serveA2a, type Asked, type ServedBinding } from "./scripted-server.ts";

interface Played {
  stop: () => void;
  vanished: boolean;
}

export function a2aStage(binding: ServedBinding): Stage {
  return {
    name: `A2A, ${binding}`,
    carriesText: true,
    async raise(play) {
      const tasks = new Map<string, Played>();
      const served = await serveA2a((asked) => answer(asked), { binding });

      async function answer(asked: Asked): Promise<void> {
        const { operation, params } = asked;
        if (operation === "stream") return perform(play, asked, tasks);
        const id = typeof params["id"] === "string" ? params["id"] : "";
        const task = tasks.get(id);
        if (task === undefined) return asked.error(-32001, "no such task", 404);
        if (task.vanished) return void asked.response.destroy();
        if (operation === "cancelTask") task.stop();
        asked.result({ id, contextId: "c", status: { state: "TASK_STATE_WORKING" } });
      }

      return {
        spec: { protocol: "a2a", transport: "http", url: served.url },
        close: () => served.server.close(),
      };
    },
  };
}

async function perform(play: Play, asked: Asked, tasks: Map<string, Played>): Promise<void> {
  const id = randomUUID();
  let stop = (): void => undefined;
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  const played: Played = { stop, vanished: false };
  tasks.set(id, played);
  const stream = asked.stream();
  void stream.gone.then(stop);
  await stream.frame({ task: { id, contextId: "c", status: { state: "TASK_STATE_SUBMITTED" } } });
  const say = (message: JsonObject | string): Promise<void> =>
    typeof message === "string" ? stream.write(`data: ${message}\n\n`) : stream.frame(message);
  await play({
    request: { ...asked.params, task_id: id },
    stopped,
    event: say,
    answer: say,
    async respond(message) {
      await say(message);
      stream.end();
    },
    vanish() {
      played.vanished = true;
      stream.cut();
    },
  });
}

/** What the shared cases of drivers need, in A2A's words. */
export const A2A_WORDS: ProtocolWords = {
  request: ({ task }) => ({
    message: {
      role: "ROLE_USER",
      parts: [
        { text: task.description },
        ...(task.input_data === undefined ? [] : [{ data: task.input_data }]),
      ],
    },
  }),
  description: ({ request }) => firstText(request),
  event: (task, sequence, kind, payload) => ({
    statusUpdate: {
      taskId: idOf(task),
      contextId: "c",
      status: {
        state: "TASK_STATE_WORKING",
        message: {
          messageId: `${idOf(task)}-${sequence}`,
          role: "ROLE_AGENT",
          parts: [{ text: JSON.stringify({ ...payload, kind }) }],
        },
      },
    },
  }),
  response: (task, { status, artifacts }) => ({
    task: {
      id: idOf(task),
      contextId: "c",
      status: { state: status === "cancelled" ? "TASK_STATE_CANCELED" : "TASK_STATE_COMPLETED" },
      artifacts: Array.isArray(artifacts) ? artifacts.map(artifactOf) : [],
    },
  }),
  unusable: () => ({ task: "none" }),
  statuses: [],
  rules: { otherTask: "a2a.task_id" },
  hasEnvelope: false,
  heard: heardKinds,
};

function idOf({ request }: PuppetTask): string {
  return textIn(request, "task_id");
}

function firstText({ message }: JsonObject): string {
  const parts = isJsonObject(message) && Array.isArray(message["parts"]) ? message["parts"] : [];
  const [first] = parts;
  return isJsonObject(first) ? textIn(first, "text") : "";
}

function textIn(object: JsonObject, key: string): string {
  const value = object[key];
  return typeof value === "string" ? value : "";
}

function artifactOf(artifact: Json): JsonObject {
  const file = isJsonObject(artifact) ? artifact : {};
  const path = textIn(file, "path");
  return { artifactId: path, parts: [{ text: textIn(file, "content"), filename: path }] };
}

/** The kinds of what was said. */
function heardKinds(reports: readonly AgentReport[]): string[] {
  return reports.flatMap((report) => {
    const [part] = report.kind === "message" ? report.message.parts : [];
    const said = part?.kind === "text" ? parseObject(part.text) : undefined;
    return isJsonObject(said) && typeof said["kind"] === "string" ? [said["kind"]] : [];
  });
}
