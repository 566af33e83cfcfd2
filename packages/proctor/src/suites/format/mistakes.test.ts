// One test for each mistake that people make first: the message must be enough to repair it.
import { afterAll, beforeAll, expect, test } from "vitest";
import { threadCpuMs } from "../../runtime/thread-cpu.ts";
import { createSuiteFolder, type SuiteFolder } from "../../../test/support/suites/load-suite.ts";

let folder: SuiteFolder;
beforeAll(async () => {
  folder = await createSuiteFolder();
});
afterAll(() => folder.remove());

const TEST = "tests:\n  - id: t\n    name: T\n    task: {description: x}\n";

test.each<[string, string, string[]]>([
  [
    "a line that is indented too far",
    "test_suite: s\ntests:\n  - id: t\n     name: T\n",
    [
      "suite.yaml:3:9  the line below this one is indented too far",
      "   entries of one mapping or list begin in the same column",
    ],
  ],
  [
    "a line that is not indented enough",
    "test_suite: s\ntests:\n  - id: t\n   name: T\n",
    [
      "suite.yaml:4:1  the indentation is wrong here",
      "   entries of one mapping or list begin in the same column",
    ],
  ],
  [
    "a tab",
    "test_suite: s\ntests:\n\t- id: t\n",
    ["suite.yaml:3:1  a tab is used for indentation", "   indent with spaces"],
  ],
  [
    "a key twice",
    `test_suite: s\ntest_suite: s\n${TEST}`,
    ['suite.yaml:2:1  the key "test_suite" is here twice', "   remove one of the two"],
  ],
  [
    "a text with a colon",
    "test_suite: s\ndescription: note: this\n",
    ['suite.yaml:2:14  this value holds ": ", which begins a mapping', "   put the whole value in quotes"],
  ],
  [
    "a number where text is wanted",
    `test_suite: 12\n${TEST}`,
    ['suite.yaml:1:13  "test_suite" must be text, not a number', "   put it in quotes"],
  ],
  [
    "text where a number is wanted",
    `test_suite: s\ndefaults: {runs_per_test: many}\n${TEST}`,
    ['suite.yaml:2:27  "runs_per_test" must be a number, not text'],
  ],
  [
    "a missing agent",
    `test_suite: s\nagents: [{name: echo, command: x}]\n${TEST}    agents: [ecko]\n`,
    ['suite.yaml:7:14  unknown agent "ecko"', '   did you mean "echo"?'],
  ],
  [
    "an unknown key",
    `test_suite: s\nagent: []\n${TEST}`,
    ['suite.yaml:2:1  unknown key "agent"', '   did you mean "agents"?'],
  ],
  [
    "an unknown environment variable",
    `test_suite: "\${NOWHERE}"\n${TEST}`,
    [
      "suite.yaml:1:14  the variable NOWHERE is not set",
      "   set NOWHERE, or give a default: ${NOWHERE:value}",
    ],
  ],
  [
    "an unknown variable of a template",
    `test_suite: s\nvars: {name: x}\n${TEST}    description: "{{ nmae }}"\n`,
    ['suite.yaml:7:18  unknown variable "nmae"', '   did you mean "name"?'],
  ],
  [
    "a list without dashes",
    "test_suite: s\ntests:\n  id: t\n",
    ['suite.yaml:3:3  "tests" must be a list, not a mapping'],
  ],
  ["an empty file", "", ["suite.yaml:1:1  the file is empty"]],
  ["no mapping", "hello\n", ["suite.yaml:1:1  the file must be a mapping (key: value), not text"]],
])("a mistake in a suite is explained: %s", async (_name, text, expected) => {
  expect(await folder.problems({ "suite.yaml": text })).toEqual(expected);
});

test("aliases that multiply are refused", async () => {
  const lists = Array.from({ length: 12 }, (_, index) => {
    const before = index === 0 ? "x" : `*a${index - 1}`;
    return `  a${index}: &a${index} [${Array(9).fill(before).join(", ")}]`;
  });
  const [first] = await folder.problems({
    "suite.yaml": `test_suite: s\nvars:\n${lists.join("\n")}\n${TEST}`,
  });
  expect(first).toContain("suite.yaml:1:1  the aliases in this file cannot be resolved");
});

test.each([
  ["texts", "x".repeat(10), (before: string) => `"{{ ${before} }}{{ ${before} }}"`],
  ["lists", "[x]", (before: string) => `["{{ ${before} }}", "{{ ${before} }}"]`],
])("variables that multiply are refused: %s", async (_name, first, next) => {
  const vars = Array.from(
    { length: 40 },
    (_, index) => `  a${index}: ${index === 0 ? first : next(`a${index - 1}`)}`,
  );
  const found = await folder.problems({
    "suite.yaml": `test_suite: s\nvars:\n${vars.join("\n")}\n${TEST}`,
  });
  expect(found[0]).toMatch(/^suite\.yaml:\d+:\d+ {2}the value of "a\d+" becomes larger than 10 MB$/);
});

test("a file of 50 MB is refused after 5 MB", async () => {
  const found = await folder.problems({ "suite.yaml": Buffer.alloc(50 * 1024 * 1024, "#") });
  expect(found).toEqual(["suite.yaml  is larger than 5 MB", "   split it into several files"]);
});

test("10000 rows load without a schema per row", async () => {
  const rows = Array.from({ length: 10_000 }, (_, n) =>
    JSON.stringify({ id: `r${n}`, q: `What is ${n}?`, n }),
  ).join("\n");
  const suite = `test_suite: s
tests:
  - id: t
    name: "N {{ id }}"
    data: rows.jsonl
    task: {description: "{{ q }}", input_data: "{{ row }}"}
    checks: [{type: contains, config: {pattern: "{{ n }}"}}, {type: no_errors}]
`;
  const startedMs = threadCpuMs();
  const { tests } = await folder.load({ "suite.yaml": suite, "rows.jsonl": rows });
  expect(tests).toHaveLength(10_000);
  expect(tests[9999]).toMatchObject({ id: "t[r9999]", checks: [{ config: { pattern: "9999" } }, {}] });
  // About 0.7 s; the limit leaves room for a slow machine.
  expect(threadCpuMs() - startedMs).toBeLessThan(40_000);
});
