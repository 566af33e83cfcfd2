// Goals with the built program: the guide and the example as they stand, and a hub that is killed again and again while one is carried out.
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import type { Goal, Subtask } from "../../src/core/goal.ts";
import type { Page } from "../../src/core/page.ts";
import { isTerminal, type Run } from "../../src/core/run.ts";
import { eventually, HANG_MS } from "../support/eventually.ts";
import { startHubProcess } from "../support/hub-process.ts";
import { blocks } from "../support/markdown.ts";
import { PROGRAM } from "../support/program.ts";
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
  "a goal survives a hub that is killed five times, and does nothing twice that was finished",
  { timeout: HANG_MS },
  async () => {
    const folder = temporaryFolder("goals-killed");
    writeFileSync(
      join(folder, "agent.mjs"),
      `import { createInterface } from "node:readline";
const { value } = await createInterface({ input: process.stdin })[Symbol.asyncIterator]().next();
const { task_id, task } = JSON.parse(value);
console.log(JSON.stringify({ version: "1.0", task_id, status: "completed", artifacts: [{ type: "structured", name: "output", data: task.input_data }] }));
`,
    );
    let hub = await startHubProcess({ folder });
    try {
      await shell(
        [
          `proctor agents add worker "atp+stdio:node agent.mjs" --capabilities '[{"name": "work", "idempotent": true}]'`,
        ],
        folder,
      );
      const ids = Array.from({ length: 40 }, (_, index) => `t${index}`);
      const tasks = ids.map((id, index) => ({
        id,
        capability: "work",
        input: { id },
        ...(index >= 8 && { dependsOn: [`t${index - 8}`] }),
      }));
      const { id } = await hub.post<Goal>("/goals", { goal: "Survive", concurrency: 4, plan: { tasks } });
      for (let kill = 1; kill <= 5; kill++) {
        await eventually(async () => {
          const { counts, status } = await hub.get<Goal>(`/goals/${id}`);
          expect(counts.completed >= kill * 5 || isTerminal(status)).toBe(true);
        });
        await hub.stop("SIGKILL");
        hub = await startHubProcess({ folder });
      }
      await hub.ended(id);
      expect(await hub.get<Goal>(`/goals/${id}`)).toMatchObject({
        status: "completed",
        counts: { completed: 40 },
      });
      const { items } = await hub.get<{ items: Subtask[] }>(`/goals/${id}/subtasks?limit=100`);
      expect(items.map(({ output_run_id: output }) => output)).not.toContain(null);
      const runs: Run[] = [];
      for (let cursor: string | null = ""; cursor !== null;) {
        const page: Page<Run> = await hub.get(
          `/runs?parent=${id}&limit=100${cursor === "" ? "" : `&cursor=${cursor}`}`,
        );
        runs.push(...page.items);
        cursor = page.next_cursor;
      }
      // What was interrupted was done again, and what was completed was not.
      expect(runs.filter(({ status }) => status === "completed")).toHaveLength(40);
      expect(
        runs.every(({ status, failure }) => status === "completed" || failure?.code === "INTERRUPTED"),
      ).toBe(true);
    } finally {
      await hub.stop();
    }
  },
);
