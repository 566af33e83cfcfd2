// What an editor must refuse in `defineSuite`: `tsc` fails on a line that it takes although it should not.
import { expect, test } from "vitest";
import { defineSuite } from "../../testing/define-suite.ts";

const task = { description: "x" };

test("the types of defineSuite know checks, their settings and every key", () => {
  const suite = defineSuite({
    test_suite: "s",
    tests: [
      {
        id: "right",
        name: "N",
        task,
        pass_rate: { at_least: 0.9 },
        tags: "{{ tags }}",
        checks: [
          { type: "contains", config: { pattern: "x", regex: "{{ yes }}" }, weight: 2 },
          { type: "no_errors", critical: true },
          { type: "all", config: { checks: [{ type: "not_contains", config: { pattern: "x" } }] } },
        ],
      },
      // @ts-expect-error there is no such check
      { id: "check", name: "N", task, checks: [{ type: "contians", config: { pattern: "x" } }] },
      // @ts-expect-error it has no such setting
      { id: "setting", name: "N", task, checks: [{ type: "contains", config: { pattern: "x", patern: 1 } }] },
      // @ts-expect-error it needs a setting
      { id: "needed", name: "N", task, checks: [{ type: "contains" }] },
      // @ts-expect-error there is no such key
      { id: "key", name: "N", task, tsak: 1 },
      // @ts-expect-error a number, or a template
      { id: "number", name: "N", task, runs_per_test: "many" },
      // @ts-expect-error there is no such step
      { id: "step", name: "N", turns: [{ say: "x" }, { expcet: [] }] },
    ],
  });
  expect(suite.tests).toHaveLength(7);
});
