// `terminal:` in a suite, and what a check reads as part of what makes a case the same case.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPlan } from "../plan.ts";
import { keyCases } from "../run/case-key.ts";
import { createSuiteFolder, type SuiteFolder } from "../../../test/support/suites/load-suite.ts";

let folder: SuiteFolder;
beforeEach(async () => {
  folder = await createSuiteFolder();
});
afterEach(() => folder.remove());

const SUITE = `
test_suite: s
agents:
  - { name: mine, address: "term+stdio:agent.py" }
  - { name: oracle, address: "term+builtin:oracle" }
defaults:
  terminal: { limits: { memory_mb: 64 }, max_steps: 7 }
tests:
  - id: t
    name: T
    task: { description: d }
    terminal: { build: environment, solution: deep/solve.sh, network: host, command_seconds: 5 }
    assertions: [{ type: verifier, config: { tests: tests } }]
`;

describe("a terminal in a suite", () => {
  it("is an environment and a way of working, with paths from the folder of the file", async () => {
    const { tests } = await folder.load({ "suite.yaml": SUITE });
    expect(tests[0]?.options).toEqual({
      environment: { build: join(folder.path, "environment"), network: "host", limits: { memory_mb: 64 } },
      terminal: { max_steps: 7, command_seconds: 5 },
    });
  });

  it("gives the solution to the oracle, and to nobody else", async () => {
    const { cases } = createPlan([await folder.load({ "suite.yaml": SUITE })]);
    const [mine, oracle] = cases.map(({ options }) => options);
    expect(JSON.stringify(mine)).not.toContain("solve.sh");
    expect(oracle).toMatchObject({
      environment: { files: [{ source: join(folder.path, "deep/solve.sh"), target: "/solution/solve.sh" }] },
      terminal: { script: ["bash /solution/solve.sh"] },
    });
  });

  it.each([
    ["terminal: { images: x }", 'unknown key "images"'],
    ["terminal: { network: some }", "network"],
    ["terminal: { workdir: app }", "absolute path"],
  ])("with %s is refused", async (key, why) => {
    const problems = await folder.problems({
      "suite.yaml": SUITE.replace(/^ {4}terminal:.*$/m, `    ${key}`),
    });
    expect(problems.join("\n")).toContain(why);
  });
});

it("a case is another one when a file that its check reads has changed", async () => {
  const suite = `
test_suite: s
agents: [{ name: a, command: [x] }]
tests: [{ id: t, name: T, task: { description: d }, assertions: [{ type: javascript, config: { file: c.mjs } }] }]
`;
  const key = async (): Promise<string | undefined> => {
    const plan = createPlan([await folder.load({ "suite.yaml": suite })]);
    return (await keyCases(plan, () => Promise.resolve(null))).cases[0]?.key?.whole;
  };
  await writeFile(join(folder.path, "c.mjs"), "export default () => true;");
  const before = await key();
  expect(await key()).toBe(before);
  await writeFile(join(folder.path, "c.mjs"), "export default () => false;");
  expect(await key()).not.toBe(before);
});
