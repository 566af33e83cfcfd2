// A server of A2A whose every answer a test writes, over JSON-RPC or HTTP+JSON, so that it can be as wrong as a test wants. Knows nothing of
// Proctor's own client or server.
import type { IncomingMessage, ServerResponse } from "node:http";
import { isJsonObject, type Json, type JsonObject } from "../../../src/core/json.ts";
import { METHODS } from "../../../src/protocols/a2a/methods.ts";
import type { A2aOperation, A2aVersion } from "../../../src/protocols/a2a/service.ts";
import { serveHttp, type TestServer } from "../http/servers.ts";

export type ServedBinding = "JSONRPC" | "HTTP+JSON";

/** One request of a client. */
export interface Asked {
  operation: A2aOperation | "card" | "unknown";
  params: JsonObject;
  headers: IncomingMessage["headers"];
  method: string;
  url: string;
  response: ServerResponse;
  /** Answers with a result. */
  result(result: Json): void;
  error(code: number, message: string, status?: number): void;
  /** Begins a stream. */
  stream(): AskedStream;
}

export interface AskedStream {
  /** Resolves when the client can take more. */
  frame(event: Json, id?: string): Promise<void>;
  /** Writes bytes as they are. */
  write(text: string): Promise<void>;
  end(): void;
  /** Breaks off the connection. */
  cut(): void;
  /** Resolves when the client is gone. */
  gone: Promise<void>;
}

export interface ScriptedServer {
  url: string;
  asked: Asked[];
  server: TestServer;
}

export interface ScriptedOptions {
  binding?: ServedBinding;
  version?: A2aVersion;
  /** Changes the card; `undefined` for none. */
  card?: (card: JsonObject) => Json | undefined;
  streaming?: boolean;
}

type Play = (asked: Asked) => void | Promise<void>;

export async function serveA2a(play: Play, options: ScriptedOptions = {}): Promise<ScriptedServer> {
  const { binding = "JSONRPC", version = "1.0", streaming = true, card: change = (card) => card } = options;
  const asked: Asked[] = [];
  const server = await serveHttp((request, response) => void serve(request, response));

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const { url = "", method = "", headers } = request;
    if (method === "GET" && /\.well-known|^\/$/.test(url)) {
      asked.push({ ...nobody(response), operation: "card", params: {}, headers, method, url, response });
      const card = url.startsWith("/.well-known/agent-card.json")
        ? change(cardOf(version, binding, server.url, streaming))
        : undefined;
      if (response.writableEnded) return;
      response.writeHead(card === undefined ? 404 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(card ?? { message: "no card here" }));
      return;
    }
    const one = binding === "JSONRPC" ? rpcAsked(text, response) : httpAsked(method, url, text, response);
    const whole: Asked = { ...one, headers, method, url, response };
    asked.push(whole);
    await play(whole);
  }

  return { url: server.url, asked, server };
}

export function cardOf(
  version: A2aVersion,
  binding: ServedBinding,
  url: string,
  streaming = true,
): JsonObject {
  const common = {
    name: "scripted",
    description: "an agent that a test plays",
    version: "1.0.0",
    capabilities: { streaming },
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [{ id: "s", name: "s", description: "s", tags: ["s"] }],
  };
  return version === "1.0"
    ? { ...common, supportedInterfaces: [{ url, protocolBinding: binding, protocolVersion: version }] }
    : { ...common, protocolVersion: "0.3.0", url, preferredTransport: binding };
}

type Answerable = Pick<Asked, "operation" | "params" | "result" | "error" | "stream">;

function rpcAsked(text: string, response: ServerResponse): Answerable {
  const { id = null, method, params } = JSON.parse(text) as JsonObject;
  const operation = Object.values(METHODS)
    .flatMap((methods) => Object.entries(methods))
    .find(([, name]) => name === method)?.[0];
  const envelope = (more: JsonObject): string => JSON.stringify({ jsonrpc: "2.0", id, ...more });
  return {
    // It is a key of a table of operations.
    operation: (operation ?? "unknown") as Asked["operation"],
    params: isJsonObject(params) ? params : {},
    result: (result) => send(response, 200, envelope({ result })),
    error: (code, message, status = 200) => send(response, status, envelope({ error: { code, message } })),
    stream: () => openStream(response, (event) => envelope({ result: event })),
  };
}

const PATHS: readonly [method: RegExp, path: RegExp, operation: A2aOperation][] = [
  [/POST/, /^\/message:send$/, "send"],
  [/POST/, /^\/message:stream$/, "stream"],
  [/GET/, /^\/tasks$/, "listTasks"],
  [/POST/, /^\/tasks\/([^/:]+):cancel$/, "cancelTask"],
  [/POST|GET/, /^\/tasks\/([^/:]+):subscribe$/, "subscribe"],
  [/GET/, /^\/tasks\/([^/:]+)$/, "getTask"],
  [/POST/, /^\/tasks\/([^/:]+)\/pushNotificationConfigs$/, "createPushConfig"],
  [/GET/, /^\/tasks\/([^/:]+)\/pushNotificationConfigs$/, "listPushConfigs"],
  [/GET/, /^\/tasks\/([^/:]+)\/pushNotificationConfigs\/[^/]+$/, "getPushConfig"],
  [/DELETE/, /^\/tasks\/([^/:]+)\/pushNotificationConfigs\/[^/]+$/, "deletePushConfig"],
  [/GET/, /^\/extendedAgentCard$/, "extendedCard"],
];

function httpAsked(method: string, target: string, text: string, response: ServerResponse): Answerable {
  const { pathname, searchParams } = new URL(target, "http://h");
  const found = PATHS.find(([allowed, path]) => allowed.test(method) && path.test(pathname));
  const id = found?.[1].exec(pathname)?.[1];
  const body = text === "" ? {} : (JSON.parse(text) as JsonObject);
  return {
    operation: found?.[2] ?? "unknown",
    params: { ...Object.fromEntries(searchParams), ...body, ...(id !== undefined && { id }) },
    result: (result) => send(response, 200, JSON.stringify(result), "application/a2a+json"),
    error: (code, message, status = 400) =>
      send(response, status, JSON.stringify({ error: { code, message } })),
    stream: () => openStream(response, (event) => JSON.stringify(event)),
  };
}

function nobody(response: ServerResponse): Pick<Asked, "result" | "error" | "stream"> {
  return {
    result: (result) => send(response, 200, JSON.stringify(result)),
    error: (_code, message, status = 400) => send(response, status, message),
    stream: () => openStream(response, (event) => JSON.stringify(event)),
  };
}

function send(response: ServerResponse, status: number, text: string, type = "application/json"): void {
  response.writeHead(status, { "content-type": type });
  response.end(text);
}

function openStream(response: ServerResponse, encode: (event: Json) => string): AskedStream {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.flushHeaders();
  const gone = new Promise<void>((resolve) => void response.on("close", () => resolve()));
  async function write(text: string): Promise<void> {
    if (response.destroyed || response.write(text)) return;
    await Promise.race([new Promise((resolve) => response.once("drain", resolve)), gone]);
  }
  return {
    gone,
    write,
    frame: (event, id) => write(`${id === undefined ? "" : `id: ${id}\n`}data: ${encode(event)}\n\n`),
    end: () => response.end(),
    cut: () => void response.socket?.destroy(),
  };
}
