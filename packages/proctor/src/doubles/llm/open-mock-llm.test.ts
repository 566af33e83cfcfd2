// The endpoint from the outside: what clients get, and what hostile ones get.
import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../core/json.ts";
import { createManualClock } from "../../../test/support/manual-clock.ts";
import { chat, post, request, rule, startLlm } from "../../../test/support/doubles/mock-llm-harness.ts";
import { MAX_BODY_BYTES } from "./router.ts";
import { eventually } from "../../../test/support/eventually.ts";

const HELLO = { default: { content: "Hello!" } };
const errorOf = ({ body }: { body: JsonObject }) =>
  body["error"] as { message: string; type: string; code: string };

/** The data of a stream, and whether it came to its end. */
async function stream(url: string, body: JsonObject): Promise<{ data: string[]; complete: boolean }> {
  const response = await fetch(`${url}/chat/completions`, {
    method: "POST",
    body: JSON.stringify({ ...body, stream: true }),
  });
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  let text = "";
  let complete = true;
  const decoder = new TextDecoder();
  try {
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  } catch {
    complete = false;
  }
  return { data: Array.from(text.matchAll(/^data: (.*)$/gm), ([, data = ""]) => data), complete };
}

describe("a chat request to the mock model", () => {
  test("is answered in OpenAI's shape, and reported before", async () => {
    const llm = await startLlm({ model: "mock-1", ...HELLO });
    const { status, body } = await chat(llm, "Hi there");
    expect(status).toBe(200);
    expect(body).toEqual({
      id: "chatcmpl-mock-1",
      object: "chat.completion",
      created: expect.any(Number),
      model: "mock-1",
      system_fingerprint: null,
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: "Hello!", refusal: null },
          logprobs: null,
          finish_reason: "stop",
        },
      ],
      usage: { prompt_tokens: 2, completion_tokens: 2, total_tokens: 4 },
    });
    expect(llm.reported).toEqual([
      {
        time: expect.stringMatching(/^20.*Z$/),
        endpoint: "chat",
        model: "gpt-test",
        turn: 1,
        stream: false,
        answer: "default",
        status: 200,
        request: request("Hi there"),
        content: "Hello!",
        finish_reason: "stop",
        prompt_tokens: 2,
        completion_tokens: 2,
        duration_ms: expect.any(Number),
      },
    ]);
    expect(llm.calls()).toEqual(llm.reported);
    expect(await (await fetch(`${llm.root}/calls`)).json()).toEqual({
      items: llm.reported,
      next_cursor: null,
      total: 1,
    });
  });

  test("may get tool calls and the usage that the script says", async () => {
    const llm = await startLlm({
      default: {
        tool_calls: [
          { name: "weather", arguments: { city: "Oslo" } },
          { name: "broken", arguments: "{no", id: "c2" },
        ],
        usage: { prompt_tokens: 100, completion_tokens: 0 },
      },
    });
    const { body } = await chat(llm, "x");
    expect(body).toMatchObject({
      model: "gpt-test",
      choices: [
        {
          message: {
            content: null,
            tool_calls: [
              {
                id: "call-mock-1-1",
                type: "function",
                function: { name: "weather", arguments: '{"city":"Oslo"}' },
              },
              { id: "c2", type: "function", function: { name: "broken", arguments: "{no" } },
            ],
          },
          finish_reason: "tool_calls",
        },
      ],
      usage: { prompt_tokens: 100, completion_tokens: 0, total_tokens: 100 },
    });
  });

  test("gets the error that the script says, with when to come back", async () => {
    const error = { status: 429, message: "slow down", code: "quota", retry_after_seconds: 1.5 };
    const llm = await startLlm({ default: { error } });
    const answered = await chat(llm, "x");
    expect(answered.status).toBe(429);
    expect(answered.headers.get("retry-after")).toBe("2");
    expect(answered.headers.get("retry-after-ms")).toBe("1500");
    expect(answered.body).toEqual({
      error: { message: "slow down", type: "rate_limit_error", param: null, code: "quota" },
    });
    expect(llm.reported).toMatchObject([{ status: 429, answer: "default", error: { message: "slow down" } }]);
  });

  test("waits as long as the script says", async () => {
    const clock = createManualClock();
    const llm = await startLlm(
      {
        default_delay_ms: 500,
        answers: [rule({ contains: "slow" }, { content: "a", delay_ms: 9000 })],
        ...HELLO,
      },
      { clock },
    );
    const answers = [chat(llm, "quick"), chat(llm, "slow")];
    await eventually(() => expect(clock.waiting).toBe(2));
    clock.advance(500);
    await answers[0];
    expect(clock.waiting).toBe(1);
    clock.advance(8500);
    await answers[1];
    expect(llm.reported.map(({ duration_ms: took }) => took)).toEqual([500, 9000]);
  });

  test("is not answered when it could not be recorded", async () => {
    const llm = await startLlm(HELLO, { onCall: () => Promise.reject(new Error("disk full")) });
    const answered = await chat(llm, "x");
    expect(answered.status).toBe(503);
    expect(JSON.stringify(answered.body)).not.toContain("Hello");
    expect(llm.calls()).toEqual([]);
  });
});

describe("a stream of the mock model", () => {
  test("comes in the chunks that the script asks for", async () => {
    const llm = await startLlm({ default: { content: "Grüße 🌧🌧!", stream: { chunk_chars: 3 } } });
    const { data, complete } = await stream(llm.url, {
      ...request("x"),
      stream_options: { include_usage: true },
    });
    expect(complete).toBe(true);
    expect(data.pop()).toBe("[DONE]");
    const chunks = data.map((text) => JSON.parse(text) as JsonObject);
    const head = {
      id: "chatcmpl-mock-1",
      object: "chat.completion.chunk",
      created: expect.any(Number),
      model: "gpt-test",
      system_fingerprint: null,
    };
    const chunk = (delta: JsonObject, reason: string | null = null) => ({
      ...head,
      choices: [{ index: 0, delta, logprobs: null, finish_reason: reason }],
      usage: null,
    });
    expect(chunks).toEqual([
      chunk({ role: "assistant", content: "", refusal: null }),
      chunk({ content: "Grü" }),
      chunk({ content: "ße " }),
      chunk({ content: "🌧🌧!" }),
      chunk({}, "stop"),
      { ...head, choices: [], usage: { prompt_tokens: 1, completion_tokens: 3, total_tokens: 4 } },
    ]);
    expect(llm.reported).toMatchObject([{ stream: true, content: "Grüße 🌧🌧!" }]);
  });

  test("has no usage unless it is asked for", async () => {
    const llm = await startLlm(HELLO);
    const { data } = await stream(llm.url, request("x"));
    expect(data.join()).not.toContain("usage");
  });

  test("is cut where the script says, after what came before", async () => {
    const llm = await startLlm({
      default: { content: "abcdef", stream: { chunk_chars: 1, cut_after_chunks: 2 } },
    });
    const { data, complete } = await stream(llm.url, request("x"));
    expect(complete).toBe(false);
    expect(
      data.map(
        (text) => (JSON.parse(text) as { choices: { delta: JsonObject }[] }).choices[0]?.delta["content"],
      ),
    ).toEqual(["", "a", "b"]);
    expect(llm.reported).toMatchObject([{ cut: true, status: 200 }]);
  });

  test("is cut at its very end, and not when it is shorter", async () => {
    for (const [after, complete] of [
      [2, false],
      [3, true],
    ] as const) {
      const llm = await startLlm({
        default: { content: "ab", stream: { chunk_chars: 1, cut_after_chunks: after } },
      });
      expect(await stream(llm.url, request("x"))).toMatchObject({ complete });
    }
  });

  test("pauses between chunks, and ends when its reader leaves", async () => {
    const clock = createManualClock();
    const llm = await startLlm(
      { default: { content: "ab", stream: { chunk_chars: 1, chunk_delay_ms: 1000 } } },
      { clock },
    );
    const stop = new AbortController();
    const body = JSON.stringify({ ...request("x"), stream: true });
    const response = await fetch(`${llm.url}/chat/completions`, {
      method: "POST",
      body,
      signal: stop.signal,
    });
    const reader = response.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toContain('"role":"assistant"');
    await eventually(() => expect(clock.waiting).toBe(1));
    clock.advance(1000);
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toContain('"content":"a"');
    await eventually(() => expect(clock.waiting).toBe(1));
    stop.abort();
    await eventually(() => expect(clock.waiting).toBe(0));
  });
});

describe("embeddings of the mock model", () => {
  interface Embeddings {
    data: { index: number; embedding: number[] }[];
  }
  const embed = async (url: string, body: JsonObject) => {
    const answered = await post(`${url}/embeddings`, { model: "e", ...body });
    return {
      ...answered,
      vectors: (answered.body as unknown as Embeddings).data?.map(({ embedding }) => embedding),
    };
  };

  test("are the same for the same text, of length one, and far apart for others", async () => {
    const llm = await startLlm(HELLO);
    const {
      vectors: [a = [], b = []],
      body,
    } = await embed(llm.url, { input: ["cat", "dog"] });
    expect(body).toMatchObject({ object: "list", model: "e", usage: { prompt_tokens: 2, total_tokens: 2 } });
    expect(a).toHaveLength(1536);
    expect(Math.hypot(...a)).toBeCloseTo(1, 5);
    expect(a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)).toBeLessThan(0.2);
    const other = await startLlm(HELLO);
    expect((await embed(other.url, { input: "cat" })).vectors).toEqual([a]);
    expect(llm.reported).toMatchObject([
      { endpoint: "embeddings", model: "e", prompt_tokens: 2, answer: null },
    ]);
  });

  test("have the dimensions that are asked for", async () => {
    const llm = await startLlm(HELLO);
    expect(
      (await embed(llm.url, { input: [[1, 2], [3]], dimensions: 8 })).vectors.map((v) => v.length),
    ).toEqual([8, 8]);
  });

  test.each<[string, JsonObject]>([
    ["nothing", {}],
    ["an empty text", { input: "" }],
    ["no texts", { input: [] }],
    ["a mixture", { input: ["a", [1]] }],
    ["no dimensions", { input: "a", dimensions: 0 }],
    ["too many numbers", { input: Array<string>(2000).fill("a"), dimensions: 3072 }],
    ["another format", { input: "a", encoding_format: "xml" }],
  ])("refuse %s", async (_what, body) => {
    const llm = await startLlm(HELLO);
    expect((await embed(llm.url, body)).status).toBe(400);
  });
});

test("the mock model lists itself", async () => {
  const llm = await startLlm({ model: "org/mock 1", ...HELLO });
  const model = { id: "org/mock 1", object: "model", created: 0, owned_by: "proctor" };
  expect(await (await fetch(`${llm.url}/models`)).json()).toEqual({ object: "list", data: [model] });
  expect(await (await fetch(`${llm.url}/models/org%2Fmock%201`)).json()).toEqual(model);
  const missing = await fetch(`${llm.url}/models/other`);
  expect(missing.status).toBe(404);
  expect(await missing.json()).toMatchObject({ error: { code: "model_not_found" } });
});

describe("the mock model refuses", () => {
  test.each<[string, unknown, RegExp]>([
    ["no JSON", "{", /not valid JSON/],
    ["no UTF-8", Uint8Array.of(0xff, 0x22), /not valid JSON in UTF-8/],
    ["no object", "[]", /must be a JSON object/],
    ["depth without end", "[".repeat(100_000), /nested more than 200 levels/],
    ["no model", { messages: [{ role: "user", content: "x" }] }, /"model" is missing/],
    ["a model without end", { ...request("x"), model: "m".repeat(1000) }, /"model" is longer/],
    ["no messages", { model: "m", messages: [] }, /"messages" must be a list/],
    ["a message that is none", { model: "m", messages: ["x"] }, /"messages\[0\]" must be an object/],
    [
      "an unknown role",
      { model: "m", messages: [{ role: "me", content: "x" }] },
      /"messages\[0\].role" must be one of/,
    ],
    [
      "a content that is none",
      { model: "m", messages: [{ role: "user", content: 5 }] },
      /content" must be text/,
    ],
    ["a stream that is none", { ...request("x"), stream: "yes" }, /"stream" must be true or false/],
    ["several answers", { ...request("x"), n: 2 }, /"n" must be 1/],
  ])("%s, and records the call", async (_what, body, message) => {
    const llm = await startLlm(HELLO);
    const answered = await post(`${llm.url}/chat/completions`, body);
    expect(answered.status).toBe(400);
    expect(errorOf(answered)).toMatchObject({
      message: expect.stringMatching(message),
      type: "invalid_request_error",
    });
    expect(llm.reported).toMatchObject([
      { status: 400, answer: null, error: { message: expect.stringMatching(message) } },
    ]);
  });

  test("a body that is too large, and the next request is answered", async () => {
    const llm = await startLlm(HELLO);
    const answered = await post(`${llm.url}/chat/completions`, request("x".repeat(MAX_BODY_BYTES)));
    expect(answered.status).toBe(413);
    expect(llm.reported).toMatchObject([{ status: 413, request: null }]);
    expect((await chat(llm, "x".repeat(MAX_BODY_BYTES - 1000))).status).toBe(200);
  });

  test("a body that is cut off", async () => {
    const llm = await startLlm(HELLO);
    const socket = connect(Number(new URL(llm.url).port), "127.0.0.1");
    socket.write('POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-length: 99\r\n\r\n{"mod');
    await once(socket, "connect");
    socket.destroy();
    await eventually(() => expect(llm.reported).toHaveLength(1));
    expect(llm.reported).toMatchObject([
      { status: 503, error: { message: "cut off: the caller left before the answer" } },
    ]);
  });

  test.each([
    ["POST", "/v1/completions", 404],
    ["POST", "/chat/completions", 404],
    ["GET", "/", 404],
    ["GET", "/v1/chat/completions", 405],
    ["POST", "/v1/models", 405],
    ["DELETE", "/calls", 405],
  ])("%s %s with %i", async (method, path, status) => {
    const llm = await startLlm(HELLO);
    const response = await fetch(`${llm.root}${path}`, { method });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({
      error: { message: expect.any(String), type: "invalid_request_error" },
    });
    expect(llm.reported).toEqual([]);
  });
});

describe("access to the mock model", () => {
  test("with a key is for those who hold it, and the key is in no log", async () => {
    const key = "sk-mock-1234567890";
    const llm = await startLlm(HELLO, { key });
    for (const [headers, code] of [
      [{}, null],
      [{ authorization: "Bearer wrong-key-of-mine" }, "invalid_api_key"],
      [{ authorization: key }, null],
    ] as const) {
      const answered = await post(`${llm.url}/chat/completions`, request("x"), { ...headers });
      expect(answered.status).toBe(401);
      expect(errorOf(answered)).toMatchObject({ code });
      expect(JSON.stringify(answered.body)).not.toContain("wrong-key");
      expect((await fetch(`${llm.root}/calls`, { headers })).status).toBe(401);
    }
    const authorization = `Bearer ${key}`;
    const good = await post(`${llm.url}/chat/completions`, request(`my key is ${key}`), { authorization });
    expect(good.status).toBe(200);
    expect(llm.reported).toHaveLength(1);
    expect(JSON.stringify([llm.reported, llm.calls()])).not.toContain(key);
  });

  test("without a key is for no page of another site, and no name that was rebound", async () => {
    const llm = await startLlm(HELLO);
    const url = `${llm.url}/chat/completions`;
    expect((await post(url, request("x"), { origin: "https://evil.example" })).status).toBe(403);
    expect((await post(url, request("x"), { origin: new URL(url).origin })).status).toBe(200);
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.end("GET /calls HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n");
    const [answer] = (await once(socket, "data")) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 403 /);
  });

  test("from elsewhere is for those who know the secret in the address", async () => {
    const llm = await startLlm(HELLO, { host: "0.0.0.0" });
    expect(llm.url).toMatch(/^http:\/\/0\.0\.0\.0:\d+\/[A-Za-z0-9_-]{32}\/v1$/);
    expect((await chat(llm, "x")).status).toBe(200);
    expect((await fetch(`${llm.root}/calls`)).status).toBe(200);
    const { origin } = new URL(llm.url);
    for (const path of [
      "/v1/models",
      "/calls",
      `/${"A".repeat(32)}/calls`,
      `${new URL(llm.root).pathname}x/calls`,
    ]) {
      expect((await fetch(`${origin}${path}`)).status).toBe(404);
    }
  });

  test("from elsewhere with a key is for those who hold it", async () => {
    const llm = await startLlm(HELLO, { host: "0.0.0.0", key: "abc" });
    expect(llm.url).toMatch(/^http:\/\/0\.0\.0\.0:\d+\/v1$/);
    expect((await chat(llm, "x")).status).toBe(401);
  });

  test("cannot be given by a key that no header can carry", async () => {
    await expect(startLlm(HELLO, { key: "a\nb" })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });
});

describe("closing the mock model", () => {
  test("cuts what is under way, reports it, and leaves nothing open", async () => {
    const clock = createManualClock();
    const llm = await startLlm({ default: { content: "x", delay_ms: 600_000 } }, { clock });
    const waiting = chat(llm, "x").catch(() => undefined);
    await eventually(() => expect(clock.waiting).toBe(1));
    await Promise.all([llm.close(), llm.close()]);
    expect(llm.reported).toMatchObject([
      { status: 503, error: { message: "cut off: the mock was stopped" } },
    ]);
    expect(clock.waiting).toBe(0);
    await waiting;
    await expect(fetch(`${llm.url}/models`)).rejects.toThrow();
  });

  test("does not wait for a body that does not come", async () => {
    const llm = await startLlm(HELLO);
    const socket = connect(Number(new URL(llm.url).port), "127.0.0.1");
    socket.write("POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\n");
    socket.write("content-length: 99\r\n\r\n");
    // The server is reading once it has asked for more.
    await once(socket, "data");
    const closed = once(socket, "close");
    await llm.close();
    await closed;
    expect(llm.reported).toMatchObject([{ status: 503, request: null }]);
  });

  test("reports a caller that left, and does not wait for its answer", async () => {
    const clock = createManualClock();
    const llm = await startLlm({ default: { content: "x", delay_ms: 600_000 } }, { clock });
    const stop = new AbortController();
    const body = JSON.stringify(request("x"));
    const leaving = fetch(`${llm.url}/chat/completions`, { method: "POST", body, signal: stop.signal });
    await eventually(() => expect(clock.waiting).toBe(1));
    stop.abort();
    await expect(leaving).rejects.toThrow();
    await eventually(() => expect(llm.reported).toHaveLength(1));
    expect(llm.reported).toMatchObject([
      { status: 503, error: { message: "cut off: the caller left before the answer" } },
    ]);
    expect(clock.waiting).toBe(0);
  });

  test("has nothing to close when the port was taken, and that is said", async () => {
    const first = await startLlm(HELLO);
    await expect(startLlm(HELLO, { port: Number(new URL(first.url).port) })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining("the port is in use"),
    });
  });
});
