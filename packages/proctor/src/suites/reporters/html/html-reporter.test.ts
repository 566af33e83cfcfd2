import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { Script } from "node:vm";
import { MessageList } from "../../../server/schemas/message.ts";
import { RunDocument } from "../../../server/schemas/run.ts";
import {
  ComparisonDocument,
  EvaluationCaseList,
  EvaluationDocument,
} from "../../../server/schemas/evaluation.ts";
import { threadCpuMs } from "../../../runtime/thread-cpu.ts";
import type { CaseResult } from "../../result.ts";
import { wilson } from "../../statistics/wilson.ts";
import { HOSTILE, LONG } from "../../../../test/support/reporters/results.ts";
import { MAX_CASE_CHARACTERS, packCase } from "./pack-case.ts";
import {
  caseResult,
  check,
  played,
  report,
  summaryOf,
  testOf,
  type Played,
} from "../../../../test/support/reporters/html-report.ts";
import { htmlReporter } from "./html-reporter.ts";
import { readPageFiles } from "./page-files.ts";
import type { PackedCase, PackedComparison, ReportHead } from "./report-documents.ts";

const folder = mkdtempSync(join(tmpdir(), "proctor-html-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Of a report with one chunk, without its style and its script. */
const MARKUP = [
  ..."<!doctype <html <head <meta <meta <meta <meta <meta <title </title <link </head".split(" "),
  ..."<body <div </div <noscript <p </p </noscript <script </script <script </script </body </html".split(
    " ",
  ),
];

/** What would parse markup, run text as code, or reach somebody. */
const FORBIDDEN =
  /insertAdjacent|document\.write|DOMParser|\beval\(|\bfetch\(|XMLHttp|new (?:WebSocket|EventSource)|sendBeacon|\bimport\(/g;

function headOf(html: string): ReportHead {
  const json = /<script type="application\/json" id="report">([^<]*)<\/script>/.exec(html)?.[1] ?? "";
  return JSON.parse(json) as ReportHead;
}

function chunksOf(html: string): unknown[][] {
  return [...html.matchAll(/<script type="text\/plain" id="chunk-(\d+)">([\w+/=]*)<\/script>/g)].map(
    ([, , base64 = ""]) => JSON.parse(gunzipSync(Buffer.from(base64, "base64")).toString()) as unknown[],
  );
}

/** One case with these words in every place that others fill. */
function saying(text: string): Played {
  const test = { ...testOf(text, text, text), description: text, tags: [text] };
  const suite = { file: text, name: text, agents: [], tests: [test] };
  const planned = {
    suite,
    test,
    agent: { label: text, target: text },
    constraints: {},
    options: {},
    runs: 1,
  };
  const checks = [check(text, "fail", text, test, { expected: text, actual: `${text}!`, [text]: text })];
  const evidence = {
    events: [{ sequence: 0, type: text, at_ms: 0, payload: { [text]: text, message: text } }],
    events_left_out: 0,
    artifacts: [{ name: text, type: "file" as const, content_type: text, content_hash: text, text }],
    artifacts_left_out: 0,
  };
  const failure = { code: text, message: text };
  const result = caseResult(planned, [
    {
      number: 1,
      outcome: "fail",
      source: "run",
      runId: text,
      reason: text,
      failure,
      checks,
      metrics: {},
      evidence,
      durationMs: 5,
    },
  ]);
  return { plan: { suites: [suite], cases: [planned] }, results: [result], summary: summaryOf([result]) };
}

describe("the HTML report", () => {
  it("has a row for each case in the order of the plan, and its details where the row says", () => {
    const input = played({ tests: 30, agents: ["a", "b"], runs: 2, events: 60 });
    const html = report({ ...input, results: [...input.results].reverse() });
    const { rows, agents, suites } = headOf(html);
    const chunks = chunksOf(html);
    expect(chunks.length).toBeGreaterThan(1);
    expect(rows.map(({ id, agent }) => [id, agents[agent]])).toEqual(
      input.plan.cases.map(({ test, agent }) => [test.id, agent.label]),
    );
    expect(suites.sort()).toEqual(["billing", "support desk"]);
    for (const [at, { place }] of rows.entries()) {
      const detail = chunks[place?.[0] ?? -1]?.[place?.[1] ?? -1] as PackedCase;
      const { case: planned, attempts } = input.results[at] as CaseResult;
      expect([detail.case.file, detail.case.line]).toEqual([planned.test.file, planned.test.line]);
      const ids = attempts.map(({ runId }) => runId);
      expect(detail.case.run_results.map(({ run_id }) => run_id)).toEqual(ids);
      expect(detail.runs.map(({ run }) => run.id)).toEqual(ids);
      expect(detail.runs[0]?.events?.type).toHaveLength(60);
    }
  });

  it("says what was not run, why it stopped, and what comes from before", () => {
    const { plan, results } = played({ tests: 4 });
    const short = {
      ...summaryOf(results.slice(0, 3)),
      notRun: plan.cases.slice(3),
      stopped: "max-cost" as const,
    };
    const { rows, evaluation, more } = headOf(
      report({ plan, results: results.slice(0, 3), summary: { ...short, total: 4 } }),
    );
    expect(rows.map(({ outcome }) => outcome).at(-1)).toBe("not_run");
    expect([evaluation.stopped, more.not_run, evaluation.planned.cases]).toEqual(["max-cost", 1, 4]);
    const { total, passed, failed, cached, cost_usd, total_tokens } = short.runs;
    expect(evaluation.totals).toMatchObject({ cases: 3, runs: total, cost_usd, total_tokens });
    expect(more.sources).toEqual({ resumed: 0, cached, rescored: 0, replayed: 0 });
    expect(more.pass_rate).toMatchObject({
      value: passed / (passed + failed),
      ...wilson(passed, passed + failed),
    });
  });

  it("ties a comparison to its rows, also where the plan has holes", () => {
    const { plan, results } = played({ tests: 12 });
    const kept = results.slice(2);
    const html = report({ plan, results: kept, summary: summaryOf(kept, [], true) });
    const { rows, comparison } = headOf(html);
    const [chunk = 0, index = 0] = comparison ?? [];
    const { cases: compared } = (chunksOf(html)[chunk] ?? [])[index] as PackedComparison;
    expect(compared.map(({ row, test_id }) => rows[row ?? -1]?.id === test_id)).toEqual(
      compared.map(() => true),
    );
    expect(rows.map(({ change }) => change)).toEqual(compared.map(({ change }) => change));
  });

  it.each([...HOSTILE, LONG].map((text) => [JSON.stringify(text.slice(0, 30)), text]))(
    "keeps %s a text",
    (_, text) => {
      const html = report(saying(text));
      // Nothing but what the reporter itself writes is markup; the rest has no "<" at all.
      const marks = html.replace(/<style>[^]*?<\/style>/, "").replace(/<script>[^]*<\/script>/, "");
      expect(marks.match(/<[^>]*>/g)?.map((mark) => /^<[!/]?[a-z]+/.exec(mark)?.[0])).toEqual(MARKUP);
      expect(headOf(html).rows).toHaveLength(1);
      const [detail] = (chunksOf(html)[0] ?? []) as PackedCase[];
      if (text !== LONG)
        expect(detail?.case.run_results[0]?.reason).toBe(text.toWellFormed().replaceAll("\0", "\uFFFD"));
      expect(html.length).toBeLessThan(2_000_000);
    },
  );

  it("cuts a case that no report can hold, and says so", () => {
    const { results } = saying("x");
    const result = results[0] as CaseResult;
    const big = Array.from({ length: 500 }, (_, at) => ({
      sequence: at,
      type: "log",
      at_ms: at,
      payload: { text: "y".repeat(60_000) },
    }));
    const evidence = { events: big, events_left_out: 0, artifacts: [], artifacts_left_out: 0 };
    const text = packCase({ ...result, attempts: result.attempts.map((one) => ({ ...one, evidence })) }, 0);
    expect(text.length).toBeLessThanOrEqual(MAX_CASE_CHARACTERS);
    const detail = JSON.parse(text) as PackedCase;
    expect(detail.cut).toBe(true);
    expect(detail.runs[0]?.events?.type).toHaveLength(500);
  });

  it("survives figures that are none, nothing at all, and a plan of its own", () => {
    const { plan, results } = saying("x");
    const odd = results.map((one) => ({
      ...one,
      attempts: one.attempts.map((run) => ({
        ...run,
        metrics: { total_tokens: "many" as never, cost_usd: Number.NaN },
      })),
    }));
    expect(headOf(report({ plan, results: odd, summary: summaryOf(odd) })).rows[0]?.values).toEqual({
      latency: [5],
    });
    const nothing = { plan: { suites: [], cases: [] }, results: [], summary: summaryOf([]) };
    expect(headOf(report(nothing))).toMatchObject({ rows: [], more: { pass_rate: null } });
    expect(headOf(report({ ...nothing, results })).rows).toHaveLength(1);
  });

  it("has documents in the shapes of the public API", () => {
    const input = played({ tests: 12, agents: ["a", "b"], runs: 3, compared: true });
    const html = report(input);
    const { evaluation, rows, comparison } = headOf(html);
    const chunks = chunksOf(html);
    const at = ([chunk, index]: [number, number]): unknown => chunks[chunk]?.[index];
    // What only a report says stands in fields of its own.
    const bare = (document: unknown): unknown =>
      JSON.parse(JSON.stringify(document), (key, value: unknown) =>
        ["more", "row"].includes(key) ? undefined : value,
      );
    EvaluationDocument.parse(evaluation);
    ComparisonDocument.parse(bare(at(comparison ?? [-1, -1])));
    for (const { place, case: id } of rows) {
      const { case: packed, runs } = at(place ?? [-1, -1]) as PackedCase;
      const own = { id, evaluation_id: "report", settled_at: "", change: null, comparison: null };
      EvaluationCaseList.parse(bare({ items: [{ ...packed, ...own }], next_cursor: null }));
      for (const { run, messages } of runs) {
        RunDocument.parse(run);
        MessageList.parse({ items: messages, next_cursor: null });
      }
    }
  });

  it("tells cases of suites with the same name apart", () => {
    const { plan, results } = played({ tests: 4 });
    const twice = [...results, ...results.map((one) => ({ ...one, case: { ...one.case } }))];
    const cases = twice.map((one) => one.case);
    const { rows } = headOf(report({ plan: { ...plan, cases }, results: twice, summary: summaryOf(twice) }));
    expect(new Set(rows.map((row) => row.case)).size).toBe(8);
  });

  it("says what to build when there is no page to write into", () => {
    expect(() => readPageFiles("file:///nowhere/a/b/c/d/page-files.ts")).toThrow(
      /page of the HTML report is not in .*\n.*build-report\.ts/,
    );
  });

  it("has a page that parses no HTML and asks for nothing", () => {
    const { script, style } = readPageFiles();
    expect(() => new Script(script)).not.toThrow();
    // Matches, not the whole text, so that a failure can be read.
    expect(script.match(/<\/script|<!--/gi) ?? []).toEqual([]);
    expect(style.match(/<\/style|@import|url\(/gi) ?? []).toEqual([]);
    expect(script.match(FORBIDDEN) ?? []).toEqual([]);
  });

  it("leaves no temporary file behind, whether it ends or not", () => {
    const { plan, results, summary } = played({ tests: 60, events: 40 });
    const reporter = htmlReporter({ write: () => {}, temporaryFolder: folder });
    reporter.start(plan);
    for (const result of results) {
      reporter.caseEnded(result);
      expect(readdirSync(folder)).toEqual([]);
    }
    reporter.end(summary);
    const failing = htmlReporter({
      temporaryFolder: folder,
      write: () => {
        throw new Error("full");
      },
    });
    failing.start(plan);
    for (const result of results) failing.caseEnded(result);
    expect(() => failing.end(summary)).toThrow("full");
    expect(readdirSync(folder)).toEqual([]);
  });

  it("says what to do when it has no room for its temporary file", () => {
    const file = join(folder, "taken");
    writeFileSync(file, "");
    const { plan, results } = played({ tests: 60, events: 40 });
    const reporter = htmlReporter({ write: () => {}, temporaryFolder: file });
    reporter.start(plan);
    expect(() => results.forEach((result) => reporter.caseEnded(result))).toThrow(
      /temporary file in .*\n.*TMPDIR/,
    );
    rmSync(file);
  });

  it("writes 3,000 runs with 50 events each within 5 MB, and keeps only rows in memory", () => {
    const input = played({ tests: 1000, runs: 3, events: 50 });
    let size = 0;
    let largest = 0;
    const reporter = htmlReporter({
      write: (text) => {
        size += Buffer.byteLength(text);
        largest = Math.max(largest, text.length);
      },
    });
    const startedMs = threadCpuMs();
    reporter.start(input.plan);
    for (const result of input.results) reporter.caseEnded(result);
    reporter.end(input.summary);
    expect(threadCpuMs() - startedMs).toBeLessThan(30_000);
    expect(size).toBeLessThan(4.5e6);
    expect(largest).toBeLessThan(400_000);
  });
});
