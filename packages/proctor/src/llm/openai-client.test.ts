// The official client of OpenAI's API as the judge of the endpoint, in front of a model and of the scripted mock.
import { AuthenticationError, RateLimitError, type APIError } from "openai";
import type OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { createMockModel } from "../cli/compose/mock-model.ts";
import type { LlmScript } from "../core/llm-script.ts";
import { rule } from "../../test/support/doubles/mock-llm-harness.ts";
import {
  client,
  completion,
  gate,
  HELLO,
  sendJson,
  sendStream,
  startBoth,
  startHub,
  USAGE,
} from "../../test/support/llm/model-host-harness.ts";

async function mocked(script: Partial<LlmScript>) {
  const mock = () => Promise.resolve({ model: "mock", ask: createMockModel({ answers: [], ...script }) });
  const hub = await startHub({ mock });
  return { ...hub, endpoint: await hub.open() };
}

describe("the official client at a run's endpoint", () => {
  test("chats", async () => {
    const { endpoint } = await startBoth((outgoing) => sendJson(outgoing, completion("Hi.")));
    const { choices, usage } = await client(endpoint).chat.completions.create(HELLO);
    expect(choices[0]?.message.content).toBe("Hi.");
    expect(usage).toEqual(USAGE);
  });

  test("streams, without the usage that it did not ask for", async () => {
    const { endpoint, calls, model } = await startBoth(sendStream);
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of await client(endpoint).chat.completions.create({ ...HELLO, stream: true })) {
      chunks.push(chunk);
    }
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? choices[0]?.finish_reason)).toEqual([
      "Hel",
      "lo",
      "stop",
    ]);
    expect(chunks.some((chunk) => "usage" in chunk)).toBe(false);
    expect(model.asked[0]?.body["stream_options"]).toEqual({ include_usage: true });
    expect(calls).toMatchObject([
      {
        status: 200,
        stream: true,
        input_tokens: 100,
        output_tokens: 50,
        cost_usd: 0.0002,
        stop_reason: "stop",
      },
    ]);
  });

  test("streams with the usage that it asked for, and keeps its other options", async () => {
    const { endpoint, model } = await startBoth(sendStream);
    const options = { include_usage: true, include_obfuscation: false };
    const stream = client(endpoint).chat.completions.stream({ ...HELLO, stream_options: options });
    expect((await stream.finalChatCompletion()).choices[0]?.message.content).toBe("Hello");
    expect(await stream.totalUsage()).toMatchObject(USAGE);
    expect(model.asked[0]?.body["stream_options"]).toEqual(options);
  });

  test("is told that its key is wrong", async () => {
    const { endpoint } = await startBoth(sendStream);
    const asking = client(endpoint, "wrong").chat.completions.create(HELLO);
    await expect(asking).rejects.toThrow(AuthenticationError);
    await expect(asking).rejects.toMatchObject({ status: 401, code: "invalid_api_key" });
  });

  test("is told that the budget is spent", async () => {
    const { endpoint } = await startBoth(sendStream, {}, { budgetUsd: 0 });
    await expect(client(endpoint).chat.completions.create(HELLO)).rejects.toMatchObject({
      status: 402,
      code: "budget_exceeded",
    });
  });
});

describe("the scripted mock at a run's endpoint", () => {
  test.each([true, false])("is run through a function and back (stream: %s)", async (stream) => {
    const { endpoint, calls } = await mocked({
      answers: [
        rule(
          { turn: 1, json_path: { path: "$.tools[*].function.name", equals: "weather" } },
          { tool_calls: [{ name: "weather", arguments: { city: "Oslo" } }], stream: { chunk_chars: 3 } },
        ),
        rule({ turn: 2, role: "tool", contains: "4 degrees" }, { content: "It is 4 degrees." }),
      ],
    });
    const asked: unknown[] = [];
    const tool = {
      type: "function" as const,
      function: {
        name: "weather",
        parameters: { type: "object", properties: { city: { type: "string" } } },
        description: "The weather in a city.",
        function: (input: string) => {
          asked.push(JSON.parse(input));
          return "4 degrees";
        },
      },
    };
    const { completions } = client(endpoint).chat;
    const params = { ...HELLO, tools: [tool] };
    const runner = stream ? completions.runTools({ ...params, stream }) : completions.runTools(params);
    expect(await runner.finalContent()).toBe("It is 4 degrees.");
    expect(asked).toEqual([{ city: "Oslo" }]);
    expect(calls).toMatchObject([
      { stop_reason: "tool_calls", model: "mock", cost_usd: 0 },
      { stop_reason: "stop", model: "mock", cost_usd: 0 },
    ]);
  });

  test("plays errors", async () => {
    const { endpoint, calls } = await mocked({
      answers: [rule(undefined, { error: { status: 429, message: "slow down", retry_after_seconds: 2 } })],
    });
    const asking = client(endpoint).chat.completions.create(HELLO);
    await expect(asking).rejects.toThrow(RateLimitError);
    const headers: unknown = await asking.catch((error: APIError) => error.headers);
    expect((headers as Headers).get("retry-after")).toBe("2");
    expect(calls).toMatchObject([{ status: 429, error: "slow down" }]);
  });

  test("plays streams that are cut", async () => {
    const { endpoint, calls } = await mocked({
      default: { content: "It rains all day.", stream: { chunk_chars: 4, cut_after_chunks: 2 } },
    });
    const stream = await client(endpoint).chat.completions.create({ ...HELLO, stream: true });
    let text = "";
    const reading = (async () => {
      for await (const { choices } of stream) text += choices[0]?.delta.content ?? "";
    })();
    await expect(reading).rejects.toThrow(/broke the connection off/);
    expect(text).toBe("It rains");
    expect(calls).toMatchObject([{ status: 200, error: expect.stringMatching(/broke/) as string }]);
  });

  test("has delays that end when the agent leaves", async () => {
    const asked = gate();
    const ask = createMockModel({ answers: [], default: { content: "late", delay_ms: 3_600_000 } });
    const { open, calls } = await startHub({
      mock: () =>
        Promise.resolve({
          model: "mock",
          ask(body, signal) {
            asked.open();
            return ask(body, signal);
          },
        }),
    });
    const leave = new AbortController();
    const asking = client(await open()).chat.completions.create(HELLO, { signal: leave.signal });
    void asked.opened.then(() => leave.abort());
    await expect(asking).rejects.toThrow();
    await expect.poll(() => calls.length).toBe(1);
    expect(calls).toMatchObject([{ status: 499, error: expect.stringContaining("left") as string }]);
  });

  test("refuses what its script has no answer for", async () => {
    const { endpoint, calls } = await mocked({ answers: [rule({ contains: "Oslo" }, { content: "Rain." })] });
    await expect(client(endpoint).chat.completions.create(HELLO)).rejects.toMatchObject({
      status: 400,
      code: "no_answer_matches",
    });
    expect(calls).toMatchObject([{ status: 400 }]);
  });
});
