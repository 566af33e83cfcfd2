import { expect, test } from "vitest";
import { reasonsOf, reasonText } from "./reasons.ts";
import { attempt, check, plan, repeated, result } from "../../../test/support/reporters/results.ts";

const LIMITS = { reasons: 5, characters: 100 };
const planned = plan(["one"]);

test("a passed check gives no reason, and neither does one that only informs", () => {
  const passed = attempt("pass", { checks: [check("fail", "below the threshold, and forgiven")] });
  const informs = { ...check("fail", "nice to know"), weight: 0 };
  const failed = attempt("fail", { number: 2, runId: "r2", checks: [informs, check("fail", "no")] });
  const { reasons } = reasonsOf(result(planned, 0, [passed, failed]), LIMITS);
  expect(reasons.map(({ message, runId }) => [message, runId])).toEqual([["contains: no", "r2"]]);
});

test("the same reason of several runs is one, failures come first, and what is too much is counted", () => {
  const runs = Array.from({ length: 10 }, (_, index) =>
    attempt("fail", {
      number: index + 1,
      checks: [check("unevaluated", `unknown ${index}`), check("fail", "the same")],
    }),
  );
  const failed = result(planned, 0, runs);
  const { reasons, leftOut } = reasonsOf(failed, LIMITS);
  expect(reasons.map((reason) => reasonText(reason, failed))).toEqual([
    "10 of 10 runs: contains: the same",
    ...[0, 1, 2, 3].map((index) => `1 of 10 runs: contains: unknown ${index}`),
  ]);
  expect(leftOut).toBe(6);
});

test("several checks that are unevaluated for one cause give one reason", () => {
  const checks = [check("unevaluated", "no judge", 12), check("unevaluated", "no judge", 13)];
  const { reasons, leftOut } = reasonsOf(result(planned, 0, [attempt("unevaluated", { checks })]), LIMITS);
  expect({ leftOut, lines: reasons.map(({ line }) => line) }).toEqual({ leftOut: 0, lines: [12] });
});

test("the gate and checks of all runs are reasons of the case, at their place", () => {
  const { results } = repeated();
  const [missed] = reasonsOf(results[0]!, LIMITS).reasons;
  expect(missed).toMatchObject({ outcome: "fail", ofCase: true, line: 7 });
  expect(reasonText(missed!, results[0]!)).toBe("pass_rate: 4 of 10 runs passed: misses at least 90 %");
  const open = reasonsOf(results[1]!, LIMITS).reasons.at(-1);
  expect(open).toMatchObject({ outcome: "unevaluated", message: "pass_rate: needs about 34 more runs" });
  expect(reasonsOf(results[4]!, LIMITS).reasons).toMatchObject([{ ofCase: true, line: 20, runs: 10 }]);
});

test("a case that did not pass always has a reason", () => {
  expect(reasonsOf(result(planned, 0, [attempt("fail")]), LIMITS).reasons).toMatchObject([
    { message: "failed" },
  ]);
  expect(reasonsOf(result(planned, 0, []), LIMITS).reasons).toEqual([]);
});
