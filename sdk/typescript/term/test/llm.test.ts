// The model of a terminal agent, where TypeScript differs. The cases that all languages share are in sdk/term-cases.
import { readdirSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type FakeModel, KEY, openFakeModel } from "../../../term-cases/fake-model.ts";
import { LLM, LLMError, Tool } from "../src/index.ts";

let model: FakeModel;
beforeEach(async () => {
  model = await openFakeModel();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await model.close();
});

const answer = (content: string): object => ({
  json: { choices: [{ message: { content }, finish_reason: "stop" }] },
});

it("the model of a terminal agent takes its options before the environment", async () => {
  for (const name of ["URL", "KEY"]) vi.stubEnv(`LLM_API_${name}`, "http://127.0.0.1:1");
  vi.stubEnv("LLM_MODEL", "theirs");
  vi.stubEnv("LLM_PROVIDER", "theirs");
  const options = {
    model: "mine",
    url: `${model.url}/`,
    key: KEY,
    provider: "me",
    temperature: 0.5,
    maxTokens: 7,
  };
  const llm = new LLM(options);
  model.begin([answer("yes")]);
  await llm.ask("a", { temperature: 0, extra: { response_format: { type: "json_object" } } });
  expect(model.requests).toEqual([
    {
      model: "mine",
      messages: [{ role: "user", content: "a" }],
      temperature: 0,
      max_tokens: 7,
      response_format: { type: "json_object" },
    },
  ]);
  expect(model.complaints).toEqual([]);
  expect(llm.provider).toBe("me");
});

it("the model of a terminal agent takes a whole address", async () => {
  model.begin([answer("yes")]);
  await new LLM({ model: "m", url: `${model.url}/chat/completions`, key: KEY }).ask("a");
  expect(model.complaints).toEqual([]);
});

it("a call of the model stops when the signal aborts before, during or between attempts", async () => {
  const llm = new LLM({ model: "m", url: model.url, key: KEY });
  await expect(llm.ask("a", { signal: AbortSignal.abort(new Error("no")) })).rejects.toThrow("no");

  const during = new AbortController();
  model.begin([{ sse: [{ choices: [{ delta: { content: "Hel" } }] }], hang: true }]);
  const heard: string[] = [];
  const reading = (async () => {
    for await (const text of llm.stream("a", { signal: during.signal })) {
      heard.push(text);
      during.abort(new Error("enough"));
    }
  })();
  await expect(reading).rejects.toThrow("enough");
  expect(heard).toEqual(["Hel"]);

  const between = new AbortController();
  model.begin([{ status: 429, text: "", headers: { "retry-after": "50" } }]);
  const waiting = llm.ask("a", { signal: between.signal });
  await vi.waitUntil(() => llm.getStats().retryCount === 1);
  between.abort(new Error("too long"));
  await expect(waiting).rejects.toThrow();
  expect(llm.getStats().errorCount).toBe(0);
});

it("a call of the model keeps the caller's messages as they are", async () => {
  const llm = new LLM({ model: "m", url: model.url, key: KEY });
  model.begin([answer("yes")]);
  const messages = [{ role: "user", content: "a" }];
  const { messages: whole } = await llm.chatWithFunctions(messages, [new Tool("now")]);
  expect(messages).toHaveLength(1);
  expect(whole).toEqual([...messages, { role: "assistant", content: "yes" }]);
  await expect(llm.chatWithFunctions(messages, [], { maxRounds: 11 })).rejects.toThrow(RangeError);
});

it("a call of the model waits for slow functions, and passes objects as JSON", async () => {
  const llm = new LLM({ model: "m", url: model.url, key: KEY });
  llm.registerFunction("look", async ({ where }) => ({ where: where ?? null, found: [1] }));
  const call = { id: "1", type: "function", function: { name: "look", arguments: '{"where": "here"}' } };
  model.begin([{ json: { choices: [{ message: { content: null, tool_calls: [call] } }] } }, answer("yes")]);
  await llm.chatWithFunctions([{ role: "user", content: "a" }], [new Tool("look", "Looks")]);
  expect(model.requests[1]).toMatchObject({
    messages: [{}, {}, { role: "tool", tool_call_id: "1", content: '{"where":"here","found":[1]}' }],
  });
});

it("errors of the model name a code, the model and the cause", async () => {
  const llm = new LLM({ model: "m", url: "http://127.0.0.1:1", retries: 0 });
  const error: unknown = await llm.ask("a").catch((error: unknown) => error);
  expect(error).toBeInstanceOf(LLMError);
  expect(error).toMatchObject({ code: "network_error", status: undefined, details: { model: "m" } });
  expect(String(error)).toMatch(/^network_error: http:\/\/127\.0\.0\.1:1 cannot be reached: .*\w/);
});

it("the README documents every code of an error of the model", () => {
  const folder = new URL("../src/llm/", import.meta.url);
  const sources = readdirSync(folder).map((file) => readFileSync(new URL(file, folder), "utf8"));
  const codes = sources.flatMap((text) => [...text.matchAll(/LLMError\(\s*"(\w+)"|^ {2}\d{3}: "(\w+)"/gm)]);
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  expect(codes.length).toBeGreaterThan(12);
  for (const [, thrown, listed] of codes) expect(readme).toContain(`\`${thrown ?? listed}\``);
});
