// JUnit XML, as CI systems read it: a testsuite per suite, failed → failure, unevaluated → error, not run → skipped.
import { caseName } from "../plan.ts";
import type { Plan, PlannedCase } from "../plan.ts";
import type { Reporter, Write } from "../reporter.ts";
import type { AttemptResult, CaseResult } from "../result.ts";
import type { Suite } from "../load.ts";
import { formatSeconds } from "./format-seconds.ts";

interface SuiteLines {
  tests: number;
  failures: number;
  errors: number;
  skipped: number;
  timeMs: number;
  lines: string[];
}

/** Writes once, at the end: the counts stand before the cases. */
export function junitReporter({ write }: { write: Write }): Reporter {
  const suites = new Map<Suite, SuiteLines>();

  function add(planned: PlannedCase, durationMs: number, body: string): SuiteLines {
    const suite = suites.get(planned.suite) ?? emptySuite();
    suites.set(planned.suite, suite);
    const name = attributes({
      classname: planned.suite.name,
      name: caseName(planned),
      file: planned.suite.file,
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
    },
    caseEnded(result) {
      const suite = add(result.case, result.durationMs, resultElement(result));
      if (result.outcome === "fail") suite.failures += 1;
      if (result.outcome === "unevaluated") suite.errors += 1;
    },
    end(summary) {
      for (const planned of summary.notRun) add(planned, 0, `<skipped message="interrupted"/>`).skipped += 1;
      const all = [...suites.values()];
      const totals = counts(sum(all, summary.durationMs));
      write(`<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="proctor"${totals}>\n`);
      for (const [suite, content] of suites) {
        write(`  <testsuite${attributes({ name: suite.name, file: suite.file })}${counts(content)}>\n`);
        for (const line of content.lines) write(`${line}\n`);
        write("  </testsuite>\n");
      }
      write("</testsuites>\n");
    },
  };
}

function resultElement(result: CaseResult): string {
  if (result.outcome === "pass") return "";
  const reasons = result.attempts.flatMap((attempt) => reasonsOf(attempt, result));
  const tag = result.outcome === "fail" ? "failure" : "error";
  const head = attributes({ message: reasons[0] ?? result.outcome, type: result.outcome });
  return `<${tag}${head}>${escapeXml(reasons.join("\n"))}</${tag}>`;
}

function reasonsOf(
  { number, reason, checks }: AttemptResult,
  { case: planned, attempts }: CaseResult,
): string[] {
  const prefix = attempts.length > 1 ? `run ${number}: ` : "";
  const failed = checks.filter(({ verdict }) => verdict.outcome !== "pass");
  return [
    ...(reason === undefined ? [] : [`${prefix}${reason}`]),
    ...failed.map(
      ({ type, verdict, line, col }) =>
        `${prefix}${type}: ${verdict.message} (${planned.suite.file}:${line}:${col})`,
    ),
  ];
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

function attributes(values: Record<string, string>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(value)}"`)
    .join("");
}

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

// What XML 1.0 has no way to write: most control characters, halves of surrogate pairs, U+FFFE and U+FFFF.
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

export function escapeXml(text: string): string {
  return (
    text
      .replace(FORBIDDEN, "\ufffd")
      .replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char)
      // Inside an attribute a parser would turn these into spaces.
      .replace(/[\t\n\r]/g, (char) => `&#${char.charCodeAt(0)};`)
  );
}
