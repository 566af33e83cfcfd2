// Goals with the built program: the guide and the example as they stand.
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import type { Goal, Subtask } from "../../src/core/goal.ts";
import { eventually, HANG_MS } from "../support/eventually.ts";
import type { Page } from "../../src/core/page.ts";
import type { Run } from "../../src/core/run.ts";
import { startHubProcess } from "../support/hub-process.ts";
import { blocks } from "../support/markdown.ts";
import { PROGRAM, startProgram } from "../support/program.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const run = promisify(execFile);

function shell(lines: readonly string[], folder: string): Promise<{ stdout: string; stderr: string }> {
  const script = ["set -eu", `proctor() { "${process.execPath}" "${PROGRAM}" "$@"; }`, ...lines].join("\n");
  const env = { PATH: process.env["PATH"], HOME: folder, USER: "ada", NO_COLOR: "1" };
  return run("bash", ["-c", script], { cwd: folder, env });
}

it("the guide to goals does what it says", { timeout: HANG_MS }, async () => {
  const guide = readFileSync(join(root, "docs/guides/goals.md"), "utf8");
  const folder = temporaryFolder("goals-guide");
  const [agent = ""] = blocks(guide, "js");
  const [plan = ""] = blocks(guide, "yaml");
  writeFileSync(join(folder, "agent.mjs"), agent);
  writeFileSync(join(folder, "plan.yaml"), plan);
  const [register = "", goal = "", look = "", again = "", suite = ""] = blocks(guide, "");
  await shell([register], folder);
  const { stdout: reached } = await shell([goal], folder);
  expect(reached).toMatch(/TASK +AGENT +WHY[^]*shout +shouter/);
  expect(reached).toMatch(/✓ completed[^]*"shouted": "GOOD MORNING"[^]*"words": 2/);
  const { stdout: shown } = await shell([look], folder);
  expect(shown).toMatch(/Shout and count "good morning"[^]*count +completed +counter[^]*it was named/);
  const { stdout: rerun } = await shell([again], folder);
  expect(rerun).toMatch(/shout completed: taken over from goal[^]*count → shouter/);
  const { stdout: exported } = await shell([suite], folder);
  expect(exported).toContain("written: regression.yaml");
  expect((await shell(["proctor validate regression.yaml"], folder)).stdout).toContain("regression.yaml");
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
      await shell(
        lines.filter((line) => line.startsWith("proctor agents add")),
        folder,
      );
      const { stdout } = await shell(
        lines.filter((line) => line.startsWith('proctor goal "')),
        folder,
      );
      const id = stdout.trim();
      const approve = async (): Promise<void> => {
        const { stdout: inbox } = await shell(["proctor approvals list"], folder);
        expect(inbox).toContain(id);
      };
      await eventually(approve);
      await shell([`proctor approvals approve ${id}`], folder);
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
      const { stdout } = await shell(
        lines.filter((line) => line.startsWith("proctor agents") || line.startsWith("proctor goal")),
        folder,
      );
      expect(stdout).toMatch(/✓ completed[^]*"shouted": "GOOD MORNING"[^]*"words": 2/);
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
