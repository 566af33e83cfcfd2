// Evaluations as users have them: `proctor test` records what it finds where it runs, whatever becomes of it.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Evaluation, EvaluationCase } from "../../src/core/evaluation.ts";
import type { Page } from "../../src/core/page.ts";
import type { Run } from "../../src/core/run.ts";
import { openSqliteStore } from "../../src/stores/sqlite/open-store.ts";
import { eventually } from "../support/eventually.ts";
import { startHubProcess, type HubProcess } from "../support/hub-process.ts";
import { startProgram } from "../support/program.ts";
import { runCommand } from "../support/run-command.ts";
import { writeAgent } from "../support/sdk-agent.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const root = temporaryFolder("evaluations");

const AGENT = `
  if (task.description === "wait") {
    const { existsSync } = await import("node:fs");
    while (!existsSync(task.env.GO)) await new Promise((resolve) => setTimeout(resolve, 20));
  }
  if (task.description !== "search") return "hello " + task.description;
  const first = await task.tools.call("web_search", { query: "a" });
  const second = await task.tools.call("web_search", { query: "b" });
  return JSON.stringify([first, second]);`;

const suite = (go = "go") => `test_suite: smoke
defaults: { environment: { GO: ${JSON.stringify(go)} } }
agents:
  - { name: it, address: "atp+stdio:node agent.mjs" }
tests:
  - id: good
    name: "A hostile name: </script>\\u001b[31m"
    task: { description: good }
    assertions: [{ type: contains, config: { pattern: hello } }]
  - id: bad
    name: Fails
    task: { description: bad }
    assertions: [{ type: contains, config: { pattern: nothing of the kind } }]
`;

const WAITING = `
  - id: waits
    name: Waits
    task: { description: wait }
    assertions: [{ type: contains, config: { pattern: hello } }]
`;

function folderOf(name: string, content = suite()): string {
  const folder = join(root, name);
  mkdirSync(folder);
  writeAgent(folder, "agent.mjs", AGENT);
  writeFileSync(join(folder, "suite.yaml"), content);
  return folder;
}

interface Shown {
  evaluation: Evaluation;
  cases: EvaluationCase[];
}

async function json<T>(folder: string, args: readonly string[]): Promise<T> {
  const { stdout, stderr, code } = await runCommand([...args, "--json"], { folder });
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as T;
}

/** Without what differs from one invocation to the next. */
function plain(shown: Shown): unknown {
  const text = JSON.stringify(shown, (name, value: unknown) =>
    /_at$|^alive_until$|^id$|_id$|_ms$|^started_by$/.test(name) && name !== "test_id" ? "…" : value,
  );
  return JSON.parse(text) as unknown;
}

let hub: HubProcess;
beforeAll(async () => {
  hub = await startHubProcess({ folder: folderOf("hub") });
});
afterAll(() => hub?.stop());

describe("an evaluation", () => {
  it("is the same in this process and through a hub, and changes no exit code", async () => {
    const local = folderOf("local");
    const remote = folderOf("remote");
    const here = await runCommand(["test", "suite.yaml"], { folder: local });
    const there = await runCommand(["test", "suite.yaml", "--hub", hub.url], { folder: remote });
    expect([here.code, there.code, here.stderr, there.stderr]).toEqual([1, 1, "", ""]);
    const [first, second] = [
      await json<Shown>(local, ["evaluations", "show", "last"]),
      await json<Shown>(remote, ["evaluations", "show", "last", "--hub", hub.url]),
    ];
    expect(first.evaluation).toMatchObject({
      name: "smoke",
      status: "completed",
      exit_code: 1,
      agents: ["it"],
      planned: { cases: 2, runs: 2 },
      totals: { cases: 2, passed: 1, failed: 1, runs: 2 },
    });
    expect(first.cases.map(({ test_id, verdict }) => [test_id, verdict])).toEqual([
      ["bad", "fail"],
      ["good", "pass"],
    ]);
    expect(plain(second)).toEqual(plain(first));

    const { id } = second.evaluation;
    const { items } = await hub.get<Page<Run>>(`/runs?evaluation=${id}`);
    const ran = second.cases.flatMap(({ run_results }) => run_results.map(({ run_id }) => run_id));
    expect(new Set(items.map((run) => run.id))).toEqual(new Set(ran));
    expect(items[0]?.metadata).toMatchObject({ evaluation_id: id, suite: "smoke" });
    expect(new Set(items.map(({ metadata }) => metadata?.["case_id"]))).toEqual(
      new Set(second.cases.map((one) => one.id)),
    );
    const summary = await hub.get<object>("/runs/summary");
    expect(summary).toMatchObject({ evaluations: { evaluations: 1, passed: 1, pass_rate: 0.5 } });

    const listed = await runCommand(["evaluations", "list"], { folder: local });
    expect(listed.stdout).toMatch(/completed +smoke +it +1\/2 +1 /);
    const shown = await runCommand(["evaluations", "show", "last"], { folder: local });
    expect(shown.stdout).toContain("nothing of the kind");
    expect(shown.stdout).not.toContain("\u001b[31m");
  });

  it("is compared, exported as a baseline, and removed with its runs", async () => {
    const folder = folderOf("compared");
    const without = await runCommand(["test", "suite.yaml", "--no-record"], { folder });
    expect(without.code).toBe(1);
    expect((await json<Page<Evaluation>>(folder, ["evaluations", "list"])).items).toEqual([]);
    await runCommand(["test", "suite.yaml"], { folder });
    const { items } = await json<Page<Evaluation>>(folder, ["evaluations", "list"]);
    const id = items[0]?.id ?? "";
    const exported = await runCommand(
      ["evaluations", "export", id.slice(0, 13), "--format", "baseline", "-o", "b.json"],
      { folder },
    );
    expect(exported.code).toBe(0);
    const again = await runCommand(["test", "suite.yaml", "--baseline", "b.json"], { folder });
    expect(again.code).toBe(1);
    const { evaluation, cases } = await json<Shown>(folder, ["evaluations", "show", "last"]);
    expect(evaluation.comparison).toMatchObject({ regression: false, changes: { unchanged: 2 } });
    expect(cases[0]).toMatchObject({ change: "unchanged", comparison: { before: { outcome: "fail" } } });
    const compared = await runCommand(["evaluations", "compare", id, "last"], { folder });
    expect([compared.code, compared.stdout.includes("unchanged")]).toEqual([0, true]);
    const removed = await runCommand(["evaluations", "remove", "last", "--runs"], { folder });
    expect(removed.code).toBe(0);
    // Those of the first one, and those that nobody recorded.
    expect((await json<Page<Run>>(folder, ["runs", "list", "--evaluation", id])).items).toHaveLength(2);
    expect((await json<Page<Run>>(folder, ["runs", "list"])).items).toHaveLength(4);
    const nothing = await runCommand(["evaluations", "show", "zzz"], { folder });
    expect([nothing.code, nothing.stderr]).toEqual([2, expect.stringContaining('no evaluation "zzz"')]);
  });

  it("outlives a client that was killed, and is continued by the one that resumes", async () => {
    const go = join(root, "killed.go");
    const folder = folderOf("killed", suite(go) + WAITING);
    const client = startProgram(["test", "suite.yaml"], { folder });
    const file = join(folder, ".proctor/proctor.db");
    const read = async (now: number) => {
      const store = await openSqliteStore({ file, readOnly: true });
      try {
        const [evaluation] = (await store.evaluations.list({ now })).items;
        return evaluation;
      } finally {
        await store.close();
      }
    };
    await eventually(async () => {
      expect(await read(Date.now())).toMatchObject({ status: "running", totals: { cases: 2 } });
    });
    client.child.kill("SIGKILL");
    await client.ended;
    const killed = await read(Date.now() + 60_000);
    expect(killed).toMatchObject({ status: "interrupted", ended_at: null, exit_code: null });

    writeFileSync(go, "");
    const resumed = await runCommand(["test", "suite.yaml", "--resume"], { folder });
    expect([resumed.code, resumed.stderr]).toEqual([1, ""]);
    const { items } = await json<Page<Evaluation>>(folder, ["evaluations", "list"]);
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({
      id: killed?.id,
      status: "completed",
      resumed: 1,
      totals: { cases: 3, passed: 2, failed: 1 },
    });
  });
});

describe("a suite that is made of a run", () => {
  it("validates, and passes with the same agent, whose tools answer as they did", async () => {
    const tools = `
tests:
  - id: searches
    name: Searches
    tools:
      tools:
        - name: web_search
          responses: [{ when: { type: contains, field: query, pattern: a }, then: { output: [1, "\${NOT_A_VARIABLE:x}"] } }]
          default: { output: other }
    task: { description: search, input_data: { depth: 2 } }
`;
    const folder = folderOf(
      "exported",
      suite().replace(/tests:[\s\S]*/, "") + tools.replace("${NOT", "$${NOT"),
    );
    expect(await runCommand(["test", "suite.yaml"], { folder })).toMatchObject({ code: 0 });
    const exported = await runCommand(["runs", "export", "last", "-o", "made.yaml"], { folder });
    expect([exported.code, exported.stderr]).toEqual([0, ""]);
    const made = readFileSync(join(folder, "made.yaml"), "utf8");
    expect(made).toMatch(/web_search/);
    expect(made).toMatch(/input_data:\s+depth: 2/);
    expect(await runCommand(["validate", "made.yaml"], { folder })).toMatchObject({ code: 0 });
    const again = await runCommand(["test", "made.yaml"], { folder });
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("1 passed")]);
    writeFileSync(join(folder, "other.yaml"), made.replace("other", "something else"));
    expect(await runCommand(["test", "other.yaml"], { folder })).toMatchObject({ code: 1 });
    const two = await runCommand(["runs", "export", "last", "last"], { folder });
    expect([two.code, two.stderr]).toEqual([2, expect.stringContaining("a suite is made of one run")]);
  });
});
