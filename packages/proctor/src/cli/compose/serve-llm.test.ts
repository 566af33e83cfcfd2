import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ModelCall, ModelEndpoint, OpenModel } from "../../core/ports/model-host.ts";
import {
  completion,
  errorOf,
  HELLO,
  HUB_KEY,
  post,
  RUN_KEY,
  sendJson,
  startModel,
} from "../../../test/support/llm/model-host-harness.ts";
import { llmMount } from "../../server/llm-mount.ts";
import { createHarness } from "../../../test/support/server/app-harness.ts";
import { listen } from "../../runtime/http/listen.ts";
import { loadConfig } from "../config/load-config.ts";
import { serveLlm, type ServedModels } from "./serve-llm.ts";

let cwd: string;
let closing: (() => Promise<void>)[] = [];
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "proctor-serve-llm-"));
});
afterEach(async () => {
  for (const close of closing.reverse()) await close();
  closing = [];
  await rm(cwd, { recursive: true });
});

async function serve(file = "", env: Record<string, string> = {}): Promise<ServedModels> {
  await writeFile(join(cwd, "proctor.yaml"), file);
  const served = serveLlm(await loadConfig({ cwd, env, flags: {} }));
  closing.push(() => served.close());
  return served;
}

function open({ host }: ServedModels, request: Partial<OpenModel> = {}): Promise<ModelEndpoint> {
  const traceId = "a".repeat(32);
  return host.open({ runId: "run-1", traceId, key: RUN_KEY, onCall: () => Promise.resolve(), ...request });
}

const said = async (endpoint: ModelEndpoint, content: string): Promise<string> => {
  const { text } = await post(endpoint, { ...HELLO, messages: [{ role: "user", content }] });
  return (JSON.parse(text) as { choices: [{ message: { content: string } }] }).choices[0].message.content;
};

describe("the model of a run without a configuration", () => {
  test("is a mock on a port of its own, which says what it is", async () => {
    const endpoint = await open(await serve());
    expect(endpoint).toMatchObject({ provider: "mock", model: "mock" });
    expect(endpoint.url).toBe(`http://127.0.0.1:${endpoint.port}/llm/run-1/v1`);
    expect(await said(endpoint, "Who are you?")).toMatch(/mock model.*PROCTOR_LLM_URL/);
  });

  test("gives a terminal agent a command and then the end, anew in every run", async () => {
    const served = await serve();
    const ask = 'Answer as {"command": …, "task_complete": …}';
    for (const runId of ["run-1", "run-2"]) {
      const endpoint = await open(served, { runId });
      expect(JSON.parse(await said(endpoint, ask))).toMatchObject({ task_complete: false });
      expect(JSON.parse(await said(endpoint, ask))).toMatchObject({ command: null, task_complete: true });
    }
  });

  test("opens nothing before a run needs it, and leaves nothing open", async () => {
    const served = await serve();
    await served.close();
    const endpoint = await open(await serve());
    await closing.pop()?.();
    await expect(post(endpoint)).rejects.toThrow("fetch failed");
  });
});

describe("the model of a run with a script", () => {
  test("answers from the script, for each run from its beginning", async () => {
    await writeFile(
      join(cwd, "llm.yaml"),
      "model: scripted\nanswers:\n  - {then: {content: first}, times: 1}\ndefault: {content: '${WORD:later}'}\n",
    );
    const served = await serve("llm_script: llm.yaml\nllm_prices: {scripted: {input: 1000, output: 1000}}\n");
    const calls: ModelCall[] = [];
    const endpoint = await open(served, { onCall: (call) => Promise.resolve(void calls.push(call)) });
    expect(endpoint.model).toBe("scripted");
    expect([await said(endpoint, "x"), await said(endpoint, "x")]).toEqual(["first", "later"]);
    expect(await said(await open(served, { runId: "run-2" }), "x")).toBe("first");
    // One token in, two out.
    expect(calls).toMatchObject([{ cost_usd: 0.003 }, { cost_usd: 0.003 }]);
  });

  test("refuses runs with the place of a mistake until the script is mended", async () => {
    await writeFile(join(cwd, "llm.yaml"), "anwsers: []\n");
    const served = await serve("", { PROCTOR_LLM_SCRIPT: "llm.yaml" });
    await expect(open(served)).rejects.toMatchObject({
      code: "SUITE_INVALID",
      message: expect.stringContaining("llm.yaml:1:1") as string,
    });
    await writeFile(join(cwd, "llm.yaml"), "default: {content: mended}\n");
    expect(await said(await open(served), "x")).toBe("mended");
  });
});

test("a configured model is asked with its key, which goes nowhere else", async () => {
  const model = await startModel((outgoing) => sendJson(outgoing, completion(`Hi. ${HUB_KEY}`)));
  const file = `llm_url: ${model.url}\nllm_model: real\nllm_models: [other]\nllm_provider: openrouter\nllm_prices:\n  real: {input: 1, output: 2}\n`;
  const served = await serve(file, { PROCTOR_LLM_KEY: HUB_KEY });
  const calls: ModelCall[] = [];
  const endpoint = await open(served, { onCall: (call) => Promise.resolve(void calls.push(call)) });
  expect(endpoint).toMatchObject({ provider: "openrouter", model: "real" });
  const { text } = await post(endpoint, { ...HELLO, model: "other" });
  expect(model.asked[0]?.headers.authorization).toBe(`Bearer ${HUB_KEY}`);
  expect(text + JSON.stringify([calls, endpoint])).not.toContain(HUB_KEY);
  expect(calls).toMatchObject([{ model: "other", note: expect.stringContaining("no price") as string }]);
});

describe("the model of a run behind a hub", () => {
  async function hub(served: ServedModels, tokens: string[] = []) {
    const { app, logs } = createHarness({ mounts: [llmMount((request) => served.fetch(request))], tokens });
    const server = await listen({ app, host: "127.0.0.1", port: 0 });
    closing.push(() => server.close(0));
    return { server, app, logs };
  }

  test.each([[[]], [["token-of-the-hub"]]])(
    "is reached on the hub's port with the key of the run alone, where the hub's tokens are %j",
    async (tokens) => {
      const served = await serve();
      const { server, logs } = await hub(served, tokens);
      served.publish(server.url);
      const endpoint = await open(served);
      expect(endpoint.url).toBe(`${server.url}/llm/run-1/v1`);
      expect((await post(endpoint)).status).toBe(200);
      const stream = await post(endpoint, { ...HELLO, stream: true });
      expect(stream.text).toMatch(/\[DONE\]\n\n$/);
      for (const key of ["wrong", ...tokens]) expect((await post(endpoint, HELLO, { key })).status).toBe(401);
      expect(errorOf(await post(endpoint, HELLO, { key: "wrong" }))).toMatchObject({
        code: "invalid_api_key",
      });
      expect(logs.map((entry) => entry["path"])).toContain("/llm/run-1/v1/chat/completions");
      expect(JSON.stringify(logs)).not.toContain(RUN_KEY);
    },
  );

  test.each(["http://192.0.2.7:3001", "http://[::1]:3001", "https://hub.example.com"])(
    "has a port of its own on 127.0.0.1 when the hub listens on %s",
    async (url) => {
      const served = await serve();
      served.publish(url);
      const endpoint = await open(served);
      expect(new URL(endpoint.url).hostname).toBe("127.0.0.1");
      expect((await post(endpoint)).status).toBe(200);
    },
  );

  test("is described in the OpenAPI document", async () => {
    const { app } = await hub(await serve());
    const { paths, components, tags } = app.openapi();
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect(described.filter((route) => route.includes("/llm/"))).toEqual([
      "post /llm/{run_id}/v1/chat/completions",
      "get /llm/{run_id}/v1/models",
    ]);
    expect(tags.map(({ name }) => name)).toContain("Models");
    expect(Object.keys(components.schemas)).toEqual(
      expect.arrayContaining(["LlmChat", "LlmError", "LlmModels"]),
    );
  });
});
