// A conversation in every report that shows one: turn by turn, who said what, and what each turn came to.
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { report } from "../../../test/support/reporters/html-report.ts";
import {
  attempt,
  check,
  plan,
  play,
  result,
  summaryOf,
  thread,
} from "../../../test/support/reporters/results.ts";
import { attemptOf, attemptRecord, type AttemptRecord } from "../journal/attempt-record.ts";
import { consoleReporter } from "./console/console.ts";
import type { PackedCase } from "./html/report-documents.ts";
import { jsonReporter } from "./json.ts";
import { junitReporter } from "./junit.ts";
import { markdownReporter } from "./markdown.ts";

const planned = plan(["talks", "fine"]);
const failed = attempt("fail", {
  thread: thread("the blue one"),
  checks: [{ ...check("fail", '"red" not found'), turn: 2 }],
});
const passed = attempt("pass", { thread: thread("the red one") });
const results = [result(planned, 0, [failed]), result(planned, 1, [passed])];

const LINES = [
  "turn 1 (pass)",
  "  user: the blue one",
  "  agent asks (input): which the blue one",
  "  user answers: this the blue one",
  "turn 2 (fail)",
  "  user: and now?",
  "  agent: done the blue one",
  "  … and 3 more",
  "ended: the user has what it wants",
];

describe("a conversation in a report", () => {
  test("stands under its case on the console where it did not pass", () => {
    const create = (options: { write: (text: string) => void }) =>
      consoleReporter({ ...options, color: false, live: false });
    const output = play(create, planned, results);
    expect(output).toContain('    turn 2: contains: "red" not found\n');
    expect(output).toContain(LINES.map((line) => `      ${line}\n`).join(""));
    expect(output).not.toContain("the red one");
    expect(output).toMatch(/PASS {2}fine \[echo\] {2}\(1\.2s, 2 turns\)/);
  });

  test("is what a test printed in JUnit's XML", () => {
    const output = play(junitReporter, planned, results);
    expect(output).toContain(`<system-out>${LINES.join("&#10;")}</system-out></testcase>`);
    expect(output).toContain("user: the red one");
  });

  test("is folded away in Markdown", () => {
    const output = play(markdownReporter, planned, results);
    expect(output).toMatch(
      /<details><summary>conversation<\/summary><code>turn 1 \(pass\)<br>.*the blue one/,
    );
  });

  test("is a document in JSON, and comes back from the journal as it was", () => {
    const { cases } = JSON.parse(play(jsonReporter, planned, results)) as {
      cases: { runs: { thread: unknown; checks: { turn?: number }[] }[] }[];
    };
    expect(cases[0]?.runs[0]).toMatchObject({ thread: thread("the blue one"), checks: [{ turn: 2 }] });
    const record = JSON.parse(JSON.stringify(attemptRecord(planned.cases[0]!, failed))) as AttemptRecord;
    expect(attemptOf(record)).toEqual(failed);
  });

  test("is packed into the page of the HTML report", () => {
    const html = report({ plan: planned, results, summary: summaryOf(planned, results) });
    const [, packed = ""] = /id="chunk-0">([^<]*)</.exec(html) ?? [];
    const [first] = JSON.parse(gunzipSync(Buffer.from(packed, "base64")).toString("utf8")) as PackedCase[];
    expect(first?.case.run_results[0]).toMatchObject({
      more: { thread: thread("the blue one") },
      checks: [{ turn: 2 }],
    });
  });
});
