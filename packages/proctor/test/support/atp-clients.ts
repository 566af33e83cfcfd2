// Clients of the hub's ATP surfaces, made from programs that are not ours: fetch, `ws` and @grpc/grpc-js with proto-loader.
import { fileURLToPath } from "node:url";
import * as grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { WebSocket } from "ws";
import { readSse } from "../../src/channels/sse/read-sse.ts";
import type { JsonObject } from "../../src/core/json.ts";

export interface Heard {
  events: JsonObject[];
  response: JsonObject;
}

export interface AtpClient {
  name: string;
  /** False where the transport gives only the response. */
  streams: boolean;
  execute(agent: string, request: JsonObject): Promise<Heard>;
}

const PROTO = fileURLToPath(new URL("../../../../proto/atp/v1/agent.proto", import.meta.url));

export function atpClients(url: string, grpcUrl: string): AtpClient[] {
  return [waiting(url), streaming(url), socket(url), grpcStreaming(grpcUrl)];
}

function waiting(url: string): AtpClient {
  return {
    name: "POST /execute",
    streams: false,
    async execute(agent, request) {
      const answer = await post(`${url}/atp/${agent}/execute`, request);
      return { events: [], response: (await answer.json()) as JsonObject };
    },
  };
}

function streaming(url: string): AtpClient {
  return {
    name: "POST /execute/stream",
    streams: true,
    async execute(agent, request) {
      const answer = await post(`${url}/atp/${agent}/execute/stream`, request);
      const events: JsonObject[] = [];
      let response: JsonObject = {};
      for await (const message of readSse(answer.body ?? emptyBody())) {
        if (message.kind !== "message") continue;
        const document = JSON.parse(message.data) as JsonObject;
        if (message.event === "event") events.push(document);
        else response = document;
      }
      return { events, response };
    },
  };
}

function socket(url: string): AtpClient {
  return {
    name: "WebSocket",
    streams: true,
    execute(agent, request) {
      const connection = new WebSocket(`${url.replace("http", "ws")}/atp/${agent}/ws`, "atp.v1");
      const events: JsonObject[] = [];
      return new Promise((resolve, reject) => {
        connection.on("error", reject);
        connection.on("open", () => connection.send(JSON.stringify(request)));
        connection.on("message", (data) => {
          // Text frames arrive as buffers.
          const document = JSON.parse((data as Buffer).toString()) as JsonObject;
          if ("event_type" in document) return events.push(document);
          connection.close(1000);
          return resolve({ events, response: document });
        });
      });
    },
  };
}

export interface AgentClient extends grpc.Client {
  Execute(
    request: object,
    metadata: grpc.Metadata,
    done: grpc.requestCallback<JsonObject>,
  ): grpc.ClientUnaryCall;
  ExecuteStream(request: object, metadata: grpc.Metadata): grpc.ClientReadableStream<StreamMessage>;
  Cancel(
    request: object,
    metadata: grpc.Metadata,
    done: grpc.requestCallback<JsonObject>,
  ): grpc.ClientUnaryCall;
}

export interface StreamMessage {
  event?: JsonObject;
  response?: JsonObject;
}

/** Of the service that the proto file declares; to be closed by who opened it. */
export function openGrpcClient(url: string): AgentClient {
  const definition = grpc.loadPackageDefinition(
    loadSync(PROTO, {
      keepCase: true,
      longs: Number,
      includeDirs: [fileURLToPath(new URL("../../../../proto", import.meta.url))],
    }),
  );
  // Shaped by the proto file: atp.v1.Agent is a service.
  const { Agent } = (
    definition as unknown as {
      atp: { v1: { Agent: new (target: string, credentials: grpc.ChannelCredentials) => AgentClient } };
    }
  ).atp.v1;
  return new Agent(url.replace(/^\w+:\/\//, ""), grpc.credentials.createInsecure());
}

/** proto-loader gives Structs as they are on the wire: they are read back into JSON here, by hand. */
function grpcStreaming(url: string): AtpClient {
  return {
    name: "gRPC",
    streams: true,
    execute(agent, request) {
      const client = openGrpcClient(url);
      const metadata = new grpc.Metadata();
      metadata.set("atp-agent", agent);
      const events: JsonObject[] = [];
      let response: JsonObject = {};
      const call = client.ExecuteStream(plainRequest(request), metadata);
      return new Promise((resolve, reject) => {
        call.on("data", (message: StreamMessage) => {
          if (message.event) events.push(plain(message.event) as JsonObject);
          if (message.response) response = plain(message.response) as JsonObject;
        });
        call.on("error", (error) => (client.close(), reject(error)));
        call.on("end", () => (client.close(), resolve({ events, response })));
      });
    },
  };
}

/** Only what these tests send: no free-form parts. */
function plainRequest({ version, task_id, task }: JsonObject): object {
  return { version, task_id, task };
}

/** google.protobuf.Struct and Value back into JSON; everything else as it is. */
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([key, inner]) => inner !== null && !key.startsWith("_"));
  const [first] = entries;
  if ("fields" in value) return plain(value.fields);
  if (entries.length === 1 && first !== undefined) {
    const [key, inner] = first;
    if (key === "stringValue" || key === "numberValue" || key === "boolValue") return inner;
    if (key === "nullValue") return null;
    if (key === "structValue") return plain(inner);
    if (key === "listValue") return plain((inner as { values: unknown[] }).values);
  }
  const { extensions, ...rest } = Object.fromEntries(entries.map(([key, inner]) => [key, plain(inner)]));
  // Says the proto file: what is in `extensions` wins.
  return { ...rest, ...(extensions as object | undefined) };
}

async function post(url: string, body: JsonObject): Promise<Response> {
  const type = "application/vnd.atp.v1+json";
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": type, accept: url.endsWith("stream") ? "text/event-stream" : type },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${answer.status} from ${url}: ${await answer.text()}`);
  return answer;
}

async function* emptyBody(): AsyncGenerator<Uint8Array> {}
