// Holds the guide to models for agents to what it says.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { all, block, section } from "../../../test/support/markdown.ts";
import { describeCall } from "../../llm/describe-call.ts";
import { MODEL_LIMITS } from "../../llm/limits.ts";
import { loadConfig } from "../config/load-config.ts";
import { serveLlm } from "./serve-llm.ts";

const guide = readFileSync(
  fileURLToPath(new URL("../../../../../docs/guides/models-for-agents.md", import.meta.url)),
  "utf8",
);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "proctor-models-guide-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Resolves to the answers of the guide's agent to two requests. */
async function runAgent(env: Record<string, string>): Promise<unknown[]> {
  const served = serveLlm(await loadConfig({ cwd: folder, env, flags: {} }));
  try {
    const key = "key-of-the-run";
    const endpoint = await served.host.open({
      runId: "run",
      traceId: "a".repeat(32),
      key,
      onCall: () => Promise.resolve(),
    });
    writeFileSync(join(folder, "agent.mjs"), block(guide, "js", "// agent.mjs"));
    const child = spawn(process.execPath, [join(folder, "agent.mjs")], {
      stdio: ["pipe", "pipe", "inherit"],
      env: { LLM_API_URL: endpoint.url, LLM_API_KEY: key, LLM_MODEL: endpoint.model },
    });
    const closed = once(child, "close");
    for (const step of [1, 2]) child.stdin.write(`${JSON.stringify({ instruction: "say hello", step })}\n`);
    child.stdin.end();
    const said: unknown[] = [];
    for await (const line of createInterface({ input: child.stdout })) said.push(JSON.parse(line));
    expect(await closed).toEqual([0, null]);
    return said;
  } finally {
    await served.close();
  }
}

test("the guide to models has an agent that works with the built-in mock", async () => {
  expect(await runAgent({})).toMatchObject([
    { command: expect.stringContaining("echo") as string, task_complete: false },
    { command: null, task_complete: true },
  ]);
});

test("the guide to models has an agent that works with the script beside it", async () => {
  writeFileSync(join(folder, "llm.yaml"), block(guide, "yaml", "# llm.yaml"));
  expect(await runAgent({ PROCTOR_LLM_SCRIPT: "llm.yaml" })).toEqual([
    { command: "echo hello > hello.txt", task_complete: false },
    { command: null, task_complete: true },
  ]);
});

test("the guide to models has a configuration that loads", async () => {
  writeFileSync(join(folder, "proctor.yaml"), block(guide, "yaml", "# proctor.yaml"));
  const { llm } = await loadConfig({ cwd: folder, env: {}, flags: {} });
  expect(llm).toMatchObject({
    upstream: { defaultModel: "gpt-4o-mini", models: ["gpt-4o"] },
    prices: { "gpt-4o": { input: 2.5, output: 10 } },
  });
});

test("the guide to models has the fields that are recorded, and the limits as they are", () => {
  const { call } = describeCall({
    chat: {
      model: "a",
      requestedModel: "b",
      stream: true,
      includeUsage: false,
      temperature: undefined,
      estimate: { inputTokens: 1, outputTokens: 1 },
    },
    price: { input: 1, output: 1 },
    outcome: { status: 200, error: "x", isBilled: true },
    durationMs: 1,
  });
  const ofAgents = new Set(["model", "duration_ms"]);
  const documented = all(section(guide, "What is recorded"), /^\| `(\w+)`/gm);
  expect(documented.sort()).toEqual(
    Object.keys(call)
      .filter((key) => !ofAgents.has(key))
      .sort(),
  );
  const { bodyBytes, answerBytes, answerMs, calls } = MODEL_LIMITS;
  const MB = 1024 * 1024;
  for (const said of [
    `larger than ${bodyBytes / MB} MB`,
    `more than ${answerBytes / MB} MB`,
    `more than ${answerMs / 1000} s`,
    `${calls} calls under way`,
  ]) {
    expect(section(guide, "Answers that are errors")).toContain(said);
  }
});
