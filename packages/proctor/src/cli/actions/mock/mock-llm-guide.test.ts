// Holds the guide, the reference and the example of the mock LLM to what they say.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { block, blocks, firstWords, section } from "../../../../test/support/markdown.ts";
import type { JsonObject } from "../../../core/json.ts";
import {
  chat,
  post,
  request,
  startLlm,
  type StartedLlm,
} from "../../../../test/support/doubles/mock-llm-harness.ts";
import { loadLlmScript } from "../../../suites/load-llm-script.ts";

const root = fileURLToPath(new URL("../../../../../..", import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const guide = read("docs/guides/mock-llm.md");
const reference = read("docs/reference/mock-llm.md");

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "proctor-llm-guide-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const serve = async (file: string): Promise<StartedLlm> => startLlm(await loadLlmScript(file));

async function runAgent(description: string, { url }: StartedLlm): Promise<{ text?: unknown; err: string }> {
  const env = { ...process.env, OPENAI_BASE_URL: url };
  const child = spawn(process.execPath, [write("agent.mjs", block(guide, "js", "// agent.mjs"))], { env });
  const said = { out: "", err: "" };
  child.stdout.on("data", (chunk: Buffer) => (said.out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (said.err += chunk.toString()));
  child.stdin.end(JSON.stringify({ task_id: "1", task: { description } }));
  await once(child, "close");
  if (said.out === "") return { err: said.err };
  const { artifacts } = JSON.parse(said.out) as { artifacts: { data: JsonObject }[] };
  return { text: artifacts[0]?.data["text"], err: said.err };
}

describe("the guide to the mock LLM", () => {
  test("has an agent that gets through its script, and fails with what the mock says", async () => {
    const llm = await serve(write("llm.yaml", block(guide, "yaml", "# llm.yaml")));
    expect(await runAgent("What is the weather?", llm)).toEqual({ text: "It is cold in Oslo.", err: "" });
    expect(llm.reported.map(({ answer }) => answer)).toEqual([1, 2]);
    const { err } = await runAgent("Tell me a joke", llm);
    expect(err).toContain(
      'nearest is answer 1 of 2: the last message, "Tell me a joke", does not contain "weather"',
    );
  });

  test("has an agent that gets through its flaky script in the end", async () => {
    const llm = await serve(write("flaky.yaml", block(guide, "yaml", "# flaky.yaml")));
    expect(await runAgent("What is the weather?", llm)).toEqual({ text: "It is cold in Oslo.", err: "" });
    expect(llm.reported.map(({ status }) => status)).toEqual([429, 429, 200, 200]);
  });
});

test("the example of a mock LLM answers what its page says, and all its answers are reached", async () => {
  const llm = await serve(join(root, "examples/mock-llm/llm.yaml"));
  const shown = read("examples/mock-llm/README.md")
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as JsonObject);
  const given = [await chat(llm, "Hello"), await chat(llm, "Hello")];
  expect(given.map(({ body }) => ({ ...body, ...("created" in body && { created: 1767225600 }) }))).toEqual(
    shown,
  );
  const talk = request("How is the weather?", { role: "assistant" }, { role: "tool", content: "4 degrees" });
  await chat(llm, "How is the weather?");
  await post(`${llm.url}/chat/completions`, talk);
  await chat(llm, "Tell me a long story");
  expect(llm.reported.map(({ answer }) => answer)).toEqual([1, "default", 2, 3, 4]);
});

describe("the reference of the mock LLM", () => {
  test("has an example that loads", async () => {
    const script = await loadLlmScript(write("reference.yaml", block(reference, "yaml", "# script")));
    expect(script.answers).toHaveLength(5);
  });

  test("shows the error of a request that nothing matches", async () => {
    const llm = await serve(write("llm.yaml", block(guide, "yaml", "# llm.yaml")));
    const messages = [{ role: "assistant" }, { role: "user", content: "weather" }];
    const { body } = await post(`${llm.url}/chat/completions`, { model: "gpt-4o", messages });
    const shown = blocks(section(reference, "When nothing matches"), "");
    expect([`${(body["error"] as JsonObject)["message"] as string}\n`]).toEqual(shown);
  });

  test("has every field of a call", async () => {
    const llm = await startLlm({
      default: { content: "x", tool_calls: [], stream: { cut_after_chunks: 0 } },
    });
    await chat(llm, "x").then(() => post(`${llm.url}/chat/completions`, "{"));
    await post(`${llm.url}/chat/completions`, { ...request("x"), stream: true }).catch(() => {});
    const known = new Set(llm.reported.flatMap((call) => Object.keys(call)));
    const documented = section(reference, "A call").matchAll(/^\| `([a-z_]+)` \|/gm);
    expect(Array.from(documented, ([, key = ""]) => key).sort()).toEqual([...known].sort());
  });

  test.each([
    ["The script", "zzz: 1"],
    ["Rules", "answers: [{then: {content: x}, zzz: 1}]"],
    ["Conditions", "answers: [{when: {zzz: 1}, then: {content: x}}]"],
    ["At a path", "answers: [{when: {json_path: {path: $, zzz: 1}}, then: {content: x}}]"],
    ["Answers", "default: {content: x, zzz: 1}"],
    ["Tool calls", "default: {tool_calls: [{name: a, zzz: 1}]}"],
    ["Streams", "default: {content: x, stream: {zzz: 1}}"],
    ["Errors", "default: {error: {status: 500, zzz: 1}}"],
  ])("has every key under %s, and no other", async (heading, text) => {
    const error: unknown = await loadLlmScript(write("wrong.yaml", text)).catch((thrown: unknown) => thrown);
    const [, known = ""] = /known here: (.*)/.exec(String(error)) ?? [];
    expect(firstWords(section(reference, heading))).toEqual(known.split(", ").sort());
  });
});
