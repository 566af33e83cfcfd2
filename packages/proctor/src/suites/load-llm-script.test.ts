import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LlmScript } from "../core/llm-script.ts";
import { rule } from "../../test/support/doubles/mock-llm-harness.ts";
import { loadLlmScript } from "./load-llm-script.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "proctor-llm-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function load(text: string, variables: Record<string, string> = {}): Promise<LlmScript> {
  const file = join(folder, "llm.yaml");
  await writeFile(file, text);
  return loadLlmScript(file, { variables });
}

/** The problems, with the temporary folder cut off. */
async function problems(text: string): Promise<string[]> {
  const error: unknown = await load(text).then(
    () => new Error("no problem"),
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ code: "SUITE_INVALID" });
  return (error as Error).message.replaceAll(`${folder}/`, "").split("\n");
}

test("a mock LLM's script may use every key", async () => {
  const script = await load(
    `name: my-llm
description: For the tests.
model: mock-1
default_delay_ms: 5
answers:
  - when: { contains: "weather", turn: 1, model: "gpt-*", role: user, regex: "(?i)oslo", json_path: $.tools }
    then: { content: Sunny, finish_reason: stop, usage: { prompt_tokens: 1, completion_tokens: "\${COUNT}" }, delay_ms: 7 }
    times: 1
  - when: { json_path: { path: "$.temperature", equals: 0, contains: "0" } }
    then: { tool_calls: [{ name: w, arguments: { city: Oslo }, id: c }, { name: x, arguments: "{" }, { name: y }] }
  - when:
    then: { content: long, stream: { chunk_chars: 5, chunk_delay_ms: 10, cut_after_chunks: 3 } }
default: { error: { status: 429, message: m, type: t, code: c, retry_after_seconds: 0.5 } }
`,
    { COUNT: "2" },
  );
  const when = {
    contains: "weather",
    turn: 1,
    model: "gpt-*",
    role: "user",
    regex: "(?i)oslo",
    json_path: "$.tools",
  } as const;
  const calls = [
    { name: "w", arguments: { city: "Oslo" }, id: "c" },
    { name: "x", arguments: "{" },
    { name: "y" },
  ];
  const usage = { prompt_tokens: 1, completion_tokens: 2 };
  expect(script).toEqual({
    name: "my-llm",
    description: "For the tests.",
    model: "mock-1",
    default_delay_ms: 5,
    answers: [
      rule(when, { content: "Sunny", finish_reason: "stop", usage, delay_ms: 7 }, 1),
      rule({ json_path: { path: "$.temperature", equals: 0, contains: "0" } }, { tool_calls: calls }),
      rule(undefined, {
        content: "long",
        stream: { chunk_chars: 5, chunk_delay_ms: 10, cut_after_chunks: 3 },
      }),
    ],
    default: { error: { status: 429, message: "m", type: "t", code: "c", retry_after_seconds: 0.5 } },
  });
});

test("a mock LLM's script may have only a default, and an empty text as its answer", async () => {
  expect(await load('default: { content: "" }')).toEqual({ answers: [], default: { content: "" } });
});

describe("the file of a mock LLM's script", () => {
  const when = (text: string): string => `answers:\n  - when: ${text}\n    then: {content: x}`;
  const answer = (text: string): string => `answers:\n  - then: ${text}`;

  test.each<[string, string, string[]]>([
    ["nothing", "", ["llm.yaml:1:1  the file is empty"]],
    [
      "no answers",
      "name: x",
      ["llm.yaml:1:1  this script answers nothing", '   give it "answers" or "default"'],
    ],
    ["an unknown key", "anwsers: []", ['llm.yaml:1:1  unknown key "anwsers"', '   did you mean "answers"?']],
    [
      "an unknown condition",
      when("{contians: x}"),
      ['llm.yaml:2:12  unknown key "contians"', '   did you mean "contains"?'],
    ],
    [
      "an unknown role",
      when("{role: usr}"),
      [
        'llm.yaml:2:18  "role" must be "system" or "developer" or "user" or "assistant" or "tool" or "function"',
        '   did you mean "user"?',
      ],
    ],
    [
      "a pattern that is none",
      when('{regex: "("}'),
      [
        'llm.yaml:2:19  "regex" is no regular expression: Invalid regular expression: /(/: Unterminated group',
      ],
    ],
    [
      "a path that is none",
      when('{json_path: "$.a[?]"}'),
      ['llm.yaml:2:23  the path "$.a[?]" cannot be read from its character 4 on'],
    ],
    [
      "a path that is none, in its long form",
      when('{json_path: {path: "a"}}'),
      ['llm.yaml:2:30  the path "a" does not begin with $'],
    ],
    [
      "an unknown key at a path",
      when("{json_path: {path: $, equal: 1}}"),
      ['llm.yaml:2:33  unknown key "equal"', '   did you mean "equals"?'],
    ],
    ["turn 0", when("{turn: 0}"), ['llm.yaml:2:18  "turn" must be at least 1']],
    ["no answer", "answers:\n  - when: {turn: 1}", ['llm.yaml:2:5  missing key "then"']],
    [
      "an answer that says nothing",
      answer("{delay_ms: 5}"),
      ["llm.yaml:2:11  this answer says nothing", '   give it "content", "tool_calls" or "error"'],
    ],
    [
      "an answer that is two things",
      answer("{content: x, error: {status: 500}}"),
      ['llm.yaml:2:12  an answer with an error has no "content"', '   keep "error" or "content"'],
    ],
    [
      "a status that is no error",
      answer("{error: {status: 200}}"),
      ['llm.yaml:2:28  "status" must be at least 400'],
    ],
    [
      "arguments that are none",
      answer("{tool_calls: [{name: a, arguments: [1]}]}"),
      ['llm.yaml:2:46  "arguments" must be a mapping (key: value), or text'],
    ],
    [
      "a finish reason that does not exist",
      answer("{content: x, finish_reason: done}"),
      [
        'llm.yaml:2:39  "finish_reason" must be "stop" or "length" or "tool_calls" or "content_filter" or "function_call"',
      ],
    ],
    [
      "chunks of nothing",
      answer("{content: x, stream: {chunk_chars: 0}}"),
      ['llm.yaml:2:46  "chunk_chars" must be at least 1'],
    ],
    ["no times", `${answer("{content: x}")}\n    times: 0`, ['llm.yaml:3:12  "times" must be at least 1']],
  ])("is refused for %s, with the place", async (_what, text, expected) => {
    expect(await problems(text)).toEqual(expected);
  });

  test("has an error of its own when it does not exist", async () => {
    await expect(loadLlmScript(join(folder, "missing.yaml"))).rejects.toMatchObject({
      code: "FILE_UNREADABLE",
    });
  });
});
