// Model endpoints on a real socket for each test, in front of a model on a real socket that does as the test says.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import OpenAI from "openai";
import type { JsonObject } from "../../../src/core/json.ts";
import type { ModelCall, ModelEndpoint, OpenModel } from "../../../src/core/ports/model-host.ts";
import { systemClock } from "../../../src/runtime/time/system-clock.ts";
import { listen } from "../../../src/runtime/http/listen.ts";
import { afterEveryTest } from "../closing.ts";
import { createModelHost, type ModelHostOptions, type ServedModelHost } from "../../../src/llm/model-host.ts";

/** Key of the hub for its own model. */
export const HUB_KEY = "sk-hub-secret-0123456789abcdef";
export const RUN_KEY = "proctor-key-of-the-run-42";
const PRICES = { real: { input: 1, output: 2 }, other: { input: 10, output: 20 } };

const opened: (() => Promise<void>)[] = [];

afterEveryTest(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

export function onEnd(close: () => Promise<void>): void {
  opened.push(close);
}

export interface Asked {
  url: string;
  headers: IncomingMessage["headers"];
  body: JsonObject;
}

export interface FakeModel {
  url: string;
  asked: Asked[];
  /** Resolves when a connection that was not answered to its end is gone. */
  left: Promise<void>;
}

export type Play = (outgoing: ServerResponse, asked: Asked) => void | Promise<void>;

export async function startModel(play: Play): Promise<FakeModel> {
  const asked: Asked[] = [];
  let leave = (): void => {};
  const left = new Promise<void>((resolve) => (leave = resolve));
  const server = createServer((incoming, outgoing) => {
    outgoing.on("error", () => {});
    outgoing.on("close", () => !outgoing.writableFinished && leave());
    void (async () => {
      let text = "";
      for await (const chunk of incoming.setEncoding("utf8")) text += String(chunk);
      const body = JSON.parse(text) as JsonObject;
      const request = { url: incoming.url ?? "", headers: incoming.headers, body };
      asked.push(request);
      await play(outgoing, request);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onEnd(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  // A server on a port has an address with a port.
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked, left };
}

export const USAGE = { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 };
const HEAD = { id: "chatcmpl-1", created: 1, model: "real-2026" };

export function completion(content: string, usage: JsonObject | undefined = USAGE): JsonObject {
  const message = { role: "assistant", content };
  return {
    ...HEAD,
    object: "chat.completion",
    choices: [{ index: 0, message, finish_reason: "stop" }],
    ...(usage && { usage }),
  };
}

export function chunk(delta: JsonObject, finishReason: string | null = null, index = 0): JsonObject {
  const choices = [{ index, delta, finish_reason: finishReason }];
  return { ...HEAD, object: "chat.completion.chunk", choices, usage: null };
}

export const USAGE_CHUNK = { ...HEAD, object: "chat.completion.chunk", choices: [], usage: USAGE };

export function sendJson(outgoing: ServerResponse, body: unknown, status = 200, headers = {}): void {
  outgoing.writeHead(status, { "content-type": "application/json", ...headers });
  outgoing.end(JSON.stringify(body));
}

export function sse(data: unknown): string {
  return `data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
}

export function beginStream(outgoing: ServerResponse, ...chunks: unknown[]): void {
  outgoing.writeHead(200, { "content-type": "text/event-stream" });
  outgoing.write(chunks.map(sse).join(""));
}

/** Sends a text in two chunks, why it ended, usage, and the end. */
export function sendStream(outgoing: ServerResponse): void {
  const said = [chunk({ role: "assistant", content: "Hel" }), chunk({ content: "lo" })];
  beginStream(outgoing, ...said, chunk({}, "stop"), USAGE_CHUNK, "[DONE]");
  outgoing.end();
}

export interface Hub {
  host: ServedModelHost;
  url: string;
  /** Calls that were recorded, in order. */
  calls: ModelCall[];
  open: (request?: Partial<OpenModel>) => Promise<ModelEndpoint>;
}

export async function startHub(options: Partial<ModelHostOptions>): Promise<Hub> {
  const calls: ModelCall[] = [];
  let url = "";
  const host = createModelHost({
    baseUrl: () => Promise.resolve(url),
    mock: () => Promise.reject(new Error("this test has a model")),
    prices: PRICES,
    clock: systemClock,
    ...options,
  });
  const server = await listen({
    app: { fetch: (request) => host.fetch(request) },
    host: "127.0.0.1",
    port: 0,
  });
  url = server.url;
  onEnd(async () => {
    await host.close();
    await server.close(0);
  });
  const open = (request: Partial<OpenModel> = {}): Promise<ModelEndpoint> =>
    host.open({
      runId: "01890000-0000-7000-8000-000000000001",
      traceId: "0af7651916cd43dd8448eb211c80319c",
      key: RUN_KEY,
      onCall: (call) => Promise.resolve(void calls.push(call)),
      ...request,
    });
  return { host, url, calls, open };
}

/** A hub in front of a model, and an endpoint of a run there. */
export async function startBoth(
  play: Play,
  options: Partial<ModelHostOptions> & { models?: string[] } = {},
  request: Partial<OpenModel> = {},
): Promise<Hub & { model: FakeModel; endpoint: ModelEndpoint }> {
  const { models, ...rest } = options;
  const model = await startModel(play);
  const upstream = { url: model.url, apiKey: HUB_KEY, provider: "openai", defaultModel: "real" };
  const hub = await startHub({ upstream: { ...upstream, ...(models && { models }) }, ...rest });
  return { ...hub, model, endpoint: await hub.open(request) };
}

export function client({ url }: { url: string }, apiKey = RUN_KEY): OpenAI {
  return new OpenAI({ baseURL: url, apiKey, maxRetries: 0 });
}

export const HELLO = { model: "gpt-x", messages: [{ role: "user" as const, content: "Hello?" }] };

export interface Answered {
  status: number;
  headers: Headers;
  text: string;
}

export async function post(
  { url }: { url: string },
  body: unknown = HELLO,
  init: { key?: string; signal?: AbortSignal } = {},
): Promise<Answered> {
  const response = await fetch(`${url}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${init.key ?? RUN_KEY}` },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...(init.signal && { signal: init.signal }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

export function errorOf({ text }: Answered): { message: string; type: string; code: string | null } {
  return (JSON.parse(text) as { error: { message: string; type: string; code: string | null } }).error;
}

/** A promise and the function that resolves it. */
export function gate<T = void>(): { opened: Promise<T>; open: (value: T) => void } {
  let open: (value: T) => void = () => {};
  const opened = new Promise<T>((resolve) => (open = resolve));
  return { opened, open };
}
