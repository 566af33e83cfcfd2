import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createSuiteFolder, type SuiteFolder } from "../../../test/support/suites/load-suite.ts";

let folder: SuiteFolder;
beforeEach(async () => {
  folder = await createSuiteFolder({ CITY: "Rome" });
});
afterEach(() => folder.remove());

const TEST = "tests: [{id: own, name: N, task: {description: x}}]\n";

describe("include", () => {
  test("takes agents, defaults, variables and tests, the included ones first", async () => {
    const suite = await folder.load({
      "suite.yaml": `test_suite: s
include: [shared/base.yaml, more.yaml]
vars: {who: Eve}
defaults: {runs_per_test: 2, constraints: {max_steps: 5}, tags: [own]}
tests: [{id: own, name: N, agents: [base], task: {description: "Ask {{ who }} in {{ city }}"}}]
`,
      "shared/base.yaml": `agents: [{name: base, command: ./run, cwd: bin}]
vars: {who: Ada, city: "\${CITY}"}
defaults:
  runs_per_test: 7
  concurrency: 3
  constraints: {max_steps: 1, max_tokens: 9}
  tags: [base]
  tools: tools.yaml
  checks: [{type: no_errors}]
`,
      "shared/tools.yaml": "tools: [{name: search, default: {output: 1}}]\n",
      "shared/rows.csv": "n\n1\n",
      "shared/seed/file.txt": "x",
      "more.yaml": `include: [shared/rows.yaml]
tests: [{id: more, name: N, task: {description: "{{ who }}"}}]
`,
      "shared/rows.yaml": `tests: [{id: row, name: N, data: rows.csv, task: {description: "{{ n }}", workspace_fixture: seed}}]\n`,
    });
    expect(suite.tests.map(({ id, file, line }) => [id, file.slice(folder.path.length + 1), line])).toEqual([
      ["row[1]", "shared/rows.yaml", 1],
      ["more", "more.yaml", 2],
      ["own", "suite.yaml", 5],
    ]);
    expect(suite.agents).toMatchObject([{ name: "base", cwd: join(folder.path, "shared/bin") }]);
    expect(suite.tests[2]).toMatchObject({
      task: { description: "Ask Eve in Rome" },
      runs: 2,
      concurrency: 3,
      constraints: { max_steps: 5, max_tokens: 9 },
      tags: ["own"],
      options: { tools: { tools: [{ name: "search" }] } },
      folder: folder.path,
      checks: [{ type: "no_errors", file: join(folder.path, "shared/base.yaml"), line: 9 }],
    });
    expect(suite.tests[0]).toMatchObject({
      folder: join(folder.path, "shared"),
      options: { workspace: { fixture: join(folder.path, "shared/seed") } },
    });
  });

  test("a check of the defaults takes its paths from the folder it stands in", async () => {
    const suite = await folder.load({
      "suite.yaml": `test_suite: s\ninclude: [a/b.yaml]\n${TEST}`,
      "a/b.yaml": "defaults: {checks: [{type: events, config: {kind: error, at_most: 1}}]}\n",
    });
    const seen: string[] = [];
    const subject = {
      folder: folder.path,
      // The check asks for the log, as a method of what it was given.
      async *events(this: { folder: string }) {
        seen.push(this.folder);
        yield* [];
      },
    };
    await suite.tests[0]?.checks[0]?.evaluate(subject as never);
    expect(suite.tests[0]?.folder).toBe(folder.path);
    expect(seen).toEqual([join(folder.path, "a")]);
  });

  test("a file that is reached on two ways counts once, also through a link", async () => {
    await folder.load({
      "suite.yaml": `test_suite: s\n${TEST}`,
      "base.yaml": "agents: [{name: a, command: x}]\n",
    });
    await symlink(join(folder.path, "base.yaml"), join(folder.path, "link.yaml"));
    const suite = await folder.load({
      "suite.yaml": `test_suite: s\ninclude: [one.yaml, two.yaml, link.yaml]\n${TEST}`,
      "one.yaml": "include: [base.yaml]\n",
      "two.yaml": "include: [./base.yaml]\n",
    });
    expect(suite.agents).toHaveLength(1);
  });

  test("parameters of the suite multiply what it includes", async () => {
    const suite = await folder.load({
      "suite.yaml": "test_suite: s\nmatrix: {a: [1, 2]}\ninclude: [more.yaml]\n",
      "more.yaml": `matrix: {b: [3]}\ntests: [{id: "{{ a }}{{ b }}", name: N, task: {description: x}}]\n`,
    });
    expect(suite.tests.map(({ id }) => id)).toEqual(["13", "23"]);
  });
});

describe("what is refused", () => {
  test("a circle, with its chain", async () => {
    expect(
      await folder.problems({
        "suite.yaml": `test_suite: s\ninclude: [a.yaml]\n${TEST}`,
        "a.yaml": "vars: {x: 1}\ninclude:\n  - b.yaml\n",
        "b.yaml": "include: [a.yaml]\n",
      }),
    ).toEqual(['b.yaml:1:11  "a.yaml" includes this file again', "   the circle: a.yaml → b.yaml → a.yaml"]);
    expect(
      await folder.problems({ "suite.yaml": `test_suite: s\ninclude: [./suite.yaml]\n${TEST}` }),
    ).toEqual([
      'suite.yaml:2:11  "./suite.yaml" includes this file again',
      "   the circle: suite.yaml → suite.yaml",
    ]);
  });

  test("a file that is not there, and one that is no file", async () => {
    expect(
      await folder.problems({ "suite.yaml": `test_suite: s\ninclude: [none.yaml, .]\n${TEST}` }),
    ).toEqual([
      'suite.yaml:2:11  there is no file "none.yaml"',
      "   the path is taken from the folder of this file",
      'suite.yaml:2:22  "." is a directory, not a file',
      "   name the YAML file inside it",
    ]);
  });

  test("the same agent or test in two files, naming both places", async () => {
    expect(
      await folder.problems({
        "suite.yaml": `test_suite: s\ninclude: [a.yaml]\nagents: [{name: x, command: y}]\n${TEST}`,
        "a.yaml": `agents: [{name: x, command: y}]\n${TEST}`,
      }),
    ).toEqual([
      'suite.yaml:3:17  agent "x" is here twice',
      "   the first is at a.yaml:1:17",
      'suite.yaml:4:14  test "own" is here twice',
      "   the first is at a.yaml:2:14",
    ]);
  });

  test("more than 20 levels", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 25 }, (_, index) => [`f${index}.yaml`, `include: [f${index + 1}.yaml]\n`]),
    );
    const found = await folder.problems({
      ...files,
      "suite.yaml": `test_suite: s\ninclude: [f0.yaml]\n${TEST}`,
    });
    expect(found).toEqual(["f19.yaml:1:11  files include each other more than 20 levels deep"]);
  });

  test("everything wrong in every file, file by file", async () => {
    expect(
      await folder.problems({
        "suite.yaml": `test_suite: s\ninclude: [a.yaml, b.yaml]\nextra: 1\ntests: [{id: t, name: N, tsk: {}}]\n`,
        "a.yaml": "tests: [{id: u, name: N, task: {description: 5}}]\n",
        "b.yaml": "agents:\n\t- x\n",
      }),
    ).toEqual([
      'suite.yaml:3:1  unknown key "extra"',
      expect.stringContaining("known here: test_suite, version, description, include, vars, matrix, data"),
      'suite.yaml:4:9  missing key "task"',
      'suite.yaml:4:26  unknown key "tsk"',
      '   did you mean "task"?',
      "b.yaml:2:1  a tab is used for indentation",
      "   indent with spaces",
      'a.yaml:1:46  "description" must be text, not a number',
      "   put it in quotes",
    ]);
  });

  test("a suite without any test", async () => {
    expect(await folder.problems({ "suite.yaml": "test_suite: s\n" })).toEqual([
      'suite.yaml:1:1  missing key "tests"',
    ]);
  });
});
