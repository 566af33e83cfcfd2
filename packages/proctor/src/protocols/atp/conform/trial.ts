// One agent under trial: how to send it something, and the exchanges that several rules look at, made once and when first
// needed.
import type { AgentSpec } from "../../../core/agent.ts";
import { uuidV7 } from "../../../core/id.ts";
import type { JsonObject } from "../../../core/json.ts";
import {
  exchange,
  openConnection,
  type Connection,
  type Door,
  type Exchange,
  type ExchangeOptions,
  type Transport,
} from "./exchange.ts";
import { ATP_JSON } from "../http/media.ts";

export interface TrialOptions {
  spec: AgentSpec;
  transport: Transport;
  timeoutMs: number;
  signal: AbortSignal;
  /** The description of every task. */
  task: string;
  /** Variables that go with every request; their values are secrets. */
  environment: Readonly<Record<string, string>>;
}

/** Differences of a request from the plainest valid one. */
export interface RequestChanges {
  description?: string;
  task?: JsonObject;
  constraints?: JsonObject;
  context?: JsonObject;
  environment?: Readonly<Record<string, string>>;
  /** Additional fields of the request itself; a field that is undefined is left out. */
  top?: JsonObject;
}

type SendOptions = Partial<Omit<ExchangeOptions, "send" | "signal">>;

export interface Trial extends TrialOptions {
  /** Milliseconds that an agent may take to end after a request to stop, or after its last message. */
  readonly graceMs: number;
  request(changes?: RequestChanges): JsonObject;
  send(send: string | JsonObject, options?: SendOptions): Promise<Exchange>;
  /** Opens a connection that several requests can share. */
  open(): Promise<TrialConnection>;
  /** Resolves with the exchange over the plainest valid request; it is made once. */
  basic(): Promise<Exchange>;
  /** Resolves with the exchange over a request without a description, which has to be refused; it is made once. */
  refusal(): Promise<Exchange>;
}

export interface TrialConnection {
  send(send: string | JsonObject, options?: SendOptions): Promise<Exchange>;
  close(): Promise<void>;
}

/** Milliseconds to listen for what should not come after a response. */
const LISTEN_MS = 300;
/** Statuses with which an agent without a stream answers; it is then asked at its other endpoint. */
const NO_SUCH_DOOR: ReadonlySet<number | undefined> = new Set([404, 405, 501]);

/** Statuses of servers for a body of a type that they do not read: some fail over what they did not parse. */
const NOT_READ: ReadonlySet<number | undefined> = new Set([400, 415, 422, 500]);

export function createTrial(options: TrialOptions): Trial {
  const { environment, spec, task, transport, signal, timeoutMs } = options;
  // The user's own limit, and no shorter one: how busy the machine is must not decide.
  const graceMs = timeoutMs;
  let door: Door = "stream";
  let headers: Readonly<Record<string, string>> = {};
  let basicDone: Promise<Exchange> | undefined;
  let refusalDone: Promise<Exchange> | undefined;

  function optionsFor(send: string | JsonObject, more: SendOptions): ExchangeOptions {
    const sent = { ...headers, ...more.headers };
    return { timeoutMs, graceMs, environment, door, ...more, headers: sent, send, signal };
  }

  function request(changes: RequestChanges = {}): JsonObject {
    const secrets = { ...environment, ...changes.environment };
    const context = {
      ...changes.context,
      ...(Object.keys(secrets).length > 0 && { environment: secrets }),
    };
    return {
      version: "1.0",
      task_id: uuidV7(),
      task: { description: changes.description ?? task, ...changes.task },
      ...(changes.constraints && { constraints: changes.constraints }),
      ...(Object.keys(context).length > 0 && { context }),
      ...changes.top,
    };
  }

  async function askFirst(): Promise<Exchange> {
    const ask = (): Promise<Exchange> =>
      exchange(spec, transport, optionsFor(request(), { listenMs: LISTEN_MS }));
    if (transport !== "http") return ask();
    const first = await ask();
    if (first.response !== undefined) return first;
    if (NO_SUCH_DOOR.has(first.ended.httpStatus)) door = "execute";
    const second = door === "execute" ? await ask() : first;
    if (second.response !== undefined || !NOT_READ.has(second.ended.httpStatus)) return second;
    // Perhaps it reads only the type that the document names.
    headers = { "content-type": ATP_JSON };
    const third = await ask();
    if (third.response === undefined) headers = {};
    return third.response === undefined ? second : third;
  }

  const basic = (): Promise<Exchange> => (basicDone ??= askFirst());

  async function send(send: string | JsonObject, more: SendOptions = {}): Promise<Exchange> {
    await basic();
    return exchange(spec, transport, optionsFor(send, more));
  }

  return {
    ...options,
    graceMs,
    request,
    send,
    basic,
    refusal: () =>
      (refusalDone ??= send(request({ task: { description: undefined, input_data: { greet: "Ada" } } }))),
    async open() {
      await basic();
      const connection: Connection = await openConnection(spec, transport, signal);
      return {
        send: (text, more = {}) => connection.exchange(optionsFor(text, more)),
        close: () => connection.close(),
      };
    },
  };
}
