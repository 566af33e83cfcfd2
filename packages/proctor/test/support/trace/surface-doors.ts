// How a client names its trace at each surface, and has a run started there.
import * as grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { WebSocket } from "ws";
import { legacyMessage, userMessage } from "../a2a/hub-stage.ts";
import { peerClient } from "../a2a/grpc-js-peer.ts";
import { openGrpcClient } from "../atp-clients.ts";
import type { RunningHub } from "../serve-hub.ts";

export const TRACE = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" };
const TRACEPARENT = `00-${TRACE.traceId}-${TRACE.spanId}-01`;
const OTHER = `00-${"c".repeat(32)}-${"d".repeat(16)}-01`;
const PROTO = fileURLToPath(new URL("../../../../../proto", import.meta.url));

/** Starts one run on the agent `echo`; resolves when it exists. */
type Start = (hub: RunningHub) => Promise<void>;

/** `starts`: by what is said of the way. */
export interface Door {
  where: string;
  starts: Record<string, Start>;
}

const atpRequest = (more = {}) => ({
  version: "1.0",
  task_id: randomUUID(),
  task: { description: "hello" },
  ...more,
});
const execute = () => ({ to: "echo", type: "request", action: "execute", payload: "hello" });

function post(path: string, body: () => object, headers: Record<string, string> = {}): Start {
  return async (hub) => {
    const answer = await hub.send("POST", path, {
      json: body(),
      headers: { traceparent: TRACEPARENT, ...headers },
    });
    await answer.text();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  };
}

/** Sends one frame, and waits for the first that is answered. */
function frame(path: string, protocol: string, body: () => object, traceparent: string): Start {
  return async ({ url }) => {
    const headers = { traceparent };
    const socket = new WebSocket(`${url.replace("http", "ws")}${path}`, protocol, { headers });
    await once(socket, "open");
    socket.send(JSON.stringify(body()));
    await once(socket, "message");
    socket.close();
    await once(socket, "close");
  };
}

const rpc = (method: string, params: object) => ({ jsonrpc: "2.0", id: 1, method, params });

const atpCall: Start = async ({ grpcUrl }) => {
  const client = openGrpcClient(grpcUrl);
  const metadata = new grpc.Metadata();
  metadata.set("traceparent", TRACEPARENT);
  metadata.set("atp-agent", "echo");
  await new Promise((resolve, reject) => {
    client.Execute(atpRequest(), metadata, (error, answer) => (error ? reject(error) : resolve(answer)));
  });
  client.close();
};

const a2aCall =
  (version: "1.0" | "0.3"): Start =>
  async ({ grpcUrl }) => {
    const client = peerClient(grpcUrl, version);
    const said = { messageId: randomUUID(), role: "ROLE_USER" };
    const message =
      version === "1.0"
        ? { message: { ...said, parts: [{ text: "hello" }] } }
        : { request: { ...said, content: [{ text: "hello" }] } };
    await client.call("SendMessage", message, { "proctor-agent": "echo", traceparent: TRACEPARENT });
    client.close();
  };

const envelopeCall: Start = async ({ grpcUrl }) => {
  const loaded = grpc.loadPackageDefinition(
    loadSync("proctor/envelope/v1/envelope.proto", { includeDirs: [PROTO], longs: Number, oneofs: true }),
  );
  // Shaped by the proto file: it is a service.
  const { Messages } = (
    loaded as unknown as { proctor: { envelope: { v1: Record<string, grpc.ServiceClientConstructor> } } }
  ).proctor.envelope.v1;
  if (Messages === undefined) throw new Error("the proto file has no such service");
  const client = new Messages(grpcUrl.replace(/^\w+:\/\//, ""), grpc.credentials.createInsecure());
  const metadata = new grpc.Metadata();
  metadata.set("traceparent", TRACEPARENT);
  const envelope = { ...execute(), payload: { stringValue: "hello" } };
  await new Promise((resolve, reject) => {
    // grpc-js makes the methods of a service from its description.
    (
      client["send"] as (request: object, metadata: grpc.Metadata, done: grpc.requestCallback<object>) => void
    )({ envelope }, metadata, (error, answer) => (error ? reject(error) : resolve(answer)));
  });
  client.close();
};

const NO_RUN = { none: "it starts no run" };

export const SURFACE_DOORS: Record<string, Door | { none: string }> = {
  "/runs": {
    where: "header",
    starts: { "": post("/runs", () => ({ agent: "echo", task: { description: "hello" } })) },
  },
  "/atp": {
    where: "header",
    starts: {
      "at once": post("/atp/echo/execute", atpRequest),
      "as a stream": post("/atp/echo/execute/stream", atpRequest),
    },
  },
  "/atp/{agent}/ws (WebSocket)": {
    where: "header of the handshake, or metadata.traceparent of a request",
    starts: {
      "by its handshake": frame("/atp/echo/ws", "atp.v1", atpRequest, TRACEPARENT),
      "by the request": frame(
        "/atp/echo/ws",
        "atp.v1",
        () => atpRequest({ metadata: { traceparent: TRACEPARENT } }),
        OTHER,
      ),
    },
  },
  "/atp (gRPC)": { where: "metadata", starts: { "": atpCall } },
  "/a2a": {
    where: "header",
    starts: {
      "JSON-RPC 1.0": post("/a2a/echo", () => rpc("SendMessage", { message: userMessage("hello") }), {
        "a2a-version": "1.0",
      }),
      "JSON-RPC 0.3": post("/a2a/echo", () => rpc("message/send", { message: legacyMessage("hello") })),
      "HTTP+JSON 1.0": post("/a2a/echo/message:send", () => ({ message: userMessage("hello") }), {
        "a2a-version": "1.0",
      }),
    },
  },
  "/a2a (gRPC)": { where: "metadata", starts: { "1.0": a2aCall("1.0"), "0.3": a2aCall("0.3") } },
  "/.well-known/agent-card.json": NO_RUN,
  "/.well-known/agent.json": NO_RUN,
  "/api": { where: "header", starts: { "": post("/api/tasks", () => ({ task: "hello" })) } },
  "/ws": NO_RUN,
  "/ws (WebSocket)": NO_RUN,
  "/ap": { where: "header", starts: { "": post("/ap/v1/agent/tasks", () => ({ input: "hello" })) } },
  "/messages": {
    where: "header, or trace of the envelope",
    starts: {
      "by its header": post("/messages", execute),
      "by the envelope": post(
        "/messages",
        () => ({ ...execute(), trace: { traceId: TRACE.traceId, parentId: TRACE.spanId } }),
        { traceparent: OTHER },
      ),
    },
  },
  "/messages/ws (WebSocket)": {
    where: "header of the handshake, or trace of the envelope",
    starts: { "": frame("/messages/ws?for=user:ada", "envelope.v2", execute, TRACEPARENT) },
  },
  "/messages (gRPC)": { where: "metadata, or trace of the envelope", starts: { "": envelopeCall } },
};
