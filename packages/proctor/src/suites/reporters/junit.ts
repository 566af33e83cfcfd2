// JUnit XML, as CI systems read it: a testsuite per suite, failed → failure, unevaluated → error, not run → skipped. What
// the format has no place for, such as pass rates, stands in the properties of the case.
import { caseName, testTitle } from "../plan.ts";
import type { Plan, PlannedCase } from "../plan.ts";
import type { Reporter, Write } from "../reporter.ts";
import type { CaseResult } from "../result.ts";
import type { Suite } from "../suite.ts";
import { escapeXml, xmlAttributes as attributes } from "../../core/escape-xml.ts";
import { formatSeconds } from "./amounts.ts";
import { reasonsOf, reasonText } from "./reasons.ts";
import { threadToShow, threadWords } from "./thread-words.ts";
import { shorten } from "../../core/shorten.ts";
import { countSources, sourcesText, stoppedText } from "./summary-words.ts";

const LIMITS = { reasons: 20, characters: 4000 };
const THREAD = { lines: 100, characters: 500 };
const NAME_CHARACTERS = 500;
const MAX_RUN_IDS = 20;

interface SuiteLines {
  tests: number;
  failures: number;
  errors: number;
  skipped: number;
  timeMs: number;
  lines: string[];
}

/** Writes once, at the end, because the counts stand before the cases: keeps the text of each case, of limited size. */
export function junitReporter({ write }: { write: Write }): Reporter {
  const suites = new Map<Suite, SuiteLines>();

  /** Tests that belong to no case stand in the suite that would have had them. */
  function skip(plan: Plan): void {
    const [suite] = plan.suites;
    const lines = suite && suites.get(suite);
    if (!lines) return;
    for (const { id, file, reason } of plan.skipped ?? []) {
      const name = attributes({
        classname: short(suite.name),
        name: short(id),
        file: short(file),
        time: "0.000",
      });
      const why = attributes({ message: shorten(reason, LIMITS.characters) });
      lines.tests += 1;
      lines.skipped += 1;
      lines.lines.push(`    <testcase${name}><skipped${why}/></testcase>`);
    }
  }

  function add(planned: PlannedCase, durationMs: number, body: string): SuiteLines {
    const suite = suites.get(planned.suite) ?? emptySuite();
    suites.set(planned.suite, suite);
    const name = attributes({
      classname: short(planned.suite.name),
      name: short(caseName(planned)),
      file: short(planned.test.file),
      line: String(planned.test.line),
      time: formatSeconds(durationMs, 3),
    });
    suite.tests += 1;
    suite.timeMs += durationMs;
    suite.lines.push(body === "" ? `    <testcase${name}/>` : `    <testcase${name}>${body}</testcase>`);
    return suite;
  }

  return {
    start(plan: Plan) {
      for (const suite of plan.suites) suites.set(suite, emptySuite());
      skip(plan);
    },
    caseEnded(result) {
      const body = `${propertiesElement(result)}${resultElement(result)}${threadElement(result)}`;
      const suite = add(result.case, result.durationMs, body);
      if (result.outcome === "fail") suite.failures += 1;
      if (result.outcome === "unevaluated") suite.errors += 1;
    },
    end(summary) {
      const why = attributes({ message: stoppedText(summary) ?? "not run" });
      for (const planned of summary.notRun) add(planned, 0, `<skipped${why}/>`).skipped += 1;
      const all = [...suites.values()];
      const totals = counts(sum(all, summary.durationMs));
      write(`<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="proctor"${totals}>\n`);
      for (const [suite, content] of suites) {
        write(
          `  <testsuite${attributes({ name: short(suite.name), file: short(suite.file) })}${counts(content)}>\n`,
        );
        for (const line of content.lines) write(`${line}\n`);
        write("  </testsuite>\n");
      }
      write("</testsuites>\n");
    },
  };
}

function resultElement(result: CaseResult): string {
  if (result.outcome === "pass") return "";
  const { reasons, leftOut } = reasonsOf(result, LIMITS);
  const said = reasons.map((reason) => {
    const { file, line, col, runId } = reason;
    const run = runId === undefined || reason.ofCase ? "" : `, run ${runId}`;
    return `${reasonText(reason, result)} (${short(file)}:${line}:${col}${run})`;
  });
  const full = reasons.map((reason, index) => [said[index], ...(reason.said ?? [])].join("\n  "));
  if (leftOut > 0) full.push(`and ${leftOut} more`);
  const tag = result.outcome === "fail" ? "failure" : "error";
  const head = attributes({ message: said[0] ?? result.outcome, type: result.outcome });
  return `<${tag}${head}>${escapeXml(full.join("\n"))}</${tag}>`;
}

/** The conversation, as what the test printed. */
function threadElement(result: CaseResult): string {
  const thread = threadToShow(result)?.thread;
  return thread ? `<system-out>${escapeXml(threadWords(thread, THREAD).join("\n"))}</system-out>` : "";
}

/** Returns the properties. A single new run without a score only has its id. */
function propertiesElement({ case: planned, attempts, statistics, gate }: CaseResult): string {
  const { passed, pass_rate: rate, score } = statistics;
  const ids = attempts.flatMap(({ runId }) => (runId === undefined ? [] : [runId]));
  const more = ids.length > MAX_RUN_IDS ? ` and ${ids.length - MAX_RUN_IDS} more` : "";
  const sources = sourcesText(countSources(attempts));
  const several = attempts.length > 1;
  const title = testTitle(planned);
  const values: Record<string, string | undefined> = {
    title: title === undefined ? undefined : short(title),
    runs: several ? `${attempts.length}` : undefined,
    passed: several ? `${passed}` : undefined,
    pass_rate: several && rate !== null ? figure(rate.value) : undefined,
    pass_rate_low: several && rate !== null ? figure(rate.low) : undefined,
    pass_rate_high: several && rate !== null ? figure(rate.high) : undefined,
    score: score === undefined ? undefined : figure(score.mean),
    gate: gate?.decision,
    sources: sources === "" ? undefined : sources,
    run_ids: ids.length === 0 ? undefined : `${ids.slice(0, MAX_RUN_IDS).join(" ")}${more}`,
  };
  const list = Object.entries(values).map(([name, value]) =>
    value === undefined ? "" : `<property${attributes({ name, value })}/>`,
  );
  return list.every((one) => one === "") ? "" : `<properties>${list.join("")}</properties>`;
}

function figure(value: number): string {
  return `${Number(value.toFixed(4))}`;
}

function short(text: string): string {
  return shorten(text, NAME_CHARACTERS);
}

function emptySuite(): SuiteLines {
  return { tests: 0, failures: 0, errors: 0, skipped: 0, timeMs: 0, lines: [] };
}

function sum(all: readonly SuiteLines[], timeMs: number): SuiteLines {
  const total = { ...emptySuite(), timeMs };
  for (const suite of all) {
    for (const key of ["tests", "failures", "errors", "skipped"] as const) total[key] += suite[key];
  }
  return total;
}

function counts({ tests, failures, errors, skipped, timeMs }: SuiteLines): string {
  const time = formatSeconds(timeMs, 3);
  return ` tests="${tests}" failures="${failures}" errors="${errors}" skipped="${skipped}" time="${time}"`;
}
