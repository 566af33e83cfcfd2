// A server of chat completions that answers as a test says, and the words in which it does.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { JsonObject } from "../../../src/core/json.ts";
import { serveHttp, type TestServer } from "../http/servers.ts";

export interface AskedModel {
  path: string;
  headers: IncomingHttpHeaders;
  body: JsonObject & { messages: JsonObject[] };
}

export interface ModelServer extends TestServer {
  /** The requests that came, in order. */
  asked: AskedModel[];
  /** The base for an agent's address: `http://127.0.0.1:port/v1`. */
  base: string;
}

export type Reply = (response: ServerResponse, asked: AskedModel) => void | Promise<void>;

/** The nth request gets the nth reply; the last one is repeated. */
export async function serveModel(...replies: Reply[]): Promise<ModelServer> {
  const asked: AskedModel[] = [];
  const server = await serveHttp((request, response) => void serve(request, response));

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as AskedModel["body"];
    const one = { path: request.url ?? "", headers: request.headers, body };
    const reply = replies[Math.min(asked.push(one), replies.length) - 1];
    await reply?.(response, one);
  }

  return Object.assign(server, { asked, base: `${server.url}/v1` });
}

export const STREAM_HEAD = { "content-type": "text/event-stream" };
export const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

export function chunk(delta: JsonObject, finish_reason: string | null = null): JsonObject {
  return {
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1_700_000_000,
    model: "gpt-test-2026",
    choices: [{ index: 0, delta, finish_reason }],
  };
}

export function usageChunk(usage: JsonObject = USAGE): JsonObject {
  return { ...chunk({}), choices: [], usage };
}

export function frame(data: JsonObject | string): string {
  return `data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
}

/** A whole stream of these frames, without an end of its own. */
export function frames(...data: (JsonObject | string)[]): Reply {
  return (response) => void response.writeHead(200, STREAM_HEAD).end(data.map(frame).join(""));
}

/** A stream that says this and stops. */
export function says(...pieces: string[]): Reply {
  return frames(
    chunk({ role: "assistant", content: "" }),
    ...pieces.map((content) => chunk({ content })),
    chunk({}, "stop"),
    usageChunk(),
    "[DONE]",
  );
}

export interface Called {
  name: string;
  /** An object is written as JSON. */
  arguments?: JsonObject | string;
  id?: string;
}

/** A stream that calls functions, each in three pieces. */
export function calls(...called: Called[]): Reply {
  const deltas = called.flatMap(({ name, arguments: input = {}, id }, index) => {
    const text = typeof input === "string" ? input : JSON.stringify(input);
    const half = Math.ceil(text.length / 2);
    const piece = (more: JsonObject): JsonObject => ({ tool_calls: [{ index, ...more }] });
    return [
      piece({ id: id ?? `call_${index}_${name}`, type: "function", function: { name, arguments: "" } }),
      piece({ function: { arguments: text.slice(0, half) } }),
      piece({ function: { arguments: text.slice(half) } }),
    ];
  });
  return frames(
    chunk({ role: "assistant", content: null }),
    ...deltas.map((delta) => chunk(delta)),
    chunk({}, "tool_calls"),
    usageChunk(),
    "[DONE]",
  );
}

export function completion(message: JsonObject, finish_reason = "stop"): JsonObject {
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_700_000_000,
    model: "gpt-test-2026",
    choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason }],
    usage: USAGE,
  };
}

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Reply {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return (response) =>
    void response.writeHead(status, { "content-type": "application/json", ...headers }).end(text);
}

export function refuses(status: number, error: JsonObject = {}, headers: Record<string, string> = {}): Reply {
  return json(
    { error: { message: "no", type: "error", param: null, code: null, ...error } },
    status,
    headers,
  );
}
