import picocolors from "picocolors";
import { expect, test } from "vitest";
import type { Run } from "../../core/run.ts";
import { describeUse, renderRunSummary } from "./run-summary.ts";

const plain = picocolors.createColors(false);

/** A run with the fields that a summary shows. */
const run = (fields: Partial<Run>): Run =>
  ({
    id: "r",
    status: "failed",
    metrics: {},
    artifacts: [],
    violations: [],
    failure: null,
    retried_as: null,
    ...fields,
  }) as unknown as Run;

const message = "the canary turned up in its stderr, a reasoning event, a call of the tool web_search";

test("the summary of a run says all of why it failed, on as many lines as the terminal needs", () => {
  const failed = run({ failure: { code: "CANARY_LEAKED", message: `${message}\nlook there` } });

  expect(renderRunSummary(failed, plain, 60)).toEqual([
    "✗ failed",
    "  failure     CANARY_LEAKED  the canary turned up in its",
    "              stderr, a reasoning event, a call of the tool",
    "              web_search",
    "              look there",
    "  details     proctor runs show r",
  ]);
  expect(renderRunSummary(failed, plain)).toContain(`  failure     CANARY_LEAKED  ${message}`);
});

test("the summary of a run gives a message its own lines where its code leaves no room, and cuts what would fill the screen", () => {
  const code = "A_CODE_OF_ITS_OWN_THAT_AN_AGENT_MADE_UP";
  const [, first, second, ...more] = renderRunSummary(
    run({ failure: { code, message: "word ".repeat(1000) } }),
    plain,
    60,
  );

  expect(first).toBe(`  failure     ${code}`);
  expect(second).toBe(`              ${"word ".repeat(9).trim()}`);
  expect(more).toHaveLength(10);
  expect(more.at(-2)).toBe("              …");
});

test("the summary of a run wraps violations", () => {
  const violations = [
    { rule: "tool.unobserved", message: "a call of web_search was reported and never made" },
  ];

  expect(renderRunSummary(run({ violations }), plain, 50).slice(1, 3)).toEqual([
    "  violations  tool.unobserved  a call of",
    "              web_search was reported and never",
  ]);
});

test("the summary of a run does not mention what was not used", () => {
  const metrics = { total_tokens: 0, input_tokens: 0, output_tokens: 0, cost_usd: 0, tool_calls: 0 };

  expect(describeUse({ ...metrics, total_steps: 1 })).toBe("1 step");
});

test("the summary of a run says where a violation is", () => {
  const violations = [{ rule: "atp.response", message: "metrics is missing", where: "response.metrics" }];

  expect(renderRunSummary(run({ violations }), plain)).toContain(
    "  violations  atp.response  response.metrics: metrics is missing",
  );
});
