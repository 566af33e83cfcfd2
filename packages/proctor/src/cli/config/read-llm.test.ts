import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ProctorError } from "../../core/errors.ts";
import type { LlmConfig } from "./read-llm.ts";
import { loadConfig } from "./load-config.ts";

let cwd: string;
beforeEach(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), "proctor-config-llm-")));
});
afterEach(() => rm(cwd, { recursive: true }));

async function load(file: string, env: Record<string, string> = {}): Promise<LlmConfig | undefined> {
  await writeFile(join(cwd, "proctor.yaml"), file);
  return (await loadConfig({ cwd, env, flags: {} })).llm;
}

const file = "llm_url: http://file.test/v1\nllm_model: small\n";

test("the model for agents is not configured by default, nor by a key alone", async () => {
  expect(await load("")).toBeUndefined();
  expect(
    await load("", { PROCTOR_LLM_KEY: "k", PROCTOR_LLM_URL: "", PROCTOR_LLM_MODEL: "" }),
  ).toBeUndefined();
});

test("the model for agents comes from the file, and its key from the environment", async () => {
  const more = "llm_models: [large, huge]\nllm_prices:\n  small: {input: 0.15, output: 0.6}\n";
  expect(await load(file + more, { PROCTOR_LLM_KEY: "k" })).toEqual({
    upstream: {
      url: "http://file.test/v1",
      apiKey: "k",
      provider: "openai",
      defaultModel: "small",
      models: ["large", "huge"],
    },
    prices: { small: { input: 0.15, output: 0.6 } },
  });
});

test("the model for agents is read from the environment before the file", async () => {
  const env = {
    PROCTOR_LLM_URL: "https://env.test/v1",
    PROCTOR_LLM_MODEL: "big",
    PROCTOR_LLM_PROVIDER: "openrouter",
  };
  expect(await load(`${file}llm_provider: x\n`, env)).toEqual({
    upstream: { url: "https://env.test/v1", provider: "openrouter", defaultModel: "big" },
  });
});

test("the script of the mock model is relative to the folder of the file, or to the current directory", async () => {
  expect(await load("llm_script: sub/llm.yaml\n")).toEqual({ script: join(cwd, "sub/llm.yaml") });
  expect(await load("llm_script: a.yaml\n", { PROCTOR_LLM_SCRIPT: "b.yaml" })).toEqual({
    script: join(cwd, "b.yaml"),
  });
});

describe("the configuration of the model for agents refuses", () => {
  test.each<[string, string, Record<string, string>, string]>([
    [
      "a key in the file",
      "llm_key: hunter2\n",
      {},
      'proctor.yaml:1:1  "llm_key" does not belong in a file\n   set the environment variable PROCTOR_LLM_KEY instead',
    ],
    ["a model without an address", "llm_model: m\n", {}, "PROCTOR_LLM_URL  is missing"],
    ["a provider without an address", "", { PROCTOR_LLM_PROVIDER: "x" }, "PROCTOR_LLM_URL  is missing"],
    ["an address without a model", "llm_url: http://x.test/v1\n", {}, "PROCTOR_LLM_MODEL  is missing"],
    [
      "an address that is not a URL",
      file,
      { PROCTOR_LLM_URL: "x.test" },
      "PROCTOR_LLM_URL  must be a URL like https://api.openai.com/v1",
    ],
    [
      "a password in the URL",
      "llm_url: http://u:hunter2@x.test/v1\nllm_model: m\n",
      {},
      'proctor.yaml:1:10  "llm_url" must not hold a password\n   set PROCTOR_LLM_KEY instead',
    ],
    [
      "the whole endpoint",
      file,
      { PROCTOR_LLM_URL: "http://x.test/v1/chat/completions" },
      "PROCTOR_LLM_URL  must end before /chat/completions",
    ],
    [
      "a key that no header can carry",
      file,
      { PROCTOR_LLM_KEY: "hunter2 x" },
      "PROCTOR_LLM_KEY  a key is made of visible ASCII characters",
    ],
    [
      "a script beside a model",
      `${file}llm_script: x.yaml\n`,
      {},
      "PROCTOR_LLM_SCRIPT  a script is for the mock",
    ],
    ["half a price", `${file}llm_prices: {m: {input: 1}}\n`, {}, 'proctor.yaml:3:17  missing key "output"'],
    [
      "a negative price",
      `${file}llm_prices: {m: {input: -1, output: 1}}\n`,
      {},
      '"input" must be at least 0',
    ],
    [
      "a misspelt price",
      `${file}llm_prices: {m: {input: 1, output: 1, ouput: 1}}\n`,
      {},
      'unknown key "ouput"\n   did you mean "output"?',
    ],
    ["an empty list of models", `${file}llm_models: []\n`, {}, '"llm_models" needs at least 1 entry'],
  ])("%s", async (_, text, env, expected) => {
    const error: unknown = await load(text, env).catch((reason: unknown) => reason);
    if (!ProctorError.is(error)) throw new Error(`expected a ProctorError, got ${JSON.stringify(error)}`);
    expect(error.code).toBe("CONFIG_INVALID");
    expect(error.message).toContain(expected);
    expect(error.message).not.toContain("hunter2");
  });
});
