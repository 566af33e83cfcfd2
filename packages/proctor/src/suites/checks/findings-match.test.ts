import { describe, expect, test } from "vitest";
import { check, file, structured } from "../../../test/support/suites/check-subject.ts";
import type { Json } from "../../core/json.ts";
import { soonTooSlow } from "../../../test/support/soon-too-slow.ts";

const list = (data: Json) => ({ artifacts: [structured("1", "findings", data)] });
const text = (content: string) => ({ artifacts: [file("1", "review.md")], bytes: { "1": content } });

const EXPECTED = [
  { rule_ids: ["SQL-001", "sql-injection"], anchor: "db.query('select ' + id)", severity: "critical" },
  { rule_ids: ["LOG-002"], anchor: "console.log(token)", severity: "minor" },
];
const FORBIDDEN = [{ anchor: "return cap - used" }];
const SQL = { rule_id: "sql-injection", anchor: "db.query('select '  +  id)", severity: "critical" };
const LOG = { rule_id: "log-002", anchor: "log(token)", severity: "minor" };
const FALSE_ALARM = { rule_id: "math", anchor: "Return cap - used;", severity: "minor" };
const BOTH = { expected_findings: EXPECTED, must_not_flag: FORBIDDEN };

describe("the check findings_match, of a list,", () => {
  test("knows every rule by any of its names, and every place in more or fewer words", async () => {
    expect(await check("findings_match", BOTH, list({ findings: [SQL, LOG] }))).toEqual({
      outcome: "pass",
      message: "2 of 2 expected findings",
      score: 1,
      details: {
        recall: 1,
        precision: 1,
        found: ["SQL-001@db.query('select ' + id)", "LOG-002@console.log(token)"],
        missing: [],
        flagged: [],
        unexpected: 0,
      },
    });
    expect((await check("not_findings_match", BOTH, list([SQL, LOG]))).outcome).toBe("fail");
  });

  test.each<[string, Json[], object, string, string]>([
    [
      "what is critical is needed",
      [LOG],
      BOTH,
      "fail",
      "1 of 2 expected findings; missing: \"SQL-001@db.query('select ' + id)\"",
    ],
    [
      "what is minor is not",
      [SQL],
      BOTH,
      "pass",
      '1 of 2 expected findings; missing: "LOG-002@console.log(token)"',
    ],
    [
      "unless a recall is asked for",
      [SQL],
      { ...BOTH, threshold: 0.8 },
      "fail",
      '1 of 2 expected findings; missing: "LOG-002@console.log(token)"; recall 0.5, at least 0.8 expected',
    ],
    [
      "a false alarm fails",
      [SQL, LOG, FALSE_ALARM],
      BOTH,
      "fail",
      '2 of 2 expected findings; must not be flagged: "return cap - used"',
    ],
    [
      "another rule is another finding",
      [{ ...SQL, rule_id: "style" }],
      BOTH,
      "fail",
      '0 of 2 expected findings; missing: "SQL-001@db.query(\'select \' + id)", "LOG-002@console.log(token)"',
    ],
    [
      "no alarm is right where none is expected",
      [],
      { must_not_flag: FORBIDDEN },
      "pass",
      "nothing flagged that must not be",
    ],
    [
      "a pattern may name a finding",
      ["Line 7: SQL injection"],
      { expected_findings: [{ id: "sqli", pattern: "(?i)sql.injection" }] },
      "pass",
      "1 of 1 expected findings",
    ],
    [
      "without a severity it is needed",
      [],
      { expected_findings: [{ id: "sqli", anchor: "x" }] },
      "fail",
      '0 of 1 expected findings; missing: "sqli"',
    ],
  ])("holds that %s", async (_, findings, config, outcome, message) => {
    expect(await check("findings_match", config, list(findings))).toMatchObject({ outcome, message });
  });

  test("counts each false alarm, and each finding that nobody expected", async () => {
    const { details } = await check(
      "findings_match",
      BOTH,
      list([SQL, FALSE_ALARM, FALSE_ALARM, { rule_id: "x", anchor: "y" }]),
    );
    expect(details).toMatchObject({ recall: 0.5, precision: 0.333, unexpected: 1 });
  });

  test("reads it from a code block in a file", async () => {
    const given = text(`\`\`\`json\n${JSON.stringify([SQL, LOG])}\n\`\`\`\n`);
    expect(await check("findings_match", BOTH, given)).toMatchObject({
      outcome: "pass",
      details: { unexpected: 0 },
    });
  });
});

describe("the check findings_match, of a text,", () => {
  test("looks for rules and places in it", async () => {
    const good =
      "SQL-001: `db.query('select ' + id)` is open to injection.\nAlso LOG-002 in console.log(token).";
    expect((await check("findings_match", BOTH, text(good))).outcome).toBe("pass");
    const bad = `${good}\nAnd \`return cap - used\` overflows.`;
    expect((await check("findings_match", BOTH, text(bad))).outcome).toBe("fail");
    expect((await check("findings_match", BOTH, text("All well."))).outcome).toBe("fail");
  });
});

test("the check findings_match is unevaluated for what cannot be read, and fails for what is not there", async () => {
  expect((await check("findings_match", BOTH, { artifacts: [file("9", "lost.md")] })).outcome).toBe(
    "unevaluated",
  );
  expect(await check("findings_match", BOTH, {})).toMatchObject({
    outcome: "fail",
    message: "no findings; the run produced no artifacts",
  });
  expect((await check("findings_match", { ...BOTH, path: "no.md" }, list([]))).outcome).toBe("fail");
});

test("the check findings_match ends on hostile reports", async () => {
  const slow = { expected_findings: [{ pattern: "^(a+)+$" }] };
  const report = list([`${"a".repeat(60)}!`]);
  expect(await soonTooSlow(() => check("findings_match", slow, report))).toMatchObject({
    outcome: "unevaluated",
    message: expect.stringContaining("too slow"),
  });
  const many = list(Array.from({ length: 10_001 }, () => "x"));
  expect((await check("findings_match", BOTH, many)).outcome).toBe("unevaluated");
  const deep = text("[".repeat(100_000));
  expect((await check("findings_match", BOTH, deep)).outcome).toBe("unevaluated");
});

test.each([
  {},
  { expected_findings: [{}] },
  { expected_findings: [{ severity: "critical" }] },
  { expected_findings: [{ anchor: "x", severity: "high" }] },
  { expected_findings: [{ pattern: "(" }] },
  { must_not_flag: [{ id: "x" }] },
  { expected_findings: [{ anchor: "x" }], schema: {} },
])("the check findings_match refuses %j", (config) => {
  expect(() => check("findings_match", config, {})).toThrow();
});
