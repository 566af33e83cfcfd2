// Goals with the built program: the guide and the example as they stand.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { parseCommandLine } from "../../src/core/command-line.ts";
import type { Goal, Subtask } from "../../src/core/goal.ts";
import { eventually, HANG_MS } from "../support/eventually.ts";
import type { Page } from "../../src/core/page.ts";
import type { Run } from "../../src/core/run.ts";
import { startHubProcess } from "../support/hub-process.ts";
import { blocks } from "../support/markdown.ts";
import { startProgram } from "../support/program.ts";
import { runCommand } from "../support/run-command.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));

/** Types the lines one after the other, each of which has to succeed, and returns what they print. */
async function type(lines: readonly string[], folder: string): Promise<string> {
  let printed = "";
  for (const line of lines) {
    const [name, ...args] = parseCommandLine(line);
    expect(name).toBe("proctor");
    const ended = await runCommand(args, { folder, env: { USER: "ada" } });
    expect({ line, ...ended }).toMatchObject({ line, code: 0 });
    printed += ended.stdout;
  }
  return printed;
}

it("the guide to goals does what it says", { timeout: HANG_MS }, async () => {
  const guide = readFileSync(join(root, "docs/guides/goals.md"), "utf8");
  const folder = temporaryFolder("goals-guide");
  const [agent = ""] = blocks(guide, "js");
  const [plan = ""] = blocks(guide, "yaml");
  writeFileSync(join(folder, "agent.mjs"), agent);
  writeFileSync(join(folder, "plan.yaml"), plan);
  const [register = [], goal = [], look = [], again = [], suite = []] = blocks(guide, "").map((block) =>
    block.trim().split("\n"),
  );
  await type(register, folder);
  const reached = await type(goal, folder);
  expect(reached).toMatch(/TASK +AGENT +WHY[^]*shout +shouter/);
  expect(reached).toMatch(/✓ completed[^]*"shouted": "GOOD MORNING"[^]*"words": 2/);
  const shown = await type(look, folder);
  expect(shown).toMatch(/Shout and count "good morning"[^]*count +completed +counter[^]*it was named/);
  const rerun = await type(again, folder);
  expect(rerun).toMatch(/shout completed: taken over from goal[^]*count → shouter/);
  const exported = await type(suite, folder);
  expect(exported).toContain("written: regression.yaml");
  expect(await type(["proctor validate regression.yaml"], folder)).toContain("regression.yaml");
});

it(
  "three agents reach a goal, with a better report after the review, and one approval",
  { timeout: HANG_MS },
  async () => {
    const folder = temporaryFolder("three-agents");
    const readme = readFileSync(join(root, "examples/three-agents/README.md"), "utf8");
    const [commands = ""] = blocks(readme, "");
    const lines = commands
      .split("\n")
      .map((line) => line.replace(/^npx /, "").replaceAll("examples/", join(root, "examples/")));
    const hub = await startHubProcess({ folder });
    try {
      await type(
        lines.filter((line) => line.startsWith("proctor agents add")),
        folder,
      );
      const detached = await type(
        lines.filter((line) => line.startsWith('proctor goal "')),
        folder,
      );
      const id = detached.trim();
      const approve = async (): Promise<void> => {
        expect(await type(["proctor approvals list"], folder)).toContain(id);
      };
      await eventually(approve);
      await type([`proctor approvals approve ${id}`], folder);
      await hub.ended(id);
      const goal = await hub.get<Goal>(`/goals/${id}`);
      expect(goal).toMatchObject({
        status: "completed",
        plan: { source: "agent" },
        counts: { completed: 3 },
      });
      const { items } = await hub.get<{ items: Subtask[] }>(`/goals/${id}/subtasks`);
      const write = items.find(({ key }) => key === "write");
      expect(
        write?.attempts.map(({ reviews }) => reviews.map(({ by, verdict }) => `${by}: ${verdict ?? ""}`)),
      ).toEqual([["agent: retry"], ["agent: approve", "human: approve"]]);
      const output = goal.artifacts.find(
        (artifact) => artifact.type === "structured" && artifact.name === "output",
      );
      expect(output).toMatchObject({
        data: { report: expect.stringMatching(/^# Bees\n\nThe size of/) as string },
      });
    } finally {
      await hub.stop();
    }
  },
);

it(
  "a planner asks the model of its run, is told what is wrong with its plan, and makes a better one",
  { timeout: HANG_MS },
  async () => {
    const folder = temporaryFolder("model-planner");
    const readme = readFileSync(join(root, "examples/model-planner/README.md"), "utf8");
    const lines = (blocks(readme, "")[0] ?? "")
      .split("\n")
      .map((line) => line.replace(/^npx /, "").replaceAll("examples/", join(root, "examples/")));
    const [script = ""] = /\S+llm\.yaml/.exec(lines[0] ?? "") ?? [];
    const model = startProgram(["mock", "llm", script, "--port", "0"], { folder });
    const [url = ""] = await model.printed(/http:\/\/127\.0\.0\.1:\d+/);
    const env = { PROCTOR_LLM_URL: `${url}/v1`, PROCTOR_LLM_MODEL: "mock-planner" };
    const hub = await startHubProcess({ folder, env });
    try {
      const printed = await type(
        lines.filter((line) => line.startsWith("proctor agents") || line.startsWith("proctor goal")),
        folder,
      );
      expect(printed).toMatch(/✓ completed[^]*"shouted": "GOOD MORNING"[^]*"words": 2/);
      const { items } = await hub.get<Page<Goal>>("/goals");
      expect(items).toMatchObject([{ plan: { source: "agent", refused: 1 }, spent: { runs: 5 } }]);
      const runs = await hub.get<Page<Run>>(`/runs?parent=${items[0]?.id ?? ""}&agent=planner`);
      expect(runs.items.map(({ metrics }) => metrics.llm_calls)).toEqual([1, 1]);
      expect(items[0]?.spent.total_tokens).toBeGreaterThan(0);
    } finally {
      await hub.stop();
      model.child.kill("SIGTERM");
      await model.ended;
    }
  },
);
