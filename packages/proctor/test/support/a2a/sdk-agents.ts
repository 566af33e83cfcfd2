// Agents written with the official SDK, one that speaks 1.0 natively and one that speaks 0.3: they send a file in three chunks and then end.
// What they were told is noted.
import type { AddressInfo } from "node:net";
import express, { type Express } from "express";
import { AgentCard as CardForm, Role, TaskState, type AgentCard, type Part } from "@a2a-js/sdk";
import { AgentEvent, DefaultRequestHandler, InMemoryTaskStore, type AgentExecutor } from "@a2a-js/sdk/server";
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from "@a2a-js/sdk/server/express";
import type { AgentCard as OldCard, Part as OldPart } from "a2a-sdk-0.3";
import {
  DefaultRequestHandler as OldRequestHandler,
  InMemoryTaskStore as OldTaskStore,
  type AgentExecutor as OldExecutor,
} from "a2a-sdk-0.3/server";
import {
  agentCardHandler as oldCardHandler,
  jsonRpcHandler as oldRpcHandler,
  UserBuilder as OldUserBuilder,
} from "a2a-sdk-0.3/server/express";
import { afterEveryTest } from "../closing.ts";

export interface SdkAgent {
  url: string;
  /** The files that clients sent, as `name: content`. */
  files: string[];
}

const PIECES = ["one ", "two ", "three"];
const closes: (() => Promise<void>)[] = [];
afterEveryTest(async () => {
  for (const close of closes.splice(0)) await close();
});

async function listen(build: (url: string) => Express): Promise<string> {
  // The card has to name the port before anybody asks for it.
  const outer = express();
  const server = outer.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  outer.use(build(url));
  closes.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return url;
}

export async function serveSdkAgent(binding: "JSONRPC" | "HTTP+JSON" = "JSONRPC"): Promise<SdkAgent> {
  const files: string[] = [];
  const text = (value: string): Part => ({
    content: { $case: "text", value },
    metadata: undefined,
    filename: "",
    mediaType: "",
  });
  const executor: AgentExecutor = {
    async execute({ taskId, contextId, userMessage }, bus) {
      for (const { content, filename } of userMessage.parts) {
        if (content?.$case === "raw") files.push(`${filename}: ${Buffer.from(content.value).toString()}`);
      }
      const status = (state: TaskState, said: string) => ({
        state,
        timestamp: undefined,
        message: {
          messageId: `m-${said}`,
          contextId,
          taskId,
          role: Role.ROLE_AGENT,
          parts: [text(said)],
          metadata: undefined,
          extensions: [],
          referenceTaskIds: [],
        },
      });
      const begun = status(TaskState.TASK_STATE_WORKING, "begun");
      bus.publish(
        AgentEvent.task({
          id: taskId,
          contextId,
          status: begun,
          artifacts: [],
          history: [],
          metadata: undefined,
        }),
      );
      for (const [index, piece] of PIECES.entries()) {
        const content = { $case: "raw" as const, value: Buffer.from(piece) };
        const part = { content, metadata: undefined, filename: "story.txt", mediaType: "text/plain" };
        const artifact = {
          artifactId: "story",
          name: "story",
          description: "",
          parts: [part],
          metadata: undefined,
          extensions: [],
        };
        const append = index > 0;
        const lastChunk = index === PIECES.length - 1;
        bus.publish(
          AgentEvent.artifactUpdate({ taskId, contextId, artifact, append, lastChunk, metadata: undefined }),
        );
      }
      const done = status(TaskState.TASK_STATE_COMPLETED, "done");
      bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status: done, metadata: undefined }));
      bus.finished();
    },
    cancelTask: () => Promise.resolve(),
  };
  const url = await listen((base) => {
    const card: AgentCard = CardForm.fromJSON({
      name: "sdk",
      description: "an agent of the SDK",
      version: "1",
      capabilities: { streaming: true },
      supportedInterfaces: [{ url: `${base}/a2a`, protocolBinding: binding, protocolVersion: "1.0" }],
      defaultInputModes: ["text/plain"],
      defaultOutputModes: ["text/plain"],
      skills: [{ id: "s", name: "s", description: "s", tags: ["s"] }],
    });
    const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor);
    const shared = { requestHandler, userBuilder: UserBuilder.noAuthentication };
    const app = express();
    app.use("/.well-known/agent-card.json", agentCardHandler({ agentCardProvider: requestHandler }));
    app.use("/a2a", binding === "JSONRPC" ? jsonRpcHandler(shared) : restHandler(shared));
    return app;
  });
  return { url, files };
}

export async function serveOldSdkAgent(): Promise<SdkAgent> {
  const files: string[] = [];
  const executor: OldExecutor = {
    async execute({ taskId, contextId, userMessage }, bus) {
      for (const part of userMessage.parts) {
        if (part.kind !== "file" || !("bytes" in part.file)) continue;
        files.push(`${part.file.name}: ${Buffer.from(part.file.bytes, "base64").toString()}`);
      }
      const message = (said: string) => ({
        kind: "message" as const,
        messageId: `m-${said}`,
        role: "agent" as const,
        parts: [{ kind: "text" as const, text: said }],
        taskId,
        contextId,
      });
      bus.publish({
        kind: "task",
        id: taskId,
        contextId,
        status: { state: "working", message: message("begun") },
      });
      for (const [index, piece] of PIECES.entries()) {
        const part: OldPart = {
          kind: "file",
          file: { name: "story.txt", mimeType: "text/plain", bytes: Buffer.from(piece).toString("base64") },
        };
        bus.publish({
          kind: "artifact-update",
          taskId,
          contextId,
          artifact: { artifactId: "story", name: "story", parts: [part] },
          append: index > 0,
          lastChunk: index === PIECES.length - 1,
        });
      }
      bus.publish({
        kind: "status-update",
        taskId,
        contextId,
        status: { state: "completed", message: message("done") },
        final: true,
      });
      bus.finished();
    },
    cancelTask: () => Promise.resolve(),
  };
  const url = await listen((base) => {
    const card: OldCard = {
      name: "old",
      description: "an agent of the SDK for 0.3",
      protocolVersion: "0.3.0",
      version: "1",
      url: `${base}/a2a`,
      capabilities: { streaming: true },
      defaultInputModes: ["text/plain"],
      defaultOutputModes: ["text/plain"],
      skills: [{ id: "s", name: "s", description: "s", tags: ["s"] }],
    };
    const requestHandler = new OldRequestHandler(card, new OldTaskStore(), executor);
    const app = express();
    app.use("/.well-known/agent-card.json", oldCardHandler({ agentCardProvider: requestHandler }));
    app.use("/a2a", oldRpcHandler({ requestHandler, userBuilder: OldUserBuilder.noAuthentication }));
    return app;
  });
  return { url, files };
}
