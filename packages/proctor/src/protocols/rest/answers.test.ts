// What an endpoint's answer comes to: the answer and where it was found, tokens, errors, streams, and everything that can be wrong.
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../core/json.ts";
import { drive, type Driven } from "../../../test/support/protocols/drive.ts";
import { eventStream, jsonEndpoint } from "../../../test/support/protocols/json-endpoint.ts";

async function answerTo(answer: Parameters<typeof jsonEndpoint>[0], options?: JsonObject): Promise<Driven> {
  const { spec } = await jsonEndpoint(answer, options);
  return drive(spec);
}

describe("the answer of a JSON endpoint", () => {
  it.each<[path: string, answer: Json]>([
    ["answer", { id: 1, answer: "hi" }],
    ["response", { response: "hi", done: true }],
    ["message.content", { message: { role: "assistant", content: "hi" } }],
    ["choices[0].message.content", { choices: [{ message: { content: "hi" } }] }],
    ["content[*].text", { content: [{ text: "h" }, { text: "i" }] }],
    ["[0].generated_text", [{ generated_text: "hi" }]],
  ])("is found at %s without being told, and a note says so", async (path, answer) => {
    const { output, end, logs } = await answerTo(answer);
    expect({ output, status: end.status }).toEqual({ output: "hi", status: "completed" });
    expect(logs["platform"]).toContain(`"${path}"`);
  });

  it("is what the path of its options leads to, whatever its type", async () => {
    const found = await answerTo(
      { data: [{ reply: { ok: true } }], answer: "no" },
      { answer: "data[0].reply" },
    );
    expect(found).toMatchObject({ output: { ok: true }, end: { status: "completed" }, logs: {} });
  });

  it("is invalid when the path leads nowhere, and the failure shows the path and the shape", async () => {
    const document = { reply: "x", long: "s".repeat(500), nothing: null, list: Array(50).fill(1) };
    const { end } = await answerTo(document, { answer: "data.reply" });
    expect(end.failure).toMatchObject({ code: "INVALID_RESPONSE", details: { path: "data.reply" } });
    expect(end.failure?.message).toMatch(
      /nothing at "data\.reply".*"reply": "x", "long": "\(500 characters\)"/,
    );
    expect(end.failure?.message.length).toBeLessThan(400);
    expect((await answerTo({ id: 1 })).end.failure).toMatchObject({
      code: "INVALID_RESPONSE",
      message: expect.stringContaining("options.answer") as string,
    });
    expect((await answerTo({ data: null }, { answer: "data" })).end.failure?.code).toBe("INVALID_RESPONSE");
  });

  it("brings the numbers it reports, without impossible ones", async () => {
    const options = { tokens: { input: "usage.in", output: "usage.out", total: "usage.all", cost: "price" } };
    const usage = { in: 3, out: -1, all: "many" };
    const { end, rules } = await answerTo({ answer: "a", usage, price: 0.5 }, options);
    expect(end.metrics).toEqual({ input_tokens: 3, cost_usd: 0.5 });
    expect(rules).toEqual(["metrics.value", "metrics.value"]);
  });

  it.each<[error: Json, failure: object | undefined]>([
    ["it broke", { code: "AGENT_FAILED", message: "it broke" }],
    [
      { code: "rate_limit", message: "slower" },
      { code: "rate_limit", message: "slower" },
    ],
    [
      { code: 7, detail: "bad" },
      { code: "AGENT_FAILED", message: "bad" },
    ],
    [true, { code: "AGENT_FAILED" }],
    [["first", "second"], { code: "AGENT_FAILED", message: "first" }],
    [null, undefined],
    [false, undefined],
    ["", undefined],
    [{}, undefined],
  ])("fails the run when its error is %j", async (error, failure) => {
    const { end } = await answerTo({ answer: "a", error }, { error: "error" });
    if (failure === undefined) expect(end).toEqual({ status: "completed" });
    else expect(end).toMatchObject({ status: "failed", failure });
  });

  it("is no conversation's id when it is no id", async () => {
    const { reports, rules } = await answerTo({ answer: "a", id: { a: 1 } }, { conversation_id: "id" });
    expect(rules).toEqual(["rest.conversation_id"]);
    expect(reports.some(({ kind }) => kind === "session")).toBe(false);
  });
});

describe("a JSON endpoint that refuses", () => {
  it.each<[what: string, status: number, headers: Record<string, string>, body: string, failure: object]>([
    ["with an error", 500, {}, "", { code: "HTTP_ERROR", details: { status: 500 } }],
    ["with a reason", 422, asJson(), '{"error":{"message":"no model"}}', { message: /422.*: no model$/ }],
    [
      "and asks to wait",
      429,
      { "retry-after": "7" },
      "",
      { details: { status: 429, retry_after_seconds: 7 } },
    ],
    ["by a redirect", 302, { location: "http://else.where/?key=1" }, "", { code: "REDIRECTED" }],
    ["by saying nothing", 204, {}, "", { code: "NO_RESPONSE" }],
    ["by an empty body", 200, asJson(), " \n", { code: "NO_RESPONSE" }],
    ["with a page", 200, { "content-type": "text/html" }, "<p>", { code: "WRONG_CONTENT_TYPE" }],
    [
      "with an unasked stream",
      200,
      { "content-type": "text/event-stream" },
      "data: 1\n\n",
      { message: /options\.stream/ },
    ],
    [
      "with compressed bytes",
      200,
      { ...asJson(), "content-encoding": "gzip" },
      "x",
      { code: "WRONG_CONTENT_TYPE" },
    ],
    ["with broken JSON", 200, asJson(), '{"answer": ', { code: "INVALID_RESPONSE" }],
    ["with a bottomless document", 200, asJson(), "[".repeat(5000), { code: "INVALID_RESPONSE" }],
    ["with bytes that are no text", 200, asJson(), "\xff\xfe", { code: "INVALID_RESPONSE" }],
  ])("%s fails the run with what is known", async (_what, status, headers, body, failure) => {
    const { end } = await answerTo((response) => {
      response.writeHead(status, headers).end(Buffer.from(body, "latin1"));
    });
    expect(end.status).toBe("failed");
    const { message, ...rest } = failure as { message?: RegExp };
    expect(end.failure).toMatchObject(rest);
    if (message) expect(end.failure?.message).toMatch(message);
    expect(end.failure?.message).not.toContain("key=1");
  });

  it("by cutting its answer off loses the connection, and what came is logged", async () => {
    const { end, logs } = await answerTo((response) => {
      response.writeHead(200, { ...asJson(), "content-length": "100" });
      response.write('{"answer": "par', () => response.destroy());
    });
    expect(end.failure?.code).toBe("CONNECTION_LOST");
    expect(logs["message"]).toBe('{"answer": "par');
  });

  it("by not listening is unreachable", async () => {
    const { end } = await drive({ protocol: "rest", transport: "http", url: "http://127.0.0.1:1/x" });
    expect(end.failure?.code).toBe("UNREACHABLE");
  });
});

describe("a stream of a JSON endpoint", () => {
  const CHAT = [
    { choices: [{ delta: { role: "assistant", content: "" } }] },
    { choices: [{ delta: { content: "Hel" } }] },
    { choices: [{ delta: { content: "lo" } }] },
    { choices: [], usage: { total: 9 } },
    "[DONE]",
    { choices: [{ delta: { content: " after the end" } }] },
  ];

  it("is said as it comes, and its text is the result", async () => {
    const { said, output, end, logs } = await answerTo(eventStream(...CHAT), {
      stream: "sse",
      tokens: { total: "usage.total" },
    });
    expect({ said, output }).toEqual({ said: "Hello", output: "Hello" });
    expect(end).toEqual({ status: "completed", metrics: { total_tokens: 9 } });
    expect(logs["platform"]).toContain('"choices[0].delta.content"');
  });

  it("opens one message and closes it", async () => {
    const { reports } = await answerTo(eventStream(...CHAT), { stream: "sse" });
    const texts = reports.filter((report) => report.kind === "text");
    expect(texts.map(({ text, last }) => [text, last])).toEqual([
      ["Hel", false],
      ["lo", false],
      ["", true],
    ]);
    expect(new Set(texts.map(({ messageId }) => messageId)).size).toBe(1);
  });

  it("may be plain text in frames, even where that reads as JSON", async () => {
    const { output } = await answerTo(eventStream("one ", "2", "null", " three"), { stream: "sse" });
    expect(output).toBe("one 2null three");
  });

  it("may be lines, and a frame may hold the whole answer", async () => {
    const lines = ['{"d":"a"}', "", '{"d":"b"}', '{"final":{"n":1}}'].join("\n");
    const options = { stream: "lines", delta: "d", answer: "final" };
    const found = await answerTo((response) => {
      response.writeHead(200, { "content-type": "application/x-ndjson" }).end(lines);
    }, options);
    expect(found).toMatchObject({ said: "ab", output: { n: 1 }, end: { status: "completed" } });
  });

  it("may be answered with one document", async () => {
    expect(await answerTo({ answer: "whole" }, { stream: "sse" })).toMatchObject({ output: "whole" });
  });

  it("may end with a frame of that name", async () => {
    const found = await answerTo(
      (response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.end('data: {"text":"a"}\n\nevent: end\ndata: {"id":"c-1"}\n\ndata: {"text":"b"}\n\n');
      },
      { stream: "sse", done: "end", conversation_id: "id" },
    );
    expect(found).toMatchObject({ output: "a", end: { status: "completed" } });
    expect(found.reports).toContainEqual({ kind: "session", continuation: { conversation_id: "c-1" } });
  });

  it.each<[what: string, frames: Json[], options: JsonObject, failure: object]>([
    ["ends before its marker", [{ d: "a" }], { delta: "d", done: "[DONE]" }, { code: "NO_RESPONSE" }],
    ["says nothing", [], {}, { code: "NO_RESPONSE" }],
    [
      "has no text at its path",
      [{ x: 1 }],
      { delta: "d" },
      { code: "INVALID_RESPONSE", details: { path: "d", frames: 1 } },
    ],
    [
      "tells of an error",
      [{ d: "a" }, { error: "out of tokens" }],
      { delta: "d", error: "error" },
      { code: "AGENT_FAILED" },
    ],
  ])("that %s fails the run", async (_what, frames, options, failure) => {
    const { end, output } = await answerTo(eventStream(...frames), { stream: "sse", ...options });
    expect(end).toMatchObject({ status: "failed", failure });
    expect(output).toBeUndefined();
  });

  it("that is cut off fails the run, and what was said stays", async () => {
    const { end, said } = await answerTo(
      (response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write('data: {"text":"half"}\n\n', () => response.destroy());
      },
      { stream: "sse" },
    );
    expect(said).toBe("half");
    expect(end.failure?.code).toBe("CONNECTION_LOST");
  });

  it("keeps going over frames that are no JSON, and records them", async () => {
    const { output, rules } = await answerTo(eventStream({ d: "a" }, "{ broken", { d: "b" }), {
      stream: "sse",
      delta: "d",
    });
    expect({ output, rules }).toEqual({ output: "ab", rules: ["rest.json"] });
  });
});

function asJson(): Record<string, string> {
  return { "content-type": "application/json" };
}
