// One agent, run directly and as a server of the Agent Protocol: what it used and answered is the same both ways.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import type { Run } from "../../../../core/run.ts";
import type { Constraints } from "../../../../core/task.ts";
import { openStage, type Stage } from "../../../../../test/support/agent-protocol/surfaces-server.ts";

/** Five model calls of 10 tokens in and 5 out, a message, a thought, and an answer. */
const AGENT = `
let text = "";
for await (const chunk of process.stdin) text += chunk;
const { task_id } = JSON.parse(text);
let sequence = 0;
const emit = (event_type, payload) =>
  process.stderr.write(JSON.stringify({ version: "1.0", task_id, timestamp: new Date().toISOString(), sequence: sequence++, event_type, payload }) + "\\n");
emit("progress", { message: "planning" });
emit("reasoning", { thought: "Washington is short", plan: ["write it"] });
for (let call = 0; call < 5; call++)
  emit("llm_request", { model: "m-1", input_tokens: 10, output_tokens: 5, cost_usd: 0.01, stop_reason: "end_turn" });
const artifacts = [{ type: "structured", name: "result", data: { output: "Washington" } }];
process.stdout.write(JSON.stringify({ version: "1.0", task_id, status: "completed", artifacts }) + "\\n");
`;

const file = join(temporaryFolder("same-agent"), "five.mjs");
writeFileSync(file, AGENT);
const address = `atp+stdio:${process.execPath} ${file}`;
let stage: Stage;

beforeEach(async () => {
  stage = await openStage({ realAgent: address });
});
afterEach(() => stage.close());

async function run(agent: string, constraints: Constraints = {}): Promise<Run> {
  const { run: submitted } = await stage.hub.submit({
    agent,
    task: { description: "name a capital" },
    constraints,
  });
  return stage.ended(submitted.id);
}

interface Shown {
  name: string;
  output: unknown;
  additional_output: Record<string, unknown>;
}

/** The steps of the newest task, on one of the doors. */
async function steps(door: "api" | "ap/v1/agent"): Promise<Shown[]> {
  const { items } = await stage.hub.runs({ limit: 1 });
  const answer = await fetch(`${stage.url}/${door}/tasks/${items[0]?.id}/steps`);
  return ((await answer.json()) as { steps: Shown[] }).steps;
}

describe("an agent behind the official API", () => {
  it("uses as much as when it is run directly", async () => {
    const direct = await run(address);
    const { wall_time_seconds: _, ...used } = direct.metrics;
    expect(used).toMatchObject({ total_tokens: 75, input_tokens: 50, output_tokens: 25, llm_calls: 5 });
    const through = await run(`ap+${stage.url}`);
    expect(through).toMatchObject({ status: "completed", violations: [], metrics: used });
  });

  it("completes within the same limit of tokens", async () => {
    const constraints = { max_tokens: 100 };
    expect((await run(address, constraints)).status).toBe("completed");
    expect((await run(`ap+${stage.url}`, constraints)).failure).toBeNull();
  });

  it.each(["api", "ap/v1/agent"] as const)(
    "shows each step's own tokens on /%s, and the totals by name",
    async (door) => {
      await run(address);
      const shown = (await steps(door)).map(({ additional_output: said }) => said);
      const sum = (name: string): number =>
        shown.reduce((total, said) => total + (typeof said[name] === "number" ? said[name] : 0), 0);
      expect([sum("input_tokens"), sum("output_tokens"), sum("cost_usd").toFixed(2)]).toEqual([
        50,
        25,
        "0.05",
      ]);
      expect(shown.at(-2)).toMatchObject({ task_total_tokens: 75 });
      expect(shown.at(-1)).toMatchObject({ task_total_tokens: 75, task_metrics: { llm_calls: 5 } });
      expect(Number(shown.at(-1)?.["task_total_cost"])).toBeCloseTo(0.05);
      expect(shown.at(-1)?.["task_cumulative_cost"]).toBe(shown.at(-1)?.["task_total_cost"]);
    },
  );

  it.each(["api", "ap/v1/agent"] as const)(
    "says in plain text on /%s what it said, and answers with the last step",
    async (door) => {
      await run(address);
      const shown = await steps(door);
      expect(shown.map(({ name, output }) => [name, output]).slice(0, 3)).toEqual([
        ["planning", "planning"],
        ["Washington is short", "Washington is short"],
        ["Model call: m-1", "10 tokens in, 5 out, end_turn"],
      ]);
      expect(shown[1]?.additional_output).toMatchObject({ plan: ["write it"], event_type: "reasoning" });
      expect(shown.at(-1)).toMatchObject({
        name: "Result",
        output: "Washington",
        additional_output: { status: "completed", artifacts: ["result"] },
      });
    },
  );
});
