import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defineSuite } from "../../testing/define-suite.ts";
import { loadDefinition } from "../load.ts";
import { createSuiteFolder, type SuiteFolder } from "../../../test/support/suites/load-suite.ts";

let folder: SuiteFolder;
beforeAll(async () => {
  folder = await createSuiteFolder({ WORD: "hello" });
});
afterAll(() => folder.remove());

const place = { file: "suite.mjs", folder: "/", variables: { WORD: "hello" } };
const task = { description: "x" };
const messages = async (definition: unknown): Promise<string[]> =>
  loadDefinition(definition, place).then(
    () => ["no problem"],
    (error: unknown) => String(error).replace("ProctorError: ", "").split("\n"),
  );

describe("a suite as an object", () => {
  test("means what the same file means", async () => {
    const suite = await loadDefinition(
      defineSuite({
        test_suite: "s",
        agents: [{ name: "a", command: ["run"] }],
        defaults: { runs_per_test: 2, pass_rate: 0.9 },
        tests: [
          {
            id: "t",
            name: "T",
            matrix: { n: [1, 2] },
            task: { description: "say ${WORD} {{ n }} times" },
            constraints: { max_steps: "{{ n }}" },
            checks: [
              { type: "contains", config: { pattern: "hello" }, weight: 2 },
              { type: "not_contains", config: { pattern: "bye" } },
            ],
          },
        ],
      }),
      place,
    );
    expect(suite).toMatchObject({ file: "suite.mjs", name: "s", agents: [{ name: "a", cwd: "/" }] });
    expect(suite.tests).toMatchObject([
      {
        id: "t[n=1]",
        task: { description: "say hello 1 times" },
        runs: 2,
        gate: { at_least: 0.9, max_runs: 2 },
      },
      { id: "t[n=2]", constraints: { max_steps: 2 }, checks: [{ weight: 2 }, { type: "not_contains" }] },
    ]);
  });

  test("problems are placed by path", async () => {
    expect(
      await messages({
        test_suite: "s",
        agents: [{ name: "a", comand: "x" }],
        tests: [
          { id: "t", name: "T", task },
          { id: "t", name: "T", task, checks: [{ type: "contians" }] },
          { id: "u", name: "U", task: { description: "${NOPE}" } },
        ],
      }),
    ).toEqual([
      "suite.mjs  tests[2].task.description:  the variable NOPE is not set",
      "   set NOPE, or give a default: ${NOPE:value}",
      'suite.mjs  agents[0].comand:  unknown key "comand"',
      '   did you mean "command"?',
      'suite.mjs  agents[0]:  missing "command" or "url" (or "address")',
      'suite.mjs  tests[1].checks[0].type:  unknown check "contians"',
      '   did you mean "contains"?  All checks: proctor docs checks',
      'suite.mjs  tests[1].id:  test "t" is here twice',
      "   the first is at suite.mjs  tests[0].id",
    ]);
  });

  test("only plain data is taken", async () => {
    const loop: Record<string, unknown> = {};
    loop["self"] = loop;
    const input = {
      date: new Date(0),
      map: new Map(),
      big: 1n,
      act: () => 1,
      nan: Number.NaN,
      loop,
      gone: undefined,
    };
    expect(
      await messages({
        test_suite: "s",
        tests: [{ id: "t", name: "T", task: { description: "x", input_data: input } }],
      }),
    ).toEqual(
      expect.arrayContaining([
        'suite.mjs  tests[0].task.input_data.date:  must be plain data, not "Date"',
        'suite.mjs  tests[0].task.input_data.map:  must be plain data, not "Map"',
        'suite.mjs  tests[0].task.input_data.big:  must be plain data, not "bigint"',
        'suite.mjs  tests[0].task.input_data.act:  must be plain data, not "function"',
        "suite.mjs  tests[0].task.input_data.nan:  a number must be finite",
        "suite.mjs  tests[0].task.input_data.loop.self:  this object holds itself",
      ]),
    );
    expect(await messages(undefined)).toEqual([
      'suite.mjs  must be plain data, not "undefined"',
      expect.any(String),
    ]);
    expect(await messages([])).toEqual(["suite.mjs  the file must be a mapping (key: value), not a list"]);
  });
});

describe("a module", () => {
  const definition = `{ test_suite: "s", tests: [{ id: "t", name: "T", task: { description: "x" } }] }`;

  test.each([
    ["default.mjs", `export default ${definition};`],
    ["named.mjs", `export const suite = ${definition};`],
  ])("exports the suite: %s", async (name, text) => {
    const loaded = await folder.load({ [name]: text }, name);
    expect(loaded).toMatchObject({ name: "s", tests: [{ id: "t", line: 1, col: 1 }] });
  });

  test("may be included, and may include", async () => {
    const loaded = await folder.load({
      "suite.yaml": "test_suite: s\ninclude: [part.mjs]\n",
      "part.mjs": `export default { include: ["more.yaml"], tests: [{ id: "p", name: "P", task: { description: "{{ a }}" } }] };`,
      "more.yaml": "vars: {a: b}\n",
    });
    expect(loaded.tests).toMatchObject([{ id: "p", task: { description: "b" } }]);
  });

  test.each([
    ["nothing.mjs", "export const other = 1;", "nothing.mjs  exports no suite"],
    [
      "throws.mjs",
      "throw new Error('on purpose');",
      "throws.mjs  the module does not load: Error: on purpose",
    ],
    ["wrong.mjs", "export default {;", "wrong.mjs  the module does not load: "],
    ["far.mjs", "import 'not-installed-anywhere'; export default {};", "far.mjs  the module does not load: "],
  ])("that gives none: %s", async (name, text, expected) => {
    expect((await folder.problems({ [name]: text }, name))[0]).toContain(expected);
  });

  test("that is not there", async () => {
    expect((await folder.problems({}, "none.mjs"))[0]).toBe("none.mjs  there is no such file");
  });
});
