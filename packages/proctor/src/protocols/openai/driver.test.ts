import { describe, expect, it } from "vitest";
import {
  chunk,
  completion,
  frame,
  frames,
  json,
  says,
  serveModel,
  STREAM_HEAD,
  usageChunk,
} from "../../../test/support/openai/scripted-model.ts";
import { driveModel, KEY } from "../../../test/support/openai/drive-model.ts";
import { deferred, drained } from "../../../test/support/http/servers.ts";
import { parseAddress, formatAddress } from "../../core/address.ts";
import { answerOf } from "../../core/answer.ts";
import type { Artifact } from "../../core/artifact.ts";
import type { Message } from "../../core/message.ts";

describe("the address of a chat model", () => {
  it.each([
    "openai+https://api.openai.com/v1#gpt-4o-mini",
    "openai+http://127.0.0.1:8000/v1#meta-llama/Llama-3.1-8B:free",
    "openai+https://x.openai.azure.com/openai/deployments/d?api-version=2024-10-21#gpt-4o",
  ])("keeps its model: %s", (address) => {
    const spec = parseAddress(address);
    expect(spec.url).toContain("#");
    expect(formatAddress(spec)).toBe(address);
  });

  it("is where the request goes, with the query and without the model in the path", async () => {
    const server = await serveModel(says("Hi."));
    await driveModel("", { spec: { url: `${server.base}/?api-version=1#meta%2Fllama:free` } });
    expect(server.asked[0]?.path).toBe("/v1/chat/completions?api-version=1");
    expect(server.asked[0]?.body["model"]).toBe("meta/llama:free");
  });

  it("fails clearly when it names no model", async () => {
    const { end } = await driveModel("", { spec: { url: "http://127.0.0.1:9/v1" } });
    expect(end).toMatchObject({
      status: "failed",
      failure: {
        code: "INVALID_REQUEST",
        message: expect.stringMatching(/names no model\nput it behind a #/) as string,
      },
    });
  });
});

describe("the options of a chat model", () => {
  it("become fields of the request", async () => {
    const server = await serveModel(json(completion({ content: "Hi." })));
    const options = {
      system: "Be short.",
      temperature: 0.2,
      max_tokens: 50,
      stream: false,
      body: { seed: 7, response_format: { type: "json_object" } },
    };
    await driveModel(server.base, { spec: { options } });
    expect(server.asked[0]?.body).toEqual({
      model: "gpt-test",
      messages: [
        { role: "system", content: "Be short." },
        { role: "user", content: "do it" },
      ],
      temperature: 0.2,
      max_tokens: 50,
      stream: false,
      seed: 7,
      response_format: { type: "json_object" },
    });
  });

  it.each([
    [{ temprature: 1 }, /unknown key "temprature".*"temperature"/],
    [{ zzz: 1, yyy: 2 }, /"zzz"[^]*"yyy"/],
    [{ temperature: "hot" }, /"temperature" must be a number/],
    [{ max_tokens: 0 }, /"max_tokens" must be at least 1/],
    [{ body: { messages: [], n: 2 } }, /"body" cannot set "messages"[^]*"n"/],
  ])("that are wrong fail before anything is sent: %j", async (options, message) => {
    const server = await serveModel(says("Hi."));
    const { end } = await driveModel(server.base, { spec: { options } });
    expect(end.failure).toMatchObject({
      code: "INVALID_REQUEST",
      message: expect.stringMatching(message) as string,
    });
    expect(server.asked).toEqual([]);
  });
});

describe("a run on a chat model", () => {
  it("streams the text as one message, and ends with it as the result", async () => {
    const server = await serveModel(says("It ", "rains", "."));
    const { reports, kinds, said, requests, end, rules, result } = await driveModel(server.base, {
      job: { task: { description: "Weather?", input_data: { city: "Oslo" } } },
    });
    expect(server.asked[0]?.body).toEqual({
      model: "gpt-test",
      messages: [{ role: "user", content: 'Weather?\n\n{\n  "city": "Oslo"\n}' }],
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(server.asked[0]?.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      "content-type": "application/json",
    });
    expect(said).toEqual([["It ", "rains", ".", ""]]);
    expect(reports.flatMap((report) => (report.kind === "text" ? [report.last] : []))).toEqual([
      false,
      false,
      false,
      true,
    ]);
    expect(kinds).toEqual(["text", "text", "text", "text", "llm_request", "artifact", "end"]);
    expect(requests).toMatchObject([
      { model: "gpt-test-2026", input_tokens: 10, output_tokens: 5, stop_reason: "stop" },
    ]);
    expect(result).toEqual({ output: "It rains." });
    // What the driver reports as an artifact is what the run has.
    const artifact = { type: "structured", name: "result", data: result } as unknown as Artifact;
    expect(answerOf({ artifacts: [artifact] })).toBe("It rains.");
    expect([end, rules]).toEqual([{ status: "completed" }, []]);
  });

  it("understands a server that answers with one document", async () => {
    const server = await serveModel(json(completion({ content: "It rains." })));
    const { said, result, rules, requests } = await driveModel(server.base);
    expect(server.asked[0]?.body["stream"]).toBe(true);
    expect([said, result, rules]).toEqual([[["It rains.", ""]], { output: "It rains." }, []]);
    expect(requests).toMatchObject([{ input_tokens: 10, stop_reason: "stop" }]);
  });

  it("understands a server that streams unasked", async () => {
    const server = await serveModel(says("It rains."));
    const { result } = await driveModel(server.base, { spec: { options: { stream: false } } });
    expect(result).toEqual({ output: "It rains." });
  });

  it("puts a character together that came in two halves", async () => {
    const server = await serveModel(says("a\ud83d", "\ude00b"));
    const { said, result } = await driveModel(server.base);
    expect([said, result]).toEqual([[["a", "😀b", ""]], { output: "a😀b" }]);
  });

  it("sends what was said before in the conversation", async () => {
    const history: Message[] = [
      { id: "1", role: "user", parts: [{ kind: "text", text: "I am Ada." }] },
      { id: "2", role: "agent", parts: [{ kind: "text", text: "Hello Ada." }] },
      { id: "3", role: "agent", parts: [] },
      { id: "4", role: "user", parts: [{ kind: "data", data: { age: 36 } }] },
    ];
    const server = await serveModel(says("Ada."));
    await driveModel(server.base, {
      spec: { options: { system: "s" } },
      job: { conversation: { id: "c", history: () => Promise.resolve(history) } },
    });
    expect(server.asked[0]?.body.messages).toEqual([
      { role: "system", content: "s" },
      { role: "user", content: "I am Ada." },
      { role: "assistant", content: "Hello Ada." },
      { role: "user", content: '{"age":36}' },
      { role: "user", content: "do it" },
    ]);
  });

  it("carries a task and an answer of two megabytes", async () => {
    const text = "x".repeat(2_000_000);
    const server = await serveModel(says(text, text));
    const { result } = await driveModel(server.base, {
      job: { task: { description: "d", input_data: { text } } },
    });
    expect(JSON.stringify(server.asked[0]?.body).length).toBeGreaterThan(text.length);
    expect(result).toEqual({ output: text + text });
  });

  it("is partial at the limit of tokens, and calls nothing that was cut", async () => {
    const server = await serveModel(
      frames(
        chunk({ content: "Once upon" }),
        chunk({ tool_calls: [{ index: 0, id: "c", function: { name: "f", arguments: '{"a' } }] }),
        chunk({}, "length"),
        "[DONE]",
      ),
    );
    const { end, result, toolCalls } = await driveModel(server.base);
    expect(end).toMatchObject({ status: "partial", failure: { details: { finish_reason: "length" } } });
    expect([result, toolCalls]).toEqual([{ output: "Once upon" }, []]);
  });

  it.each([
    [
      "in a stream",
      frames(chunk({ refusal: "I will " }), chunk({ refusal: "not." }), chunk({}, "stop"), "[DONE]"),
    ],
    ["in a document", json(completion({ content: null, refusal: "I will not." }))],
  ])("is rejected by a refusal %s, which is also said", async (_where, reply) => {
    const server = await serveModel(reply);
    const { end, said, result } = await driveModel(server.base);
    expect(end).toEqual({
      status: "rejected",
      failure: { code: "REJECTED", message: "the model refused: I will not." },
    });
    expect([said[0]?.join(""), result]).toEqual(["I will not.", undefined]);
  });

  it.each([
    ["of an answer", frames(chunk({ content: "The" }), chunk({}, "content_filter"), "[DONE]")],
    ["of the request", json({ error: { message: "filtered", code: "content_filter" } }, 400)],
  ])("is rejected by a content filter %s", async (_where, reply) => {
    const server = await serveModel(reply);
    const { end, result } = await driveModel(server.base);
    expect([end.status, end.failure?.code, result]).toEqual(["rejected", "REJECTED", undefined]);
  });
});

describe("cancelling a run on a chat model", () => {
  it("closes the connection, and keeps what had arrived", async () => {
    const server = await serveModel((response) => {
      response.writeHead(200, STREAM_HEAD).write(frame(chunk({ content: "Once" })));
    });
    const stop = new AbortController();
    const { end, said, kinds } = await driveModel(server.base, {
      cancel: stop.signal,
      onReport(report) {
        if (report.kind === "text") stop.abort();
      },
    });
    await drained(server);
    expect([end, said]).toEqual([{ status: "cancelled" }, [["Once", ""]]]);
    expect(kinds).toEqual(["text", "text", "llm_request", "end"]);
  });

  it("ends a request that nobody answers, when the run is killed", async () => {
    const arrived = deferred();
    const server = await serveModel(() => arrived.resolve());
    const stop = new AbortController();
    void arrived.promise.then(() => stop.abort());
    expect((await driveModel(server.base, { kill: stop.signal })).end).toEqual({ status: "cancelled" });
    await drained(server);
  });

  it("closes the connection when the reader leaves", async () => {
    const server = await serveModel((response) => {
      response.writeHead(200, STREAM_HEAD).write(frame(chunk({ content: "Once" })));
    });
    const leaving = driveModel(server.base, {
      onReport() {
        throw new Error("left");
      },
    });
    await expect(leaving).rejects.toThrow("left");
    await drained(server);
  });
});

describe("a recorded run on a chat model", () => {
  it("has each message as it travelled, without the headers", async () => {
    const server = await serveModel(frames(chunk({ content: "Hi" }, "stop"), usageChunk(), "[DONE]"));
    const { reports } = await driveModel(server.base, { job: { record: true } });
    const messages = reports.flatMap((report) =>
      report.kind === "event" && report.event.type === "wire.message" ? [report.event.payload] : [],
    );
    expect(messages.map(({ direction, channel }) => `${direction} ${channel}`)).toEqual([
      "sent request",
      "received head",
      "received sse",
      "received sse",
      "received sse",
      "received close",
    ]);
    expect(messages[0]).toMatchObject({
      name: "/chat/completions",
      text: expect.stringContaining("do it") as string,
    });
    expect(messages[1]).toMatchObject({ status: 200, content_type: "text/event-stream" });
    expect(JSON.stringify(messages)).not.toContain(KEY);
  });
});
