// Tests that cannot be run here and were left out on purpose: every report counts and names them, and none calls them passed.
import { expect, it } from "vitest";
import type { Reporter, Write } from "../reporter.ts";
import { consoleReporter } from "./console/console.ts";
import { githubReporter } from "./github.ts";
import { jsonReporter } from "./json.ts";
import { junitReporter } from "./junit.ts";
import { markdownReporter } from "./markdown.ts";
import { attempt, plan, play, result } from "../../../test/support/reporters/results.ts";
import { tapReporter } from "./tap.ts";

const skipped = [{ id: "gpu", file: "tasks/gpu", reason: "tasks/gpu/task.toml:2:1  no GPU # here\n   none" }];

function report(reporter: (options: { write: Write }) => Reporter): string {
  const planned = { ...plan(["one"]), skipped };
  return play(reporter, planned, [result(planned, 0, [attempt("pass")])], { skipped });
}

it("the console names a skipped test and counts it", () => {
  const text = report(({ write }) => consoleReporter({ write, color: false, live: false }));
  expect(text).toContain("\nskipped  gpu: tasks/gpu/task.toml:2:1  no GPU # here\n");
  expect(text).toContain("1 passed, 0 failed, 0 unevaluated, 1 skipped  in");
});

it("JUnit reports a skipped test with its reason", () => {
  const text = report(junitReporter);
  expect(text).toContain('tests="2" failures="0" errors="0" skipped="1"');
  expect(text).toMatch(
    /<testcase [^>]*name="gpu"[^>]*><skipped message="tasks\/gpu[^"]*no GPU # here[^"]*"\/>/,
  );
});

it("TAP reports a skipped test with the directive SKIP", () => {
  const text = report(tapReporter);
  expect(text).toContain("1..2\nok 1 - gpu # SKIP tasks/gpu/task.toml:2:1  no GPU \\# here");
  expect(text).toContain("\nok 2 - ");
});

it("JSON lists skipped tests beside the cases", () => {
  expect(JSON.parse(report(jsonReporter))).toMatchObject({
    skipped: [{ test_id: "gpu", file: "tasks/gpu" }],
    summary: { total: 1, passed: 1, skipped: 1 },
  });
});

it("Markdown and GitHub annotations name skipped tests", () => {
  expect(report(markdownReporter)).toContain("<summary>1 skipped: they cannot be run here</summary>");
  expect(report(githubReporter)).toContain("::notice title=skipped::1 skipped: gpu\n");
});
