import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createJournalFile, latestJournal } from "../journal/journal-files.ts";
import { journalReporter } from "../journal/journal.ts";
import { openJournal } from "../journal/read-journal.ts";
import { createPlan, type Plan } from "../plan.ts";
import type { Reporter } from "../reporter.ts";
import type { Suite, SuiteTest } from "../suite.ts";
import { keyCases } from "./case-key.ts";
import { asHub, hubDouble, type HubDouble } from "../../../test/support/run/hub-double.ts";
import { recallCached, rescoreFrom, resumeFrom } from "./recall.ts";
import { recordingFile, replayFrom } from "./recording-files.ts";
import { check, one, play, report, suite } from "../../../test/support/run/suite.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "proctor-recall-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const keyed = (tests: SuiteTest[], change: (suite: Suite) => Suite = (same) => same): Promise<Plan> =>
  keyCases(createPlan([change(suite(...tests))]), (name) => Promise.resolve(name));

const well = (): HubDouble =>
  hubDouble(() => ({ artifacts: [report("1", "all is well")], metrics: { cost_usd: 1 } }));
const contains = (pattern: string) => check("contains", { pattern });

/** Runs a plan and leaves its journal behind. */
async function journaled(
  plan: Plan,
  hub: HubDouble,
  options: Parameters<typeof play>[2] = {},
): Promise<string> {
  const journal = createJournalFile(folder, new Date(), "abcdef");
  const reporter = journalReporter({ write: journal.write, now: "2026-01-01T00:00:00.000Z" });
  await play(plan, hub, { ...options, reporters: [reporter, ...(options.reporters ?? [])] });
  journal.close();
  return journal.file;
}

test.skipIf(process.platform !== "linux")(
  "a journal whose runs are read at the same time is opened once, and closed",
  async () => {
    const plan = await keyed([one("a", { runs: 3 })]);
    const file = await journaled(plan, well());
    const opened = await openJournal(file);
    const runs = [1, 2, 3].map((number) => opened.find(plan.cases[0]!, number)!);
    await Promise.all(runs.map((run) => opened.read(run)));
    expect(descriptorsOf(file)).toBe(1);
    await opened.close();
    expect(descriptorsOf(file)).toBe(0);
  },
);

/** How often this process has the file open. */
function descriptorsOf(file: string): number {
  const links = readdirSync("/proc/self/fd").map((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`);
    } catch {
      return "";
    }
  });
  return links.filter((link) => link === file).length;
}

describe("a suite that goes on", () => {
  test("makes only the runs that are missing, and says which are old", async () => {
    const first = await keyed([one("a", { runs: 2 }), one("b")]);
    const stop = new AbortController();
    const hub = well();
    let ended = 0;
    const stopper: Reporter = {
      start: () => undefined,
      attemptEnded: () => void (++ended === 2 && stop.abort()),
      caseEnded: () => undefined,
      end: () => undefined,
    };
    const journal = createJournalFile(folder, new Date(), "abcdef");
    const reporter = journalReporter({ write: journal.write, now: "2026-01-01T00:00:00.000Z" });
    await play(first, hub, { concurrency: 1, reporters: [reporter, stopper] }, stop.signal);
    journal.close();

    const opened = await openJournal(journal.file);
    const again = well();
    const { attempts, summary } = await play(first, again, { recall: resumeFrom(opened), concurrency: 1 });
    await opened.close();

    expect(again.requests).toHaveLength(1);
    expect(attempts.map(({ source }) => source)).toEqual(["resumed", "resumed", "run"]);
    expect(attempts[0]).toMatchObject({
      number: 1,
      outcome: "pass",
      runId: "run-0",
      metrics: { cost_usd: 1 },
    });
    expect(summary).toMatchObject({ passed: 2, runs: { total: 3, resumed: 2, cost_usd: 1 } });
  });

  test.each<[string, SuiteTest, (suite: Suite) => Suite]>([
    ["the task", one("a", { task: { description: "other" }, checks: [contains("well")] }), (same) => same],
    ["a check", one("a", { checks: [contains("all")] }), (same) => same],
    ["the weight of a check", one("a", { checks: [{ ...contains("well"), weight: 2 }] }), (same) => same],
    ["a constraint", one("a", { checks: [contains("well")], constraints: { max_steps: 3 } }), (same) => same],
    ["a variable", one("a", { checks: [contains("well")], environment: { A: "2" } }), (same) => same],
    [
      "the agent",
      one("a", { checks: [contains("well")] }),
      (given) => ({ ...given, agents: [{ ...given.agents[0]!, command: ["y"] }] }),
    ],
  ])("runs a case again when %s has changed", async (_, changed, change) => {
    const before = one("a", { checks: [contains("well")] });
    const opened = await openJournal(await journaled(await keyed([before]), well()));
    const same = well();
    await play(await keyed([before]), same, { recall: resumeFrom(opened) });
    const other = well();
    await play(await keyed([changed], change), other, { recall: resumeFrom(opened) });
    await opened.close();

    expect([same.requests.length, other.requests.length]).toEqual([0, 1]);
  });

  test("runs a case again when the agent's program has changed", async () => {
    const program = join(folder, "agent.mjs");
    writeFileSync(program, "one");
    const own = (given: Suite): Suite => ({
      ...given,
      agents: [{ ...given.agents[0]!, command: ["node", "agent.mjs"], cwd: folder }],
    });
    const [before] = (await keyed([one("a")], own)).cases;
    writeFileSync(program, "two");
    const [after] = (await keyed([one("a")], own)).cases;

    expect(after?.key?.task).toBe(before?.key?.task);
    expect(after?.key?.run).not.toBe(before?.key?.run);
  });

  test("ignores a line that a crash has cut off, and refuses what is no journal", async () => {
    const plan = await keyed([one("a")]);
    const file = await journaled(plan, well());
    appendFileSync(file, '{"type":"run","key":"ab');
    const opened = await openJournal(file);
    expect(opened.find(plan.cases[0]!, 1)).toMatchObject({ runId: "run-0" });
    await opened.close();

    writeFileSync(file, "hello\n");
    await expect(openJournal(file)).rejects.toThrow(/line 1 is no JSON object/);
    writeFileSync(file, '{"type":"other"}\n');
    await expect(openJournal(file)).rejects.toThrow(/does not begin like results/);
    writeFileSync(file, "");
    await expect(openJournal(file)).rejects.toThrow(/it is empty/);
    await expect(openJournal(join(folder, "none"))).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
  });
});

describe("rescored runs", () => {
  test("get new verdicts from changed checks without calling the agent", async () => {
    const hub = well();
    const file = await journaled(await keyed([one("a", { checks: [contains("missing")] })]), hub);
    const opened = await openJournal(file);
    const calls = hub.requests.length;
    const { results, summary } = await play(await keyed([one("a", { checks: [contains("well")] })]), hub, {
      recall: rescoreFrom(opened),
    });
    await opened.close();

    expect(hub.requests).toHaveLength(calls);
    expect(results[0]).toMatchObject({ outcome: "pass", attempts: [{ source: "rescored", runId: "run-0" }] });
    expect(summary.runs).toMatchObject({ rescored: 1, cost_usd: 0 });
  });

  test("must exist and belong to the same task", async () => {
    const hub = well();
    const opened = await openJournal(await journaled(await keyed([one("a")]), hub));
    const plan = await keyed([one("a", { task: { description: "other" } }), one("new")]);
    const { results } = await play(plan, hub, { recall: rescoreFrom(opened) });
    await opened.close();

    expect(results.map(({ outcome, attempts }) => [outcome, attempts[0]?.reason])).toEqual([
      ["unevaluated", "its task has changed since: run it again"],
      ["unevaluated", "there is no run of it to judge again"],
    ]);
  });
});

describe("the cache of runs", () => {
  test("gives runs of the same content, run by run, and judges them by the checks of now", async () => {
    const hub = well();
    await play(await keyed([one("a", { runs: 2 })]), hub);
    const again = one("a", { runs: 3, checks: [contains("missing")] });
    const { attempts } = await play(await keyed([again]), hub, {
      recall: recallCached(asHub(hub)),
      concurrency: 1,
    });

    expect(hub.requests).toHaveLength(3);
    expect(attempts.map(({ source, outcome }) => [source, outcome])).toEqual([
      ["cached", "fail"],
      ["cached", "fail"],
      ["run", "fail"],
    ]);
  });

  test("has nothing of runs that failed, nor where checks need the workspace", async () => {
    const failing = hubDouble(() => ({ status: "failed", failure: { code: "X", message: "" } }));
    const plan = await keyed([one("a")]);
    await play(plan, failing);
    await play(plan, failing, { recall: recallCached(asHub(failing)) });
    expect(failing.requests).toHaveLength(2);

    const hub = well();
    const looking = await keyed([one("a", { checks: [{ ...contains("well"), needsWorkspace: true }] })]);
    await play(looking, hub);
    await play(looking, hub, { recall: recallCached(asHub(hub)) });
    expect(hub.requests).toHaveLength(2);
    expect(hub.requests[0]?.options?.workspace).toEqual({ hold: true });
  });
});

describe("recordings", () => {
  test("play the agent, each for its own run", async () => {
    const plan = await keyed([one("a/../b", { runs: 2 })]);
    const [planned] = plan.cases;
    const file = recordingFile(folder, planned!, 1);
    expect(file.startsWith(folder)).toBe(true);
    const written = createFile(file, JSON.stringify({ key: planned?.key?.task }));
    const hub = well();
    const { attempts } = await play(plan, hub, { recall: replayFrom(folder), concurrency: 1 });

    expect(hub.requests.map(({ agent }) => agent)).toEqual([
      { protocol: "replay", transport: "file", url: `file:${written}` },
    ]);
    expect(attempts.map(({ source, outcome }) => [source, outcome])).toEqual([
      ["replayed", "pass"],
      ["replayed", "unevaluated"],
    ]);
    expect(attempts[1]?.reason).toMatch(/^there is no recording /);
  });

  test("of another task are not played", async () => {
    const plan = await keyed([one("a")]);
    createFile(recordingFile(folder, plan.cases[0]!, 1), '{"key":"other"}');
    const { attempts } = await play(plan, well(), { recall: replayFrom(folder) });

    expect(attempts[0]?.reason).toMatch(/its task has changed since it was recorded/);
  });
});

test("the newest fifty journals are kept", () => {
  const name = (index: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, index));
  const files = Array.from({ length: 53 }, (_, index) => {
    const journal = createJournalFile(folder, name(index), "abcdef");
    journal.close();
    return journal.file;
  });

  expect(latestJournal(folder)).toBe(files.at(-1));
  expect(files.map((file) => existsSync(file)).lastIndexOf(false)).toBe(2);
  expect(readFileSync(files.at(-1)!, "utf8")).toBe("");
});

function createFile(file: string, text: string): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${text}\n`);
  return file;
}
