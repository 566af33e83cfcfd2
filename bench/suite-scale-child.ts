// One half of suite-scale.ts: runs the large suite on a hub in this process whose agent answers at once, or judges its runs anew.
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { AgentDriver } from "../packages/proctor/src/core/ports/driver.ts";
import { createJournalFile, latestJournal } from "../packages/proctor/src/suites/journal/journal-files.ts";
import { journalReporter } from "../packages/proctor/src/suites/journal/journal.ts";
import { openJournal } from "../packages/proctor/src/suites/journal/read-journal.ts";
import { createPlan } from "../packages/proctor/src/suites/plan.ts";
import { jsonlReporter } from "../packages/proctor/src/suites/reporters/jsonl.ts";
import { keyCases } from "../packages/proctor/src/suites/run/case-key.ts";
import { rescoreFrom } from "../packages/proctor/src/suites/run/recall.ts";
import { runSuite, type RunSuiteOptions } from "../packages/proctor/src/suites/run/run-suite.ts";
import { check, one, suite } from "../packages/proctor/src/suites/run/suite.case.ts";
import { openTestHub } from "../packages/proctor/test/support/test-hub.ts";

const CASES = 10_000;
const RUNS = 10;
const CONCURRENCY = 50;

const [folder = "", part = "run"] = process.argv.slice(2);
const checks = [
  check("contains", { pattern: "done" }),
  check("no_errors"),
  check("max_latency", { seconds: 60 }),
  check("regex", { pattern: "d.ne" }),
];
const tests = Array.from({ length: CASES }, (_, index) => one(`case-${index}`, { runs: RUNS, checks }));
const plan = await keyCases(createPlan([suite(...tests)]), (name) => Promise.resolve(name));

const driver: AgentDriver = {
  open: () => ({
    // oxlint-disable-next-line require-await -- a stream is asynchronous by contract
    async *[Symbol.asyncIterator]() {
      yield { kind: "event", event: { type: "progress", payload: { message: "working" } } };
      yield { kind: "artifact", artifact: { type: "structured", name: "result", data: { output: "done" } } };
      yield { kind: "end", end: { status: "completed", metrics: { total_steps: 1, total_tokens: 10 } } };
    },
  }),
};
const hub = await openTestHub({ folder, driver, concurrency: CONCURRENCY, agentConcurrency: CONCURRENCY });
const report = openSync(join(folder, `${part}.jsonl`), "w");
const options: RunSuiteOptions = {
  services: { runCommand: () => Promise.reject(new Error("no check here runs a command")) },
  openWorkspace: () => Promise.resolve(undefined),
  concurrency: CONCURRENCY,
  reporters: [jsonlReporter({ write: (text) => void writeSync(report, text) })],
};
const startedAt = performance.now();
const summary = await (part === "run" ? run() : rescore());
const perSecond = (CASES * RUNS) / ((performance.now() - startedAt) / 1000);
closeSync(report);
await hub.close();
if (summary.passed !== CASES) throw new Error(`only ${summary.passed} of ${CASES} cases passed`);
const peakMb = process.resourceUsage().maxRSS / 1024;
console.log(
  JSON.stringify({ peakMb, rescorePeakMb: peakMb, runsPerSecond: perSecond, rescoredPerSecond: perSecond }),
);

async function run(): ReturnType<typeof runSuite> {
  const journal = createJournalFile(folder, new Date(), "abcdef");
  const reporter = journalReporter({ write: journal.write, now: new Date().toISOString() });
  const ended = await runSuite(plan, hub.hub, {
    ...options,
    reporters: [reporter, ...(options.reporters ?? [])],
  });
  journal.close();
  return ended;
}

async function rescore(): ReturnType<typeof runSuite> {
  const journal = await openJournal(latestJournal(folder) ?? "");
  const ended = await runSuite(plan, hub.hub, { ...options, recall: rescoreFrom(journal) });
  await journal.close();
  return ended;
}
