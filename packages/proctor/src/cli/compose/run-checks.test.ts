// The checks of suites in the review of a goal: which may be used, and what they say of a run.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createScriptedDriver } from "../../../test/support/scripted-driver.ts";
import { openTestHub, type TestHub } from "../../../test/support/test-hub.ts";
import type { Json } from "../../core/json.ts";
import type { Run } from "../../core/run.ts";
import { checkProblems, createRunChecks, judgeBy } from "./run-checks.ts";

const driver = createScriptedDriver();
const signal = new AbortController().signal;
let test: TestHub;
let run: Run;

beforeEach(async () => {
  test = await openTestHub({ driver });
  const index = driver.sessions.length;
  const { run: submitted } = await test.hub.submit({ agent: "atp+stdio:x", task: { description: "d" } });
  const session = await driver.session(index);
  session.push({
    kind: "artifact",
    artifact: { type: "structured", name: "result", data: { title: "Cats" } },
  });
  session.end();
  run = await test.ended(submitted.id);
});
afterEach(() => test.close());

function judge(...checks: Json[]): Promise<string | undefined> {
  const runCommand = (): never => expect.unreachable();
  return judgeBy(test.hub, { runCommand })(run, checks, signal);
}

const CATS = { type: "contains", config: { pattern: "Cats" } };
const DOGS = { type: "contains", config: { pattern: "Dogs" } };
const JUDGED = { type: "llm_eval", config: { criteria: "quality" } };

describe("The checks of a review", () => {
  it("pass together, and say which was the first that failed", async () => {
    expect(await judge(CATS, { type: "status", config: { is: "completed" } })).toBeUndefined();
    expect(await judge(CATS, DOGS, { type: "not_contains", config: { pattern: "Cats" } })).toMatch(
      /^contains: /,
    );
  });

  it("that count for nothing decide nothing", async () => {
    expect(await judge(CATS, { ...DOGS, weight: 0 })).toBeUndefined();
  });

  it("that cannot be evaluated are no verdict, unless another one failed", async () => {
    await expect(judge(CATS, JUDGED)).rejects.toThrow(/^llm_eval: /);
    expect(await judge(JUDGED, DOGS)).toMatch(/^contains: /);
  });

  it("have the judge of the hub, and no programs", async () => {
    const config = { dataDir: test.folder } as Parameters<typeof createRunChecks>[0];
    expect(await createRunChecks(config, test.hub)(run, [CATS], signal)).toBeUndefined();
    const program = { type: "command", config: { command: "true" } };
    await expect(createRunChecks(config, test.hub)(run, [program], signal)).rejects.toThrow(/directory/);
  });
});

describe("Checks in a plan", () => {
  it("are right before anything runs", () => {
    expect(checkProblems([CATS, DOGS, JUDGED, { type: "all", config: { checks: [CATS] } }])).toEqual([]);
  });

  it("are refused with the place and a suggestion", () => {
    expect(
      checkProblems([CATS, { type: "contians" }, { type: "contains", config: { patern: "x" } }]),
    ).toEqual([
      { path: "checks[1].type", message: expect.stringContaining('"contains"') as string },
      { path: "checks[2].config.pattern", message: 'missing key "pattern"' },
      { path: "checks[2].config.patern", message: expect.stringContaining("did you mean") as string },
    ]);
    expect(checkProblems(["contains"])).toMatchObject([{ path: "checks[0]" }]);
    expect(checkProblems([7])).toMatchObject([{ path: expect.stringMatching(/^checks\[0\]/) as string }]);
  });

  it.each([
    ["run a program", { type: "command", config: { command: "rm -rf /" } }],
    ["run a program inside another", { type: "any", config: { checks: [{ type: "pytest" }] } }],
    ["run a program where it must fail", { type: "not_command", config: { command: "true" } }],
    ["load a module", { type: "javascript", config: { file: "/etc/passwd" } }],
    ["look into a directory", { type: "file_exists", config: { path: "a" } }],
    ["read a file of the hub", { type: "factuality", config: { ground_truth_file: "/etc/passwd" } }],
    ["open an environment", { type: "verifier" }],
    ["judge many runs", { type: "performance", config: { thresholds: { max_latency_mean_ms: 1 } } }],
  ])("never %s", (_what, check) => {
    expect(checkProblems([check])).toEqual([
      { path: "checks[0]", message: expect.stringMatching(/directory|reads a file|together/) as string },
    ]);
  });
});
