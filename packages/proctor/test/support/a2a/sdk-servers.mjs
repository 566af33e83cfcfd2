// Agents on the official SDKs, 1.x and 0.3, as their own servers serve them. JavaScript, because express has no types here.
import { once } from "node:events";
import express from "express";
import { Role, TaskState } from "@a2a-js/sdk";
import { AgentEvent, DefaultRequestHandler, InMemoryTaskStore } from "@a2a-js/sdk/server";
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from "@a2a-js/sdk/server/express";
import {
  DefaultRequestHandler as OldRequestHandler,
  InMemoryTaskStore as OldTaskStore,
} from "a2a-sdk-0.3/server";
import {
  agentCardHandler as oldCardHandler,
  jsonRpcHandler as oldRpcHandler,
  restHandler as oldRestHandler,
  UserBuilder as OldUserBuilder,
} from "a2a-sdk-0.3/server/express";

async function listen(app) {
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

const skill = { id: "s", name: "s", description: "s", tags: ["s"], examples: [] };

/** What the agents do by the text of a message. `say` publishes in the SDK's own shapes. */
async function play(text, { task, status, artifact, isNew }) {
  if (text === "ask") {
    task("submitted");
    status("input-required", "which?");
    return;
  }
  task(isNew ? "submitted" : "working");
  status("working", "on it");
  if (text === "wait") return;
  artifact("answer.txt", `you said `, { append: false, lastChunk: false });
  artifact("answer.txt", text, { append: true, lastChunk: true });
  status(text === "fail" ? "failed" : text === "reject" ? "rejected" : "completed", "done");
}

export async function serveSdk1(binding, { streaming = true } = {}) {
  const waiting = new Map();
  const executor = {
    async execute(context, bus) {
      const { taskId, contextId, userMessage } = context;
      const text = userMessage.parts[0]?.content?.value ?? "";
      const message = (said) => ({
        messageId: `${taskId}-${said}`,
        contextId,
        taskId,
        role: Role.ROLE_AGENT,
        parts: [part(said)],
        metadata: undefined,
        extensions: [],
        referenceTaskIds: [],
      });
      const statusOf = (state, said) => ({
        state: TaskState[`TASK_STATE_${state.toUpperCase().replace("-", "_")}`],
        message: said === undefined ? undefined : message(said),
        timestamp: new Date().toISOString(),
      });
      if (text === "message") {
        bus.publish(AgentEvent.message({ ...message("hello"), taskId: "" }));
        return bus.finished();
      }
      await play(text, {
        isNew: context.task === undefined,
        task: (state) =>
          bus.publish(
            AgentEvent.task({
              id: taskId,
              contextId,
              status: statusOf(state),
              artifacts: [],
              history: [userMessage],
              metadata: undefined,
            }),
          ),
        status: (state, said) =>
          bus.publish(
            AgentEvent.statusUpdate({
              taskId,
              contextId,
              status: statusOf(state, said),
              metadata: undefined,
            }),
          ),
        artifact: (name, said, more) =>
          bus.publish(
            AgentEvent.artifactUpdate({
              taskId,
              contextId,
              artifact: {
                artifactId: name,
                name,
                description: "",
                parts: [part(said)],
                metadata: undefined,
                extensions: [],
              },
              ...more,
              metadata: undefined,
            }),
          ),
      });
      if (text === "wait") await new Promise((go) => waiting.set(taskId, { contextId, go }));
      bus.finished();
    },
    async cancelTask(taskId, bus) {
      const { contextId, go } = waiting.get(taskId);
      const status = {
        state: TaskState.TASK_STATE_CANCELED,
        message: undefined,
        timestamp: new Date().toISOString(),
      };
      bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status, metadata: undefined }));
      go();
    },
  };
  const app = express();
  const card = {
    name: "sdk",
    description: "an agent on the SDK",
    version: "1.0.0",
    supportedInterfaces: [],
    provider: undefined,
    capabilities: { streaming, pushNotifications: false, extensions: [], extendedAgentCard: false },
    securitySchemes: {},
    securityRequirements: [],
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [{ ...skill, inputModes: [], outputModes: [], securityRequirements: [] }],
    signatures: [],
  };
  const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor);
  app.use("/.well-known/agent-card.json", agentCardHandler({ agentCardProvider: requestHandler }));
  const options = { requestHandler, userBuilder: UserBuilder.noAuthentication };
  app.use("/a2a", binding === "JSONRPC" ? jsonRpcHandler(options) : restHandler(options));
  const served = await listen(app);
  card.supportedInterfaces.push({
    url: `${served.url}/a2a`,
    protocolBinding: binding,
    protocolVersion: "1.0",
    tenant: "",
  });
  return served;
}

function part(text) {
  return {
    content: { $case: "text", value: text },
    metadata: undefined,
    filename: "",
    mediaType: "text/plain",
  };
}

export async function serveSdk03(binding, { streaming = true } = {}) {
  const executor = {
    async execute(context, bus) {
      const { taskId, contextId, userMessage } = context;
      const text = userMessage.parts[0]?.text ?? "";
      const message = (said) => ({
        kind: "message",
        messageId: `${taskId}-${said}`,
        contextId,
        taskId,
        role: "agent",
        parts: [{ kind: "text", text: said }],
      });
      if (text === "message") {
        const { taskId: _, ...lone } = message("hello");
        bus.publish(lone);
        return bus.finished();
      }
      await play(text, {
        isNew: context.task === undefined,
        task: (state) =>
          bus.publish({
            kind: "task",
            id: taskId,
            contextId,
            status: { state },
            history: [userMessage],
            artifacts: [],
          }),
        status: (state, said) =>
          bus.publish({
            kind: "status-update",
            taskId,
            contextId,
            status: { state, message: message(said), timestamp: new Date().toISOString() },
            final: state !== "working",
          }),
        artifact: (name, said, more) =>
          bus.publish({
            kind: "artifact-update",
            taskId,
            contextId,
            artifact: { artifactId: name, name, parts: [{ kind: "text", text: said }] },
            ...more,
          }),
      });
      bus.finished();
    },
    async cancelTask() {},
  };
  const app = express();
  const card = {
    name: "sdk",
    description: "an agent on the SDK of 0.3",
    version: "1.0.0",
    protocolVersion: "0.3.0",
    preferredTransport: binding,
    url: "",
    capabilities: { streaming, pushNotifications: false, stateTransitionHistory: false },
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [skill],
  };
  const requestHandler = new OldRequestHandler(card, new OldTaskStore(), executor);
  app.use("/.well-known/agent-card.json", oldCardHandler({ agentCardProvider: requestHandler }));
  const handler = binding === "JSONRPC" ? oldRpcHandler : oldRestHandler;
  app.use("/a2a", handler({ requestHandler, userBuilder: OldUserBuilder.noAuthentication }));
  const served = await listen(app);
  card.url = `${served.url}/a2a`;
  return served;
}
