import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { rows, section } from "../../../test/support/markdown.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { loadSuite } from "../load.ts";
import type { Outcome } from "../verdict.ts";
import { check, file } from "../../../test/support/suites/check-subject.ts";

const OUTCOMES: readonly Outcome[] = ["pass", "fail", "unevaluated"];

/** Checks that come out as wished, on a run that has one readable artifact and one that is lost. */
const LEAVES: Record<Outcome, object> = {
  pass: { type: "artifact_exists", config: { path: "a.md" } },
  fail: { type: "artifact_exists", config: { path: "b.md" } },
  unevaluated: { type: "contains", config: { pattern: "x", path: "lost.md" } },
};
const given = { artifacts: [file("1", "a.md"), file("9", "lost.md")], bytes: { "1": "text" } };

const outcomeOf = async (type: string, config: object): Promise<Outcome> =>
  (await check(type, config, given)).outcome;
const leaves = (outcomes: readonly Outcome[]): object[] => outcomes.map((outcome) => LEAVES[outcome]);

/** Every row of up to three outcomes. */
const inputs = [1, 2, 3].flatMap((length) =>
  Array.from({ length: 3 ** length }, (_, number) =>
    Array.from({ length }, (_, place) => OUTCOMES[Math.floor(number / 3 ** place) % 3]!),
  ),
);

/**
 * What holds whatever the unknown ones turn out to be: they are replaced by every combination of pass and fail, and when the
 * answers differ it is not known.
 */
function decided(outcomes: readonly Outcome[], holds: (passed: boolean[]) => boolean): Outcome {
  const worlds = outcomes.reduce<boolean[][]>(
    (all, outcome) =>
      all.flatMap((world) =>
        (outcome === "unevaluated" ? [true, false] : [outcome === "pass"]).map((value) => [...world, value]),
      ),
    [[]],
  );
  const answers = new Set(worlds.map(holds));
  if (answers.size > 1) return "unevaluated";
  return answers.has(true) ? "pass" : "fail";
}

const passes = (values: boolean[]): number => values.filter(Boolean).length;

describe.each(inputs.map((outcomes) => ({ outcomes, name: outcomes.join(", ") })))(
  "with $name inside",
  ({ outcomes }) => {
    const checks = leaves(outcomes);

    test("all, any and none come out as logic has it, and so do their opposites", async () => {
      const expected = {
        all: decided(outcomes, (values) => values.every(Boolean)),
        any: decided(outcomes, (values) => values.some(Boolean)),
        none: decided(outcomes, (values) => !values.some(Boolean)),
        not_all: decided(outcomes, (values) => !values.every(Boolean)),
        not_any: decided(outcomes, (values) => !values.some(Boolean)),
        not_none: decided(outcomes, (values) => values.some(Boolean)),
      };
      for (const [type, outcome] of Object.entries(expected))
        expect(await outcomeOf(type, { checks }), type).toBe(outcome);
    });

    test("at_least comes out as logic has it, for every count", async () => {
      for (let count = 1; count <= outcomes.length; count++)
        expect(await outcomeOf("at_least", { count, checks })).toBe(
          decided(outcomes, (values) => passes(values) >= count),
        );
    });

    test("composite comes out as logic has it", async () => {
      const composite = (operator: string, conditions: object[] = checks) =>
        outcomeOf("composite", { operator, conditions });
      const all = decided(outcomes, (values) => values.every(Boolean));
      expect(await composite("and")).toBe(all);
      expect(await composite("or")).toBe(decided(outcomes, (values) => values.some(Boolean)));
      const not = { operator: "not", condition: { operator: "or", conditions: checks } };
      expect(await composite("and", [not])).toBe(decided(outcomes, (values) => !values.some(Boolean)));
    });

    test.each([">=", ">", "<=", "<", "==", "!="])(
      "a threshold of their share with %s is decided as far as it can be",
      async (comparator) => {
        for (const value of [0, 0.5, 1]) {
          const condition = {
            operator: "threshold",
            value,
            comparator,
            condition: { operator: "and", conditions: checks },
          };
          const share = (values: boolean[]): number => passes(values) / values.length;
          const test = (values: boolean[]): boolean =>
            ({
              ">=": share(values) >= value,
              ">": share(values) > value,
              "<=": share(values) <= value,
              "<": share(values) < value,
              "==": share(values) === value,
              "!=": share(values) !== value,
            })[comparator] === true;
          const found = await outcomeOf("composite", { conditions: [condition] });
          const ideal = decided(outcomes, test);
          // Bounds know less than all combinations: where only those decide, not to say anything is right, too.
          expect([ideal, "unevaluated"], `${comparator} ${value}`).toContain(found);
          if (!outcomes.includes("unevaluated")) expect(found).toBe(ideal);
        }
      },
    );
  },
);

test.each([
  [">=", 0.6, "fail"],
  ["<=", 0.5, "pass"],
  ["<", 0.5, "unevaluated"],
  // Neither bound is it, but what lies between them may be.
  ["==", 0.25, "unevaluated"],
])(
  "a threshold knows between which bounds the opposite lies: %s %d → %s",
  async (comparator, value, outcome) => {
    const half = { operator: "and", conditions: leaves(["pass", "unevaluated"]) };
    const condition = { operator: "not", condition: half };
    const threshold = { operator: "threshold", value, comparator, condition };
    expect(await outcomeOf("composite", { conditions: [threshold] })).toBe(outcome);
  },
);

test("the table of the document is what comes out", async () => {
  const document = readFileSync(new URL("../../../../../docs/reference/checks.md", import.meta.url), "utf8");
  const sign: Record<string, Outcome> = { "✓": "pass", "✗": "fail", "?": "unevaluated" };
  const table = rows(section(document, "Three values"));
  expect(table).toHaveLength(6);
  for (const [inside = "", ...cells] of table) {
    const outcomes = inside.split(" ").map((mark) => sign[mark]!);
    const checks = leaves(outcomes);
    const found = [
      await outcomeOf("all", { checks }),
      await outcomeOf("any", { checks }),
      await outcomeOf("none", { checks }),
      await outcomeOf("at_least", { count: 2, checks }),
      await outcomeOf("composite", { conditions: [{ operator: "not", condition: checks[0] }] }),
    ];
    expect(found, inside).toEqual(cells.map((mark) => sign[mark]));
  }
});

test("says which checks inside did not come out as they should", async () => {
  const checks = leaves(["pass", "fail", "unevaluated"]);
  expect(await check("all", { checks }, given)).toEqual({
    outcome: "fail",
    score: 1 / 3,
    message:
      '1 of 3 passed; artifact_exists failed: no artifact "b.md"; the run produced "a.md", "lost.md"; ' +
      'contains not evaluated: "x" not found, but not everything could be read: "lost.md" (the hub is gone)',
  });
  expect((await check("none", { checks: leaves(["pass"]) }, given)).message).toBe(
    "1 of 1 passed; artifact_exists passed: file artifact a.md exists",
  );
});

test("checks of checks may hold each other", async () => {
  const any = {
    type: "any",
    config: { checks: [...leaves(["fail"]), { type: "not_all", config: { checks: leaves(["fail"]) } }] },
  };
  expect(await outcomeOf("all", { checks: [any] })).toBe("pass");
  expect(await outcomeOf("composite", { conditions: [any, { type: "no_errors" }] })).toBe("pass");
});

describe("a suite", () => {
  const folder = temporaryFolder("composite");

  async function problemsOf(assertion: string): Promise<string> {
    const path = join(folder, "suite.yaml");
    const test = `tests:\n  - id: a\n    name: A\n    task: { description: x }\n    assertions:\n      - ${assertion}\n`;
    writeFileSync(path, `test_suite: s\nagents: [{ name: a, command: [node] }]\n${test}`);
    try {
      await loadSuite(path, { variables: {} });
      return "";
    } catch (error) {
      return error instanceof Error ? error.message : "";
    }
  }

  test.each([
    [
      "an unknown check inside",
      "{ type: all, config: { checks: [{ type: contians }] } }",
      'suite.yaml:8:49  unknown check "contians"',
    ],
    [
      "what was meant",
      "{ type: all, config: { checks: [{ type: not_contians }] } }",
      'did you mean "not_contains"?',
    ],
    [
      "an unknown key of a config inside",
      "{ type: any, config: { checks: [{ type: status, config: { are: x } }] } }",
      'unknown key "are"',
    ],
    [
      "critical inside, where it means nothing",
      "{ type: any, config: { checks: [{ type: no_errors, critical: true }] } }",
      'unknown key "critical"',
    ],
    ["no checks", "{ type: none, config: { checks: [] } }", "needs at least 1 entry"],
    [
      "a count that cannot be reached",
      "{ type: at_least, config: { count: 2, checks: [{ type: no_errors }] } }",
      '"count" is more than there are checks',
    ],
    [
      "an unknown operator",
      "{ type: composite, config: { operator: xor, conditions: [{ type: no_errors }] } }",
      "operator",
    ],
    [
      "an unknown operator inside",
      "{ type: composite, config: { conditions: [{ operator: xor, conditions: [] }] } }",
      '"operator" must be "and" or "or" or "not" or "threshold"',
    ],
    [
      "a not without a condition",
      "{ type: composite, config: { conditions: [{ operator: not }] } }",
      'missing key "condition"',
    ],
    [
      "a threshold above 1",
      "{ type: composite, config: { conditions: [{ operator: threshold, value: 80, condition: { type: no_errors } }] } }",
      '"value"',
    ],
    ["a text for a check", "{ type: all, config: { checks: [no_errors] } }", "must be a mapping"],
  ])("is told of %s", async (_, assertion, message) => {
    expect(await problemsOf(assertion)).toContain(message);
  });

  test("takes what is right", async () => {
    expect(
      await problemsOf(
        "{ type: not_all, config: { checks: [{ type: no_errors }, { type: not_status, config: { is: partial } }] } }",
      ),
    ).toBe("");
  });
});
