// Clients of ATP's surfaces for the shared suite: plain HTTP, an event stream, a WebSocket and gRPC.
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import * as grpc from "@grpc/grpc-js";
import { WebSocket } from "ws";
import { readSse } from "../../../src/channels/sse/read-sse.ts";
import { MAX_JSON_DEPTH } from "../../../src/core/json-depth.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Address, Mistake, SurfaceClient, WatchedTask } from "../../../src/protocols/surface.case.ts";
import { openGrpcClient, plain, type StreamMessage } from "../atp-clients.ts";
import { announceLarge, createWatched, textIn } from "./watched.ts";

const NO_QUESTIONS = "document 000 has no questions";
const LARGE = "x".repeat(10 * 1024 * 1024 + 1);
export const DEEP = `{"deep":${"[".repeat(MAX_JSON_DEPTH + 1)}${"]".repeat(MAX_JSON_DEPTH + 1)}}`;

const requestOf = (description: string): JsonObject => ({
  version: "1.0",
  task_id: randomUUID(),
  task: { description },
});

const codeOf = (response: JsonObject): string =>
  textIn((response["error_details"] as JsonObject | undefined) ?? response, "code");

function overHttp(name: string, path: string): Omit<SurfaceClient, "skips"> {
  const post = async (url: string, body: string, headers = {}, method = "POST"): Promise<JsonObject> => {
    const answer = await fetch(url, {
      method,
      headers: { "content-type": "application/json", ...headers },
      ...(method !== "GET" && { body }),
    });
    return (await answer.json()) as JsonObject;
  };
  return {
    name,
    give: ({ url }, agent, description) => watchHttp(`${url}/atp/${agent}${path}`, requestOf(description)),
    async mistake({ url }, mistake) {
      const place = `${url}/atp/worker${path}`;
      const valid = JSON.stringify(requestOf("work"));
      const made: Record<Mistake, () => Promise<JsonObject>> = {
        "unknown agent": () => post(`${url}/atp/nobody${path}`, valid),
        "bad body": () => post(place, "{"),
        "too large": () => announceLarge(place),
        nesting: () => post(place, DEEP),
        "media type": () => post(place, valid, { "content-type": "text/plain" }),
        method: () => post(place, "", {}, "GET"),
        path: () => post(`${place}/nowhere`, valid),
      };
      return codeOf(await made[mistake]());
    },
  };
}

/** Reads a body as it comes, whether it is a stream of frames or one response. */
function watchHttp(url: string, request: JsonObject, headers: Record<string, string> = {}): WatchedTask {
  const leaving = new AbortController();
  const watched = createWatched(() => leaving.abort());
  void (async () => {
    try {
      const type = { "content-type": "application/json", ...headers };
      const answer = await fetch(url, {
        method: "POST",
        headers: type,
        body: JSON.stringify(request),
        signal: leaving.signal,
      });
      if (!url.endsWith("/stream")) {
        const text = await answer.text();
        watched.hear(text);
        return watched.end((JSON.parse(text) as JsonObject)["status"]);
      }
      for await (const frame of readSse(answer.body ?? new ReadableStream<Uint8Array>())) {
        if (frame.kind !== "message") continue;
        watched.hear(frame.data, frame.event === "event");
        if (frame.event === "response") watched.end((JSON.parse(frame.data) as JsonObject)["status"]);
      }
      return watched.end(undefined);
    } catch {
      return watched.end(leaving.signal.aborted ? "cancelled" : undefined);
    }
  })();
  return watched;
}

const executeSurface: SurfaceClient = {
  ...overHttp("ATP /execute", "/execute"),
  skips: {
    cancel: "a request that waits is cancelled by leaving, and then nobody is there to be told",
    close: "the client is told nothing before the end; http/surface.test.ts has this case",
    reconnect: "it has one answer and no events",
    "question answered": NO_QUESTIONS,
  },
};

const streamSurface: SurfaceClient = {
  ...overHttp("ATP /execute/stream", "/execute/stream"),
  skips: { "question answered": NO_QUESTIONS },
  async comeBack({ url }, agent) {
    const place = `${url}/atp/${agent}/execute/stream`;
    const request = requestOf("work");
    await watchHttp(place, request).ended;
    const again = watchHttp(place, request, { "last-event-id": "1" });
    await again.ended;
    return sequencesIn(again.received());
  },
};

const sequencesIn = (text: string): number[] =>
  text.split("\n").flatMap((line) => {
    const { sequence } = JSON.parse(line || "{}") as { sequence?: number };
    return sequence === undefined ? [] : [sequence];
  });

const socketUrl = (url: string, path: string): string => `${url.replace("http", "ws")}${path}`;

function watchSocket(
  url: string,
  agent: string,
  first: JsonObject | string,
): WatchedTask & { code(): number } {
  const socket = new WebSocket(socketUrl(url, `/atp/${agent}/ws`), "atp.v1");
  let code = 0;
  const task = typeof first === "string" ? undefined : first["task_id"];
  const watched = createWatched(() => socket.send(JSON.stringify({ type: "cancel", task_id: task })));
  socket.on("error", () => undefined);
  socket.on("open", () => socket.send(typeof first === "string" ? first : JSON.stringify(first)));
  socket.on("message", (data) => {
    // Text frames arrive as buffers.
    const text = (data as Buffer).toString();
    const { status } = JSON.parse(text) as JsonObject;
    watched.hear(text, status === undefined);
    if (status === undefined) return;
    watched.end(status);
    socket.close(1000);
  });
  socket.on("close", (closed) => {
    code = closed;
    watched.end(undefined);
  });
  return { ...watched, code: () => code };
}

/** The code of the HTTP answer that refuses a WebSocket. */
export async function refusedSocket(url: string): Promise<string> {
  const socket = new WebSocket(url, "atp.v1");
  socket.on("error", () => undefined);
  const [, response] = (await once(socket, "unexpected-response")) as [unknown, AsyncIterable<Buffer>];
  let text = "";
  for await (const chunk of response) text += chunk.toString();
  return codeOf(JSON.parse(text) as JsonObject);
}

const socketSurface: SurfaceClient = {
  name: "ATP /ws",
  skips: {
    "media type": "a frame has no media type",
    method: "a WebSocket has no methods",
    "question answered": NO_QUESTIONS,
  },
  give: ({ url }, agent, description) => watchSocket(url, agent, requestOf(description)),
  async mistake({ url }, mistake) {
    if (mistake === "path") return refusedSocket(socketUrl(url, "/atp/worker/nowhere"));
    const frames: Partial<Record<Mistake, JsonObject | string>> = {
      "unknown agent": requestOf("work"),
      "bad body": "{",
      "too large": { ...requestOf("work"), metadata: { LARGE } },
      nesting: DEEP,
    };
    const agent = mistake === "unknown agent" ? "nobody" : "worker";
    const task = watchSocket(url, agent, frames[mistake] ?? "");
    await task.ended;
    if (task.code() === 1009) return "PAYLOAD_TOO_LARGE";
    return codeOf(JSON.parse(task.received()) as JsonObject);
  },
  async comeBack({ url }, agent) {
    const request = requestOf("work");
    await watchSocket(url, agent, request).ended;
    const again = watchSocket(url, agent, { type: "resume", task_id: request["task_id"] ?? "", after: 1 });
    await again.ended;
    return sequencesIn(again.received());
  },
};

const GRPC_CODES: Record<number, string> = {
  [grpc.status.NOT_FOUND]: "AGENT_NOT_FOUND",
  [grpc.status.RESOURCE_EXHAUSTED]: "PAYLOAD_TOO_LARGE",
  [grpc.status.UNIMPLEMENTED]: "NOT_FOUND",
};

interface GrpcTask extends WatchedTask {
  status: Promise<number>;
}

function watchGrpc({ grpcUrl }: Address, agent: string, request: JsonObject): GrpcTask {
  const client = openGrpcClient(grpcUrl);
  const metadata = new grpc.Metadata();
  metadata.set("atp-agent", agent);
  const call = client.ExecuteStream(request, metadata);
  const watched = createWatched(
    () =>
      void client.Cancel({ task_id: request["task_id"] }, metadata, () => {
        // Refused or not: what counts is how the task ends.
      }),
  );
  let told = (_status: number): void => undefined;
  const status = new Promise<number>((resolve) => (told = resolve));
  call.on("data", (message: StreamMessage) => {
    const document = plain(message.event ?? message.response) as JsonObject;
    watched.hear(JSON.stringify(document), message.event !== undefined && message.event !== null);
    if (message.response) watched.end(document["status"]);
  });
  call.on("error", () => undefined);
  call.on("status", ({ code }) => {
    told(code);
    watched.end(undefined);
    client.close();
  });
  return { ...watched, status };
}

const grpcSurface: SurfaceClient = {
  name: "ATP over gRPC",
  skips: {
    "bad body": "messages are typed and carry no JSON text",
    nesting: "messages are typed; how deep a Struct may be is channels/grpc/struct.test.ts",
    "media type": "gRPC itself has one media type",
    method: "every call is a POST",
    path: "a client is generated from the .proto and has no other calls",
    reconnect: "the .proto has no way to continue a stream",
    "question answered": NO_QUESTIONS,
  },
  give: (hub, agent, description) => watchGrpc(hub, agent, requestOf(description)),
  async mistake(hub, mistake) {
    const description = mistake === "too large" ? LARGE : "work";
    const agent = mistake === "unknown agent" ? "nobody" : "worker";
    const code = await watchGrpc(hub, agent, requestOf(description)).status;
    return GRPC_CODES[code] ?? String(code);
  },
};

export const ATP_SURFACES: readonly SurfaceClient[] = [
  executeSurface,
  streamSurface,
  socketSurface,
  grpcSurface,
];
