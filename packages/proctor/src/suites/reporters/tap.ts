// TAP 14, the Test Anything Protocol: the plan first, a test point per case as it ends, YAML under those that did not pass.
// Unevaluated is `not ok` without a directive: harnesses must not count a failing TODO or SKIP as a failure, and what could
// not be evaluated is never a pass.
import { caseName } from "../plan.ts";
import type { PlannedCase } from "../plan.ts";
import { printable } from "../printable.ts";
import type { Reporter, Write } from "../reporter.ts";
import type { CaseResult } from "../result.ts";
import { reasonsOf } from "./reasons.ts";
import { shorten } from "./shorten.ts";

const LIMITS = { reasons: 20, characters: 4000 };
const NAME_CHARACTERS = 500;
/** More than a reason has. */
const QUOTED_CHARACTERS = 8000;

export function tapReporter({ write }: { write: Write }): Reporter {
  let ended = 0;
  return {
    start({ cases }) {
      write(`TAP version 14\n1..${cases.length}\n`);
    },
    caseEnded(result) {
      ended += 1;
      const passed = result.outcome === "pass";
      const point = `${passed ? "ok" : "not ok"} ${ended} - ${description(result.case)}\n`;
      write(passed ? point : `${point}${diagnostics(result)}`);
    },
    end({ notRun, interrupted }) {
      // The plan is not kept then, which is a failure to every harness; this says why.
      if (interrupted || notRun.length > 0) write(`Bail out! interrupted, ${notRun.length} not run\n`);
    },
  };
}

function description(planned: PlannedCase): string {
  const name = shorten(`${planned.suite.name}: ${caseName(planned)}`, NAME_CHARACTERS);
  // "Escaping": only these two.
  return visible(name.toWellFormed())
    .replaceAll(/[\n\t]+/g, " ")
    .replaceAll(/[\\#]/g, String.raw`\$&`);
}

/** "YAML Diagnostics": indented by two, between `---` and `...`. */
function diagnostics(result: CaseResult): string {
  const { suite, test, agent } = result.case;
  const { reasons, leftOut } = reasonsOf(result, LIMITS);
  const lines = [
    "---",
    `severity: ${result.outcome}`,
    `suite: ${quote(suite.name)}`,
    `test_id: ${quote(test.id)}`,
    `agent: ${quote(agent.label)}`,
    `file: ${quote(suite.file)}`,
    `line: ${test.line}`,
    `duration_ms: ${result.durationMs}`,
    `runs: ${result.attempts.length}`,
    "reasons:",
    ...reasons.flatMap(({ outcome, message, line, col, runs, runId }) => [
      `  - outcome: ${outcome}`,
      `    message: ${quote(message)}`,
      `    line: ${line}`,
      `    col: ${col}`,
      `    runs: ${runs}`,
      ...(runId === undefined ? [] : [`    run_id: ${quote(runId)}`]),
    ]),
    ...(leftOut > 0 ? [`reasons_left_out: ${leftOut}`] : []),
    "...",
  ];
  return lines.map((line) => `  ${line}\n`).join("");
}

/** A string of JSON is one of YAML 1.2, but for characters that YAML must not hold as they are. */
function quote(text: string): string {
  return visible(JSON.stringify(shorten(text, QUOTED_CHARACTERS).toWellFormed()));
}

/** Also what YAML calls not printable, and the byte order mark. */
function visible(text: string): string {
  return printable(text).replaceAll(
    /[\ufeff\ufffe\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16)}`,
  );
}
