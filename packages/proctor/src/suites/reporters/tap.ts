// TAP 14, the Test Anything Protocol: the plan first, a test point per case as it ends, YAML under those that did not pass.
// Unevaluated is `not ok` without a directive: harnesses must not count a failing TODO or SKIP as a failure, and what could
// not be evaluated is never a pass.
import type { Json } from "../../core/json.ts";
import { caseName } from "../plan.ts";
import type { PlannedCase } from "../plan.ts";
import { printable } from "../../core/printable.ts";
import type { Reporter, Write } from "../reporter.ts";
import type { CaseResult } from "../result.ts";
import { reasonsOf } from "./reasons.ts";
import { shorten } from "../../core/shorten.ts";
import { countSources, sourcesText, stoppedText } from "./summary-words.ts";

const LIMITS = { reasons: 20, characters: 4000 };
const NAME_CHARACTERS = 500;
/** Characters of a quoted text, more than any reason has. */
const QUOTED_CHARACTERS = 8000;

export function tapReporter({ write }: { write: Write }): Reporter {
  let ended = 0;
  return {
    start({ cases, skipped = [] }) {
      write(`TAP version 14\n1..${cases.length + skipped.length}\n`);
      for (const { id, reason } of skipped) {
        ended += 1;
        write(`ok ${ended} - ${inLine(id)} # SKIP ${inLine(reason)}\n`);
      }
    },
    caseEnded(result) {
      ended += 1;
      const passed = result.outcome === "pass";
      const point = `${passed ? "ok" : "not ok"} ${ended} - ${description(result.case)}\n`;
      write(passed && isPlain(result) ? point : `${point}${diagnostics(result)}`);
    },
    end(summary) {
      // The plan is not kept then, which is a failure to every harness; this says why.
      const stopped = stoppedText(summary);
      if (stopped !== undefined) write(`Bail out! ${stopped}\n`);
    },
  };
}

/** Whether the case has a single new run, about which the test point says everything. */
function isPlain({ attempts }: CaseResult): boolean {
  return attempts.length <= 1 && attempts.every(({ source }) => source === "run");
}

function description(planned: PlannedCase): string {
  return inLine(`${planned.suite.name}: ${caseName(planned)}`);
}

function inLine(text: string): string {
  // "Escaping": only these two.
  return visible(shorten(text, NAME_CHARACTERS).toWellFormed())
    .replaceAll(/[\n\t]+/g, " ")
    .replaceAll(/[\\#]/g, String.raw`\$&`);
}

/** "YAML Diagnostics": indented by two, between `---` and `...`. */
function diagnostics(result: CaseResult): string {
  const { suite, test, agent } = result.case;
  const { reasons, leftOut } =
    result.outcome === "pass" ? { reasons: [], leftOut: 0 } : reasonsOf(result, LIMITS);
  const lines = [
    "---",
    `severity: ${result.outcome}`,
    `suite: ${quote(suite.name)}`,
    `test_id: ${quote(test.id)}`,
    `agent: ${quote(agent.label)}`,
    `file: ${quote(test.file)}`,
    `line: ${test.line}`,
    `duration_ms: ${result.durationMs}`,
    `runs: ${result.attempts.length}`,
    ...figures(result),
    ...(reasons.length > 0 ? ["reasons:"] : []),
    ...reasons.flatMap(({ outcome, message, file, line, col, runs, runId, said }) => [
      `  - outcome: ${outcome}`,
      `    message: ${quote(message)}`,
      `    file: ${quote(file)}`,
      `    line: ${line}`,
      `    col: ${col}`,
      `    runs: ${runs}`,
      ...(runId === undefined ? [] : [`    run_id: ${quote(runId)}`]),
      ...(said === undefined ? [] : [`    said: ${quote(said.join("\n"))}`]),
    ]),
    ...(leftOut > 0 ? [`reasons_left_out: ${leftOut}`] : []),
    "...",
  ];
  return lines.map((line) => `  ${line}\n`).join("");
}

/** What the runs say together. JSON is YAML. */
function figures({ attempts, statistics, gate }: CaseResult): string[] {
  const { passed, pass_rate: rate, score } = statistics;
  const sources = sourcesText(countSources(attempts));
  return [
    ...(sources === "" ? [] : [`sources: ${quote(sources)}`]),
    ...(attempts.length > 1 ? [`passed: ${passed}`] : []),
    ...(attempts.length > 1 && rate !== null ? [`pass_rate: ${flow(rate)}`] : []),
    ...(score === undefined ? [] : [`score: ${flow(score.mean)}`]),
    ...(gate === undefined ? [] : [`gate: ${flow(gate)}`]),
  ];
}

function flow(value: Json): string {
  return visible(JSON.stringify(value));
}

/** A string of JSON is one of YAML 1.2, but for characters that YAML must not hold as they are. */
function quote(text: string): string {
  return visible(JSON.stringify(shorten(text, QUOTED_CHARACTERS).toWellFormed()));
}

/** Makes control characters visible, including what YAML calls not printable, and the byte order mark. */
function visible(text: string): string {
  return printable(text).replaceAll(
    /[\ufeff\ufffe\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16)}`,
  );
}
