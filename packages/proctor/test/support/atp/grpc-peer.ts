// An independent implementation of gRPC (grpc-js and protobufjs, which know nothing of our code) as the other side: as an
// agent that our driver drives, and as a client of our surface.
import { fileURLToPath } from "node:url";
import {
  credentials,
  loadPackageDefinition,
  Metadata,
  Server,
  ServerCredentials,
  type Client,
  type ClientReadableStream,
  type ClientUnaryCall,
  type GrpcObject,
  type ServerUnaryCall,
  type ServerWritableStream,
  type ServiceClientConstructor,
  type ServiceError,
  type sendUnaryData,
} from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import type { Json, JsonObject } from "../../../src/core/json.ts";

export type PeerMessage = Record<string, unknown>;
export type PeerStream = ServerWritableStream<PeerMessage, PeerMessage>;

export interface PeerHandlers {
  ExecuteStream?(call: PeerStream): void;
  Execute?(call: ServerUnaryCall<PeerMessage, PeerMessage>, answer: sendUnaryData<PeerMessage>): void;
  Cancel?(call: ServerUnaryCall<PeerMessage, PeerMessage>, answer: sendUnaryData<PeerMessage>): void;
}

type Callback = (error: ServiceError | null, response?: PeerMessage) => void;

export interface PeerClient extends Client {
  ExecuteStream(
    request: PeerMessage,
    metadata: Metadata,
    options?: object,
  ): ClientReadableStream<PeerMessage>;
  Execute(request: PeerMessage, metadata: Metadata, options: object, done: Callback): ClientUnaryCall;
  Cancel(request: PeerMessage, metadata: Metadata, options: object, done: Callback): ClientUnaryCall;
}

const PROTO = fileURLToPath(new URL("../../../../../proto", import.meta.url));

const loaded = loadPackageDefinition(
  loadSync(["atp/v1/agent.proto", "grpc/health/v1/health.proto"], {
    includeDirs: [PROTO],
    keepCase: true,
    longs: Number,
    oneofs: true,
    enums: String,
  }),
);

function peerService(path: string): ServiceClientConstructor {
  const found = path.split(".").reduce<unknown>((at, name) => (at as GrpcObject)[name], loaded);
  return found as ServiceClientConstructor;
}

/** An agent. Methods that are not given are UNIMPLEMENTED. */
export async function servePeer(
  handlers: PeerHandlers,
): Promise<{ url: string; close: () => void; server: Server }> {
  const server = new Server();
  server.addService(peerService("atp.v1.Agent").service, { ...handlers });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return { url: `grpc://127.0.0.1:${port}`, server, close: () => server.forceShutdown() };
}

export function peerClient(url: string, service = "atp.v1.Agent"): PeerClient {
  const Client = peerService(service);
  // The methods are those of the .proto file.
  return new Client(url.replace("grpc://", ""), credentials.createInsecure()) as unknown as PeerClient;
}

export function metadata(values: Record<string, string> = {}): Metadata {
  const result = new Metadata();
  for (const [name, value] of Object.entries(values)) result.set(name, value);
  return result;
}

/** protobufjs has no short form for these. */
export function toStruct(object: JsonObject): PeerMessage {
  return {
    fields: Object.fromEntries(Object.entries(object).map(([key, value]) => [key, toValue(value ?? null)])),
  };
}

function toValue(value: Json): PeerMessage {
  if (value === null) return { nullValue: 0 };
  if (typeof value === "number") return { numberValue: value };
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (Array.isArray(value)) return { listValue: { values: value.map(toValue) } };
  return { structValue: toStruct(value) };
}

export function fromStruct(struct: unknown): JsonObject {
  const { fields } = struct as { fields?: Record<string, PeerMessage> };
  return Object.fromEntries(Object.entries(fields ?? {}).map(([key, value]) => [key, fromValue(value)]));
}

function fromValue(value: PeerMessage): Json {
  if ("structValue" in value) return fromStruct(value["structValue"]);
  if ("listValue" in value)
    return (value["listValue"] as { values?: PeerMessage[] }).values?.map(fromValue) ?? [];
  for (const kind of ["numberValue", "stringValue", "boolValue"]) {
    if (kind in value) return value[kind] as Json;
  }
  return null;
}

/** Everything that comes, and how it ended. */
export async function collect(
  stream: ClientReadableStream<PeerMessage>,
): Promise<{ messages: PeerMessage[]; error?: ServiceError }> {
  const messages: PeerMessage[] = [];
  return new Promise((resolve) => {
    stream.on("data", (message: PeerMessage) => messages.push(message));
    stream.on("error", (error: ServiceError) => resolve({ messages, error }));
    stream.on("end", () => resolve({ messages }));
  });
}

export function unary(
  call: (done: Callback) => unknown,
): Promise<{ response: PeerMessage; error?: undefined } | { error: ServiceError; response?: undefined }> {
  return new Promise((resolve) => {
    call((error, response) => resolve(error ? { error } : { response: response ?? {} }));
  });
}
