// The scripted mock of doubles/llm as the server, and the official client as the judge: what our tests' servers send is what it
// understands, so that the driver is held to the real thing.
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { rule, startLlm } from "../../../test/support/doubles/mock-llm-harness.ts";
import { startTools } from "../../../test/support/doubles/tools-harness.ts";
import { driveModel, KEY, RUN_ID } from "../../../test/support/openai/drive-model.ts";
import { calls, completion, json, says, serveModel } from "../../../test/support/openai/scripted-model.ts";

const official = (base: string): OpenAI => new OpenAI({ baseURL: base, apiKey: KEY, maxRetries: 0 });
const HELLO = { model: "m", messages: [{ role: "user" as const, content: "Hello" }] };

describe("the official client of the driver's test server", () => {
  it("understands its streams, its calls and its documents as the driver does", async () => {
    const text = await serveModel(says("It ", "rains."));
    const streamed = official(text.base).chat.completions.stream({
      ...HELLO,
      stream_options: { include_usage: true },
    });
    expect((await streamed.finalChatCompletion()).choices[0]?.message.content).toBe("It rains.");
    expect(await streamed.totalUsage()).toMatchObject({ prompt_tokens: 10, completion_tokens: 5 });
    expect((await driveModel(text.base)).result).toEqual({ output: "It rains." });

    const calling = await serveModel(calls({ name: "a", arguments: { n: 1 } }, { name: "b" }));
    const called = await official(calling.base).chat.completions.stream(HELLO).finalMessage();
    expect(called.tool_calls?.map((call) => call.type === "function" && call.function)).toMatchObject([
      { name: "a", arguments: '{"n":1}' },
      { name: "b", arguments: "{}" },
    ]);

    const document = await serveModel(json(completion({ content: "It rains." })));
    const { choices } = await official(document.base).chat.completions.create(HELLO);
    expect(choices[0]?.message.content).toBe("It rains.");
  });
});

describe("the mock model as the agent of a run", () => {
  it.each([true, false])("is driven through a tool and back (stream: %s)", async (stream) => {
    const tools = [{ name: "weather", default: { output: "4 degrees" } }];
    const host = await startTools();
    try {
      const { url, calls: observed } = await host.open(tools, { runId: RUN_ID });
      const llm = await startLlm(
        {
          answers: [
            rule(
              { turn: 1, json_path: { path: "$.tools[*].function.name", equals: "weather" } },
              { tool_calls: [{ name: "weather", arguments: { city: "Oslo" } }], stream: { chunk_chars: 3 } },
            ),
            rule({ turn: 2, role: "tool", contains: "4 degrees" }, { content: "It is 4 degrees." }),
          ],
        },
        { key: KEY },
      );
      const { result, requests, rules, end } = await driveModel(llm.url, {
        spec: { options: { stream } },
        job: { context: { tools_endpoint: url }, options: { tools: { tools } } },
      });
      expect([result, rules, end.status]).toEqual([{ output: "It is 4 degrees." }, [], "completed"]);
      expect(requests.map(({ stop_reason }) => stop_reason)).toEqual(["tool_calls", "stop"]);
      expect(requests.every(({ input_tokens }) => Number(input_tokens) > 0)).toBe(true);
      expect(observed).toMatchObject([{ tool: "weather", input: { city: "Oslo" } }]);
    } finally {
      await host.close();
    }
  });

  it("is asked again after its rate limit, refused with a wrong key, and noticed when it is cut", async () => {
    const error = { status: 429, message: "slow down", retry_after_seconds: 0.01 };
    const limited = await startLlm({ answers: [rule({}, { error }, 2)], default: { content: "Rain." } });
    expect((await driveModel(limited.url)).result).toEqual({ output: "Rain." });
    expect(limited.reported.map(({ status }) => status)).toEqual([429, 429, 200]);

    const closed = await startLlm({ default: { content: "Rain." } }, { key: "sk-another-key-0123" });
    expect((await driveModel(closed.url)).end.failure).toMatchObject({
      code: "HTTP_ERROR",
      details: { status: 401 },
    });

    const cut = await startLlm({
      default: { content: "It rains.", stream: { chunk_chars: 2, cut_after_chunks: 2 } },
    });
    const { end, said } = await driveModel(cut.url);
    expect([end.failure?.code, said[0]?.join("")]).toEqual(["CONNECTION_LOST", "It r"]);
  });
});
