// The operations of A2A, whatever the version and the binding. The server half (http/, grpc/) puts a service on the network: the hub's
// agents, a scripted agent, a gateway. The client half (client/) is a service that is elsewhere. So a gateway is a service over a service.
import type { Caller } from "../../core/caller.ts";
import type {
  A2aTask,
  AgentCard,
  CancelTaskRequest,
  GetTaskRequest,
  ListPushConfigsRequest,
  ListPushConfigsResult,
  ListTasksRequest,
  ListTasksResult,
  PushConfig,
  PushConfigRequest,
  SendRequest,
  SendResult,
  StreamResponse,
  TaskRequest,
} from "./model.ts";

export const A2A_VERSIONS = ["1.0", "0.3"] as const;
export type A2aVersion = (typeof A2A_VERSIONS)[number];

export const BINDINGS = ["JSONRPC", "HTTP+JSON", "GRPC"] as const;
export type Binding = (typeof BINDINGS)[number];

/** Facts that go with a request besides its parameters. */
export interface A2aCall {
  version: A2aVersion;
  binding: Binding;
  /** Headers, or the metadata of gRPC, by names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** URIs of the extensions that the client asked for in `A2A-Extensions` or `X-A2A-Extensions`. */
  extensions: readonly string[];
  /** Id of the last frame that a returning client has: `Last-Event-ID`. */
  lastEventId?: string;
  /** Origin at which the client reached the server, without path, as proxies in front of it report: `https://example.com`. */
  origin: string;
  /** Path at which the service is mounted: `/a2a/writer`, or empty. */
  basePath: string;
  /** Trace id, 32 hex digits. */
  traceId: string;
  /** Authenticated caller; absent where the server requires no authentication. */
  caller?: Caller;
  /** Id of the calling span, 16 hex digits; when absent, that of the client whose call is passed on, or a new one. */
  spanId?: string;
  /** Aborts when the client leaves, or the server stops. */
  signal: AbortSignal;
}

export interface StreamFrame {
  event: StreamResponse;
  /** The `id:` of the SSE frame, at which a stream can be continued. Absent where it cannot. */
  id?: string;
}

/** The frames of a stream, in order. Not reading it holds the sender back; leaving the loop leaves the stream. Throws A2aError. */
export type A2aStream = AsyncIterable<StreamFrame>;

/** Every operation rejects with an A2aError where A2A has an error for it. */
export interface A2aService {
  /** Resolves with the public card. */
  card(call: A2aCall): Promise<AgentCard>;
  extendedCard(call: A2aCall): Promise<AgentCard>;
  send(request: SendRequest, call: A2aCall): Promise<SendResult>;
  /** Rejects where the request is refused before the first frame. */
  stream(request: SendRequest, call: A2aCall): Promise<A2aStream>;
  subscribe(request: TaskRequest, call: A2aCall): Promise<A2aStream>;
  getTask(request: GetTaskRequest, call: A2aCall): Promise<A2aTask>;
  listTasks(request: ListTasksRequest, call: A2aCall): Promise<ListTasksResult>;
  cancelTask(request: CancelTaskRequest, call: A2aCall): Promise<A2aTask>;
  createPushConfig(config: PushConfig, call: A2aCall): Promise<PushConfig>;
  getPushConfig(request: PushConfigRequest, call: A2aCall): Promise<PushConfig>;
  listPushConfigs(request: ListPushConfigsRequest, call: A2aCall): Promise<ListPushConfigsResult>;
  deletePushConfig(request: PushConfigRequest, call: A2aCall): Promise<void>;
}

export type A2aOperation = keyof A2aService;
