// `labs` of suites: files and contents, defaults and tests, and what is wrong with them.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSuiteFolder, type SuiteFolder } from "../../../test/support/suites/load-suite.ts";

let folder: SuiteFolder;
beforeAll(async () => {
  folder = await createSuiteFolder({ SECRET: "from outside" });
});
afterAll(() => folder.remove());

const suite = (defaults: string, test = ""): string =>
  `test_suite: s\n${defaults}tests:\n  - id: a\n    name: a\n    task: {description: x}\n${test}`;

describe("Labs in a suite", () => {
  test("are files or contents, and a test's stands in the place of the default's", async () => {
    const { tests } = await folder.load({
      "suite.yaml": `${suite("defaults:\n  labs: {oauth: shared/oauth.yaml, push: {status: 202}}\n", "    labs: {push: {}}\n")}  - {id: b, name: b, task: {description: x}, labs: {oauth: {token_seconds: 5}}}\n`,
      "shared/oauth.yaml": "clients: [{id: c, secret: '${SECRET}'}]\n",
    });
    expect(tests.map(({ options }) => options)).toEqual([
      { labs: { oauth: { clients: [{ id: "c", secret: "from outside" }] }, push: {} } },
      { labs: { oauth: { token_seconds: 5 }, push: { status: 202 } } },
    ]);
  });

  test("leave runs alone where there are none", async () => {
    const { tests } = await folder.load({ "suite.yaml": suite("") });
    expect(tests[0]).not.toHaveProperty("options");
  });

  test("are refused with the place of every mistake", async () => {
    const files = {
      "suite.yaml": suite(
        "",
        "    labs:\n      oauth: broken.yaml\n      push: {anwsers: []}\n      smtp: {}\n",
      ),
      "broken.yaml": "clients: []\n",
    };
    expect(await folder.problems(files)).toEqual([
      'suite.yaml:8:14  unknown key "anwsers"',
      '   did you mean "answers"?',
      'suite.yaml:9:7  unknown key "smtp"',
      "   known here: oauth, push",
    ]);
    const named = suite("", "    labs: {oauth: broken.yaml, push: nowhere.yaml}\n");
    expect(await folder.problems({ "suite.yaml": named, "broken.yaml": "clients: []\n" })).toEqual([
      'suite.yaml:6:38  there is no file "nowhere.yaml"',
      "   the path is taken from the folder of this file",
      'broken.yaml:1:10  "clients" needs at least 1 entry',
    ]);
  });
});
