// One raw exchange with an agent on any transport. It knows nothing of our drivers and checks nothing, so that it can send
// what a driver never would and show what came back.
import type { AgentSpec } from "../../../core/agent.ts";
import type { JsonObject } from "../../../core/json.ts";
import type { Message, Transcript } from "./transcript.ts";
import { oneLine } from "../../one-line.ts";

export type Transport = "stdio" | "http" | "websocket" | "grpc";

/** Endpoint over HTTP: one answers at the end, the other streams. */
export type Door = "execute" | "stream";

export interface ExchangeOptions {
  /** The request: a text is sent as it is, an object as JSON. */
  send: string | JsonObject;
  timeoutMs: number;
  /** Milliseconds that the agent may take to end after a cancel, or to let go of the connection after its response. */
  graceMs: number;
  signal: AbortSignal;
  /** Cancels at the first message, or after this many milliseconds without one. */
  cancelAfterMs?: number;
  /** Over gRPC, cancels by calling Cancel instead of breaking off the call. */
  cancelByCall?: boolean;
  /** Milliseconds to listen for more after the response, where nothing else shows that it was the last message. */
  listenMs?: number;
  /** Environment variables that a program gets besides the agent's own. */
  environment?: Readonly<Record<string, string>>;
  door?: Door;
  headers?: Readonly<Record<string, string>>;
}

/** How an exchange ended, as far as the transport can say. */
export interface Ended {
  /** True when the agent was cut off because it exceeded the limit, or the grace period after a cancel. */
  overtime: boolean;
  /** True when the exchange was cancelled by us. */
  cancelled: boolean;
  /** True when the agent had answered and did not let go of the pipe or the stream. */
  lingered: boolean;
  /** Reason why the connection was not made, or broke. */
  error?: string;
  /** True when the agent was not reached, so that nothing it does can be judged. */
  unreachable: boolean;
  exitCode?: number | null;
  signal?: string | null;
  /** Number of processes that the agent left behind. */
  leftover?: number;
  httpStatus?: number;
  contentType?: string;
  closeCode?: number;
  subprotocol?: string;
  grpcStatus?: string;
}

export interface Exchange {
  /** The request as it was sent. */
  sent: string;
  taskId: string | undefined;
  messages: readonly Message[];
  events: readonly JsonObject[];
  responses: readonly JsonObject[];
  /** The response that counts: over stdio the last, elsewhere the first. */
  response: JsonObject | undefined;
  ended: Ended;
  durationMs: number;
}

/** Never throws for what the agent does. */
export interface Connection {
  exchange(options: ExchangeOptions): Promise<Exchange>;
  close(): Promise<void>;
}

export function transportOf(spec: AgentSpec): Transport | undefined {
  switch (spec.transport) {
    case "stdio":
    case "grpc":
      return spec.transport;
    case "http":
    case "https":
      return "http";
    case "ws":
    case "wss":
      return "websocket";
    default:
      return undefined;
  }
}

/** Opens a connection, whose module is loaded when needed. Over stdio a connection does nothing: every exchange is a process. */
export async function openConnection(
  spec: AgentSpec,
  transport: Transport,
  signal: AbortSignal,
): Promise<Connection> {
  switch (transport) {
    case "stdio":
      return (await import("./exchange-stdio.ts")).openStdio(spec);
    case "http":
      return (await import("./exchange-http.ts")).openHttp(spec);
    case "websocket":
      return (await import("./exchange-websocket.ts")).openWebSocket(spec, signal);
    case "grpc":
      return (await import("./exchange-grpc.ts")).openGrpc(spec);
  }
}

/** Makes one exchange on a connection of its own. */
export async function exchange(
  spec: AgentSpec,
  transport: Transport,
  options: ExchangeOptions,
): Promise<Exchange> {
  const connection = await openConnection(spec, transport, options.signal);
  try {
    return await connection.exchange(options);
  } finally {
    await connection.close();
  }
}

export function textOf(send: string | JsonObject): string {
  return typeof send === "string" ? send : oneLine(JSON.stringify(send));
}

export function taskIdOf(send: string | JsonObject): string | undefined {
  if (typeof send === "string") return undefined;
  const { task_id: id } = send;
  return typeof id === "string" ? id : undefined;
}

/** Reads what counts out of a transcript. Only over stdio does the last response count. */
export function concludeExchange(
  options: ExchangeOptions,
  { messages }: Transcript,
  ended: Ended,
  durationMs: number,
): Exchange {
  const jsonOf = (kind: Message["kind"]): JsonObject[] =>
    messages.flatMap((message) => (message.kind === kind && message.json ? [message.json] : []));
  const answers = messages.filter(({ kind, channel }) => kind === "response" && channel !== "stderr");
  const counting = ended.exitCode === undefined ? answers[0] : answers.at(-1);
  return {
    sent: textOf(options.send),
    taskId: taskIdOf(options.send),
    messages,
    events: jsonOf("event"),
    responses: jsonOf("response"),
    response: counting?.json,
    ended,
    durationMs,
  };
}
