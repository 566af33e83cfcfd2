// `proctor mock llm` as people and scripts use it: the action on a real socket.
import { writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../core/json.ts";
import { chat as chatAt, post, type Answered } from "../../../../test/support/doubles/mock-llm-harness.ts";
import {
  describeMockRefusals,
  startMock,
  type StartedMock,
} from "../../../../test/support/cli/mock-command.ts";
import type { IoOptions } from "../../../../test/support/cli/program-double.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";

const folder = temporaryFolder("mock-llm");
writeFileSync(
  join(folder, "llm.yaml"),
  `name: demo
model: mock-1
answers:
  - when: { contains: weather }
    then: { tool_calls: [{ name: weather, arguments: { city: Oslo } }] }
  - when: { contains: limit }
    then: { error: { status: 429, message: slow down } }
  - when: { contains: never }
    then: { content: x }
default: { content: Hello }
`,
);

const COMMAND = { kind: "llm", file: "llm.yaml", address: /http:\S+?\/v1(?=["\s])/ } as const;

interface Started extends StartedMock {
  url: string;
  chat: (text: string) => Promise<Answered>;
}

async function start(args: string[] = [], options: IoOptions = {}): Promise<Started> {
  const started = await startMock(COMMAND, args, { cwd: folder, ...options });
  const { address: url } = started;
  const at = { url, calls: () => [], close: async () => {} };
  return { ...started, url, chat: (text) => chatAt(at, text) };
}

describe("proctor mock llm for people", () => {
  test("prints its address, shows every call, counts them, and ends with 0", async () => {
    const { io, ended, url, chat } = await start();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
    expect((await chat("What is the weather?")).status).toBe(200);
    await chat("\u001b[31mHi\nthere");
    await chat("limit");
    await post(`${url}/embeddings`, { model: "e", input: ["a", "b"], dimensions: 2 });
    await post(`${url}/chat/completions`, "{");
    io.interrupt();

    expect(await ended).toBe(0);
    const lines = io.out().split("\n");
    expect(lines.slice(0, 6)).toEqual([
      "● demo is served",
      "",
      `  base URL    ${url}`,
      `  calls       ${url.replace(/v1$/, "calls")}`,
      "  model       mock-1",
      "  answers     3, and a default",
    ]);
    expect(lines.filter((line) => /^\d\d:\d\d:\d\d {2}/.test(line)).map((line) => line.slice(10))).toEqual([
      expect.stringMatching(
        /^✓ gpt-test {6}answer 1 {8}5 → 6 +[\d.]+m?s {2}What is the weather\? {2}→ {2}weather\(\{"city":"Oslo"\}\)$/,
      ),
      expect.stringMatching(
        /^✓ gpt-test {6}default {9}4 → 2 +[\d.]+m?s {2}\\x1b\[31mHi⏎ there {2}→ {2}Hello$/,
      ),
      expect.stringMatching(/^✗ gpt-test {6}answer 2 {5}HTTP 429 +[\d.]+m?s {2}limit {2}→ {2}slow down$/),
      expect.stringMatching(/^✓ e {13}embeddings {6}1 → 0 +[\d.]+m?s {2}2 inputs$/),
      expect.stringMatching(/^✗ \? {13}none {9}HTTP 400 +[\d.]+m?s {2}the body is not valid JSON in UTF-8$/),
    ]);
    expect(io.out()).not.toContain("\u001b");
    expect(
      io
        .out()
        .split("\n\n")
        .at(-1)
        ?.trimEnd()
        .split("\n")
        .map((line) => line.replaceAll(/ +/g, " ")),
    ).toEqual([
      "5 calls, 10 tokens in, 8 out:",
      "ANSWER CALLS ERRORS TOKENS IN OUT",
      "1 1 0 5 6",
      "2 1 1 0 0",
      "3 0 0 0 0",
      "default 1 0 4 2",
      "embeddings 1 0 1 0",
      "none 1 1 0 0",
    ]);
  });

  test("cuts lines to the width of the terminal", async () => {
    const { io, ended, chat } = await start([], { columns: 80 });
    await chat("x".repeat(5000));
    io.interrupt();
    await ended;
    const line = io
      .out()
      .split("\n")
      .find((text) => text.includes("✓ gpt-test"));
    expect(line).toHaveLength(80);
    expect(line).toMatch(/x…$/);
  });
});

test("proctor mock llm --json prints one document per line and nothing else", async () => {
  const { io, ended, url, chat } = await start(["--json"]);
  await chat("Hi");
  io.interrupt();
  expect(await ended).toBe(0);
  expect(io.err()).toBe("");
  const documents = io
    .out()
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as JsonObject);
  const none = { calls: 0, errors: 0, prompt_tokens: 0, completion_tokens: 0 };
  expect(documents).toMatchObject([
    { type: "ready", url, calls_url: url.replace(/v1$/, "calls"), answers: 3, model: "mock-1" },
    { type: "call", endpoint: "chat", model: "gpt-test", answer: "default", status: 200, content: "Hello" },
    {
      type: "summary",
      calls: 1,
      prompt_tokens: 1,
      completion_tokens: 2,
      answers: [
        { answer: 1, ...none },
        { answer: 2, ...none },
        { answer: 3, ...none },
        { answer: "default", calls: 1, errors: 0, prompt_tokens: 1, completion_tokens: 2 },
      ],
    },
  ]);
});

test("proctor mock llm has written a call to --log when it is answered, and shows it over HTTP", async () => {
  const { io, ended, url, chat } = await start(["--log", "calls.jsonl"]);
  await Promise.all(Array.from({ length: 5 }, (_, n) => chat(`Hi ${n}`)));
  const written = (await readFile(join(folder, "calls.jsonl"), "utf8")).trimEnd().split("\n");
  expect(written.map((line) => (JSON.parse(line) as JsonObject)["content"])).toEqual(Array(5).fill("Hello"));
  expect(await (await fetch(url.replace(/v1$/, "calls"))).json()).toMatchObject({ total: 5 });
  io.interrupt();
  await ended;
  await expect(fetch(url)).rejects.toThrow();
});

test("proctor mock llm --key asks callers for the key, and shows it nowhere", async () => {
  const key = "sk-test-0123456789";
  const { io, ended, url, chat } = await start(["--key", key]);
  expect((await chat("Hi")).status).toBe(401);
  const messages = [{ role: "user", content: `say ${key}` }];
  const headers = { authorization: `Bearer ${key}` };
  expect((await post(`${url}/chat/completions`, { model: "m", messages }, headers)).status).toBe(200);
  io.interrupt();
  await ended;
  expect(io.out()).toContain("say [redacted:key]");
  expect(io.out()).not.toContain(key);
});

describeMockRefusals(COMMAND, {
  folder,
  mistake: "anwsers",
  more: [
    ["a key that no header can carry", ["llm.yaml", "--key", "a b"], /the key of the mock must be printable/],
  ],
});
