// The driver inside the whole hub: limits, tools and secrets as the engine sees them.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTools, type ToolsHarness } from "../../../test/support/doubles/tools-harness.ts";
import { KEY } from "../../../test/support/openai/drive-model.ts";
import {
  calls,
  chunk,
  frame,
  says,
  serveModel,
  STREAM_HEAD,
  type ModelServer,
} from "../../../test/support/openai/scripted-model.ts";
import { openTestHub, type TestHub } from "../../../test/support/test-hub.ts";
import { answerOf } from "../../core/answer.ts";
import type { RunRequest } from "../../core/ports/hub.ts";
import type { Run } from "../../core/run.ts";

let tools: ToolsHarness;
let hub: TestHub;
beforeAll(async () => {
  tools = await startTools();
  hub = await openTestHub({ graceMs: 200, tools: tools.host });
});
afterAll(async () => {
  expect(hub.problems).toEqual([]);
  await hub.close();
  await tools.close();
});

async function run({ base }: ModelServer, request: Partial<RunRequest> = {}): Promise<Run> {
  const { run: submitted } = await hub.hub.submit({
    agent: {
      protocol: "openai",
      transport: "http",
      url: `${base}#gpt-test`,
      headers: { Authorization: `Bearer ${KEY}` },
    },
    task: { description: "do it" },
    ...request,
  });
  return hub.ended(submitted.id);
}

const TOOLS = { tools: [{ name: "weather", default: { output: "4 degrees" } }] };

describe("a run of the hub on a chat model", () => {
  it("is completed with its answer, what it used, and the calls that the hub saw", async () => {
    const server = await serveModel(calls({ name: "weather" }), says("4 ", "degrees."));
    const ended = await run(server, { options: { tools: TOOLS } });
    expect(ended).toMatchObject({
      status: "completed",
      metrics: { input_tokens: 20, output_tokens: 10, llm_calls: 2, tool_calls: 1, observed_tool_calls: 1 },
      violations: [],
    });
    expect(answerOf(ended)).toBe("4 degrees.");
  });

  it("ends at its steps, however often the model calls", async () => {
    const server = await serveModel(calls({ name: "weather" }));
    const ended = await run(server, { options: { tools: TOOLS }, constraints: { max_steps: 5 } });
    expect(ended).toMatchObject({ status: "failed", failure: { code: "BUDGET_EXCEEDED" } });
    expect(server.asked.length).toBeLessThan(20);
  });

  it("ends at its time limit, however long the model talks", async () => {
    const server = await serveModel((response) => {
      response.writeHead(200, STREAM_HEAD).write(frame(chunk({ content: "Once" })));
    });
    const ended = await run(server, { constraints: { timeout_seconds: 1 } });
    expect(ended).toMatchObject({ status: "timeout", failure: { code: "TIMEOUT" } });
  });

  it("keeps no key, not even one that comes in pieces", async () => {
    const half = Math.ceil(KEY.length / 2);
    const server = await serveModel(says("Your key is ", KEY.slice(0, half), KEY.slice(half), "."));
    const ended = await run(server);
    expect(ended.status).toBe("completed");
    expect(JSON.stringify([ended, await hub.log(ended.id)])).not.toContain(KEY);
    expect(answerOf(ended)).toMatch(/^Your key is (?!sk-).*\.$/);
  });
});
