// The official client of OpenAI's API as the judge of ours.
import OpenAI, {
  APIConnectionError,
  APIError,
  AuthenticationError,
  BadRequestError,
  RateLimitError,
} from "openai";
import { expect, test } from "vitest";
import type { MockLlm } from "./open-mock-llm.ts";
import { rule, startLlm } from "../../../test/support/doubles/mock-llm-harness.ts";

const KEY = "sk-mock-1234567890";
const MESSAGES: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "Weather in Oslo?" }];

const client = ({ url }: MockLlm, maxRetries = 0): OpenAI =>
  new OpenAI({ baseURL: url, apiKey: KEY, maxRetries });

test("the official client of the mock model chats", async () => {
  const llm = await startLlm(
    { answers: [rule({ contains: "Oslo", turn: 1 }, { content: "Rain." })] },
    { key: KEY },
  );
  const completion = await client(llm).chat.completions.create({ model: "gpt-4o", messages: MESSAGES });
  expect(completion.choices[0]).toMatchObject({ finish_reason: "stop", message: { content: "Rain." } });
  expect(completion.usage).toEqual({ prompt_tokens: 4, completion_tokens: 2, total_tokens: 6 });
});

test("the official client of the mock model streams text, with usage", async () => {
  const llm = await startLlm({ default: { content: "It rains all day.", stream: { chunk_chars: 4 } } });
  const stream = client(llm).chat.completions.stream({
    model: "gpt-4o",
    messages: MESSAGES,
    stream_options: { include_usage: true },
  });
  const pieces: string[] = [];
  stream.on("content", (delta) => pieces.push(delta));
  const completion = await stream.finalChatCompletion();
  expect(pieces).toEqual(["It r", "ains", " all", " day", "."]);
  expect(completion.choices[0]?.message.content).toBe("It rains all day.");
  expect(completion.usage).toMatchObject({ total_tokens: 9 });
});

test.each([true, false])(
  "the official client of the mock model is run through a tool and back (stream: %s)",
  async (stream) => {
    const llm = await startLlm({
      answers: [
        rule(
          { turn: 1, json_path: { path: "$.tools[*].function.name", equals: "weather" } },
          {
            tool_calls: [{ name: "weather", arguments: { city: "Oslo" } }],
            stream: { chunk_chars: 3 },
          },
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
    const params = { model: "gpt-4o", messages: MESSAGES, tools: [tool] };
    const { completions } = client(llm).chat;
    const runner = stream ? completions.runTools({ ...params, stream }) : completions.runTools(params);
    expect(await runner.finalContent()).toBe("It is 4 degrees.");
    expect(asked).toEqual([{ city: "Oslo" }]);
    expect(llm.reported.map(({ answer, turn }) => [answer, turn])).toEqual([
      [1, 1],
      [2, 2],
    ]);
  },
);

test("the official client of the mock model tries again after a rate limit, when it is told to", async () => {
  const error = { status: 429, message: "slow down", retry_after_seconds: 0.05 };
  const llm = await startLlm({ answers: [rule({}, { error }, 2)], default: { content: "Rain." } });
  const completion = await client(llm, 2).chat.completions.create({ model: "gpt-4o", messages: MESSAGES });
  expect(completion.choices[0]?.message.content).toBe("Rain.");
  expect(llm.reported.map(({ status }) => status)).toEqual([429, 429, 200]);
});

test("the official client of the mock model understands errors", async () => {
  const llm = await startLlm(
    {
      answers: [
        rule({ contains: "limit" }, { error: { status: 429, message: "slow down", code: "quota" } }),
        rule({ contains: "down" }, { error: { status: 503 } }),
      ],
    },
    { key: KEY },
  );
  const ask = (content: string, apiKey = KEY): Promise<unknown> =>
    new OpenAI({ baseURL: llm.url, apiKey, maxRetries: 0 }).chat.completions
      .create({ model: "gpt-4o", messages: [{ role: "user", content }] })
      .catch((error: unknown) => error);
  expect(await ask("limit")).toBeInstanceOf(RateLimitError);
  expect(await ask("limit")).toMatchObject({ status: 429, code: "quota", message: "429 slow down" });
  expect(await ask("down")).toMatchObject({ status: 503, type: "server_error" });
  expect(await ask("else")).toBeInstanceOf(BadRequestError);
  expect(await ask("else")).toMatchObject({ code: "no_answer_matches" });
  expect(await ask("x", "sk-other")).toBeInstanceOf(AuthenticationError);
});

test("the official client of the mock model notices a stream that is cut", async () => {
  const llm = await startLlm({
    default: { content: "It rains.", stream: { chunk_chars: 2, cut_after_chunks: 2 } },
  });
  const stream = await client(llm).chat.completions.create({
    model: "gpt-4o",
    messages: MESSAGES,
    stream: true,
  });
  let text = "";
  const read = async (): Promise<void> => {
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? "";
  };
  await expect(read()).rejects.toThrow();
  expect(text).toBe("It r");
});

test("the official client of the mock model embeds, and lists models", async () => {
  const llm = await startLlm({ model: "mock-1", default: { content: "x" } });
  const openai = client(llm);
  const embed = async (format: "float" | "base64" | undefined): Promise<number[] | undefined> => {
    const params = { model: "e", input: "cat", dimensions: 16 };
    const { data } = await openai.embeddings.create(
      format === undefined ? params : { ...params, encoding_format: format },
    );
    return data[0]?.embedding;
  };
  // The client asks for base64 itself, and decodes it.
  const vector = await embed(undefined);
  expect(vector).toHaveLength(16);
  expect(await embed("float")).toEqual(vector);
  const models: string[] = [];
  for await (const { id } of openai.models.list()) models.push(id);
  expect(models).toEqual(["mock-1"]);
  expect(await openai.models.retrieve("mock-1")).toMatchObject({ id: "mock-1" });
  await expect(openai.models.retrieve("other")).rejects.toBeInstanceOf(APIError);
});

test("the official client of the mock model cannot connect once it is closed", async () => {
  const llm = await startLlm({ default: { content: "x" } });
  await llm.close();
  await expect(client(llm).models.list()).rejects.toBeInstanceOf(APIConnectionError);
});
