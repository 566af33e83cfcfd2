// Clients that watch a task live on one of the hub's ATP surfaces, and can be cut off at any moment.
import * as grpc from "@grpc/grpc-js";
import { expect } from "vitest";
import { WebSocket } from "ws";
import { readSse } from "../../src/channels/sse/read-sse.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { openGrpcClient, plain, type StreamMessage } from "./atp-clients.ts";
import { eventually } from "./eventually.ts";

export interface LiveClient {
  events: JsonObject[];
  /** Waits until so many events have come. */
  heard(count: number): Promise<void>;
  /** The response, or how it ended without: "end" or "cut" for HTTP, a close code for WebSocket, a status for gRPC. */
  ended: Promise<{ response: JsonObject } | { without: string | number }>;
  /** Breaks the connection. */
  leave(): void;
}

export interface Hub {
  url: string;
  grpcUrl: string;
}

export interface Terms {
  /** The task outlives the connection. */
  keep?: boolean;
  /** Comes back after this event. */
  after?: number;
  token?: string;
}

export type Watch = (hub: Hub, agent: string, request: JsonObject, terms?: Terms) => LiveClient;

export const watchSse: Watch = ({ url }, agent, request, { keep, after, token } = {}) => {
  const leaving = new AbortController();
  const client = createClient(() => leaving.abort());
  void (async () => {
    try {
      const answer = await fetch(`${url}/atp/${agent}/execute/stream`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "text/event-stream",
          ...(keep && { "atp-on-disconnect": "keep" }),
          ...(after !== undefined && { "last-event-id": String(after) }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify(request),
        signal: leaving.signal,
      });
      if (answer.status !== 200 || answer.body === null) return client.end({ without: answer.status });
      for await (const frame of readSse(answer.body)) {
        if (frame.kind !== "message") continue;
        const document = JSON.parse(frame.data) as JsonObject;
        if (frame.event === "response") return client.end({ response: document });
        expect(Number(frame.id)).toBe(document["sequence"]);
        client.events.push(document);
      }
      return client.end({ without: "end" });
    } catch {
      return client.end({ without: "cut" });
    }
  })();
  return client;
};

export const watchSocket: Watch = ({ url }, agent, request, { keep, after, token } = {}) => {
  const socket = new WebSocket(
    `${url.replace("http", "ws")}/atp/${agent}/ws${keep ? "?on_disconnect=keep" : ""}`,
    "atp.v1",
    { ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }) },
  );
  const client = createClient(() => socket.terminate());
  const resume = { type: "resume", task_id: request["task_id"], after };
  socket.on("error", () => undefined);
  socket.on("unexpected-response", (_request, response) => client.end({ without: response.statusCode ?? 0 }));
  socket.on("open", () => socket.send(JSON.stringify(after === undefined ? request : resume)));
  socket.on("close", (code) => client.end({ without: code }));
  socket.on("message", (data) => {
    // Text frames arrive as buffers.
    const document = JSON.parse((data as Buffer).toString()) as JsonObject;
    if ("event_type" in document) return void client.events.push(document);
    client.end({ response: document });
    return socket.close(1000);
  });
  return client;
};

export const watchGrpc: Watch = ({ grpcUrl }, agent, { version, task_id, task }, { keep, token } = {}) => {
  const connection = openGrpcClient(grpcUrl);
  const metadata = new grpc.Metadata();
  metadata.set("atp-agent", agent);
  if (keep) metadata.set("atp-on-disconnect", "keep");
  if (token !== undefined) metadata.set("authorization", `Bearer ${token}`);
  const call = connection.ExecuteStream({ version, task_id, task }, metadata);
  const client = createClient(() => call.cancel());
  call.on("data", ({ event, response }: StreamMessage) => {
    if (event) client.events.push(plain(event) as JsonObject);
    if (response) client.end({ response: plain(response) as JsonObject });
  });
  call.on("error", ({ code }: grpc.ServiceError) => client.end({ without: code }));
  call.on("status", ({ code }) => {
    client.end({ without: code });
    connection.close();
  });
  return client;
};

type Ending = Awaited<LiveClient["ended"]>;

function createClient(leave: () => void): LiveClient & { end: (ending: Ending) => void } {
  const events: JsonObject[] = [];
  let end = (_ending: Ending): void => undefined;
  const ended = new Promise<Ending>((resolve) => (end = resolve));
  return {
    events,
    ended,
    leave,
    end: (ending) => end(ending),
    heard: (count) => eventually(() => expect(events.length).toBeGreaterThanOrEqual(count)),
  };
}
