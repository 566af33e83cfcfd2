// `proctor test` and `proctor validate`: selection, reports and exit codes.
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createIo, createProgramDouble, type Script } from "../../../test/support/cli/program-double.ts";

let folder: string;
const SUITE = `
test_suite: smoke
agents:
  - name: writer
    address: "atp+stdio:python writer.py"
tests:
  - id: greets
    name: Greets
    tags: [fast]
    task: {description: "Say hello"}
    checks: [{type: no_errors}]
  - id: works
    name: Works
    task: {description: "Work"}
    checks: [{type: no_errors}]
`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "proctor-test-"));
  await mkdir(join(folder, "suites", "deep", "node_modules"), { recursive: true });
  await mkdir(join(folder, "empty"));
  await writeFile(join(folder, "suites", "smoke.yaml"), SUITE);
  await writeFile(join(folder, "suites", "deep", "more.yml"), SUITE.replace("smoke", "more"));
  await writeFile(join(folder, "suites", "deep", "node_modules", "not-ours.yaml"), "x: 1");
  await writeFile(join(folder, "broken.yaml"), SUITE.replace("test_suite", "test_siute"));
});
afterAll(() => rm(folder, { recursive: true }));

const io = () => createIo({ cwd: folder });

const fails: Script = (run) => [
  { type: "run.started", payload: { worker: "here" } },
  ...(run.task.description === "Work"
    ? [{ type: "error" as const, payload: { error_type: "Oops", message: "broke" } }]
    : []),
  { type: "run.ended", payload: { status: "completed" } },
];

test("proctor test runs suites and reports to the console", async () => {
  const program = createProgramDouble();

  const { code, out, err } = await program.run(["test", "suites/smoke.yaml"], io());

  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toContain("PASS  greets [writer]");
  expect(out).toContain("2 passed, 0 failed");
  expect(program.modes).toEqual(["write"]);
  expect(program.hub.closed).toBe(1);
});

const JUDGED = SUITE.replaceAll(
  "[{type: no_errors}]",
  "[{type: llm_judge, config: {rubric: Is kind}}, {type: any, config: {checks: [{type: not_llm_eval, config: {criteria: clarity}}]}}]",
);
const MISSING = "/judged.yaml:11:14  llm_judge needs a judge, and none is configured (and 3 more checks)";

test("proctor test and compare refuse checks that need a judge where none is configured, before anything is opened", async () => {
  await writeFile(join(folder, "judged.yaml"), JUDGED);
  const program = createProgramDouble();
  const refused = await program.run(["test", "judged.yaml", "--reporter", "json=judged.json"], io());
  expect(refused.code).toBe(3);
  expect(refused.err).toContain(MISSING);
  expect(refused.err).toContain("--without-judge");
  expect(program.modes).toEqual([]);
  await expect(readFile(join(folder, "judged.json"))).rejects.toThrow("ENOENT");

  const compared = await createProgramDouble().run(["compare", "a", "b", "judged.yaml"], io());
  expect(compared).toMatchObject({ code: 3, err: expect.stringContaining(MISSING) });

  const anyway = await createProgramDouble().run(["test", "judged.yaml", "--without-judge"], io());
  expect(anyway.code).not.toBe(2);
  expect(anyway.err).toBe("");
  expect(anyway.out).toContain("[writer]");
});

test("proctor test runs chosen tests that need no judge beside others that do", async () => {
  const half = SUITE.replace("[{type: no_errors}]", "[{type: llm_judge, config: {rubric: Is kind}}]");
  await writeFile(join(folder, "half.yaml"), half);
  const chosen = await createProgramDouble().run(["test", "half.yaml", "--only", "works"], io());
  expect(chosen).toMatchObject({ code: 0, err: "" });
});

test("proctor validate reports checks that lack a judge, unless --without-judge is given", async () => {
  await writeFile(join(folder, "judged.yaml"), JUDGED);
  const validate = (...args: string[]) =>
    createProgramDouble().run(["validate", "judged.yaml", ...args], io());
  const found = await validate();
  expect(found.code).toBe(3);
  expect(found.out).toMatch(/^✓ .*judged\.yaml/);
  expect(found.out).toContain(`${MISSING}\n  set PROCTOR_JUDGE_URL and PROCTOR_JUDGE_MODEL`);
  expect(await validate("--without-judge")).toMatchObject({ code: 0 });
  const document = await validate("--json");
  expect(document.code).toBe(3);
  expect(JSON.parse(document.out)).toMatchObject({
    unevaluated: [{ type: "llm_judge", line: 11 }, { type: "any" }, {}, {}],
  });
});

test("proctor test ends with 1 when a test failed", async () => {
  const { code, out } = await createProgramDouble({ script: fails }).run(["test", "suites/smoke.yaml"], io());

  expect(code).toBe(1);
  expect(out).toContain("FAIL  works [writer]");
});

test("proctor test selects by tag, id and agent, overrides time limit and repetition, and takes folders", async () => {
  const program = createProgramDouble();
  const flags = [
    "--only",
    "greets",
    "--tag",
    "fast",
    "--agent",
    "atp+stdio:node a.js",
    "--runs",
    "2",
    "--timeout",
    "7",
  ];

  const { code } = await program.run(["test", "suites", ...flags], io());

  expect(code).toBe(0);
  expect(program.hub.requests).toHaveLength(4);
  expect(program.hub.requests[0]).toMatchObject({
    agent: { command: ["node", "a.js"], cwd: folder },
    task: { description: "Say hello" },
    constraints: { timeout_seconds: 7 },
  });
  expect(new Set(program.hub.requests.map(({ metadata }) => metadata?.["suite"]))).toEqual(
    new Set(["smoke", "more"]),
  );
});

test("proctor test --json prints one JSON document", async () => {
  const { out } = await createProgramDouble().run(["test", "suites/smoke.yaml", "--json"], io());

  expect(JSON.parse(out)).toMatchObject({ summary: { total: 2, passed: 2 } });
});

test("proctor test writes several reports at once", async () => {
  const flags = ["--reporter", "console", "--reporter", "junit=out/junit.xml", "-r", "json=out/report.json"];

  const { code, out } = await createProgramDouble().run(["test", "suites/smoke.yaml", ...flags], io());

  expect(code).toBe(0);
  expect(out).toContain("2 passed");
  expect(await readFile(join(folder, "out", "junit.xml"), "utf8")).toContain('tests="2" failures="0"');
  expect(JSON.parse(await readFile(join(folder, "out", "report.json"), "utf8"))).toMatchObject({
    summary: { passed: 2 },
  });
});

test.each([
  [["suites/smoke.yaml", "--reporter", "junit=suites/smoke.yaml/x.xml"], "the report cannot be written"],
  [["suites/smoke.yaml", "--reporter", "junti"], "did you mean junit?"],
  [["suites/smoke.yaml", "--reporter", "junit="], "names no file"],
  [["suites/smoke.yaml", "--json", "--reporter", "console"], "only one reporter can write to stdout"],
  [["suites/smoke.yaml", "--only", "gretes"], "greets"],
  [["nowhere.yaml"], "nowhere.yaml"],
  [["empty"], "holds no suite"],
  [["broken.yaml"], "broken.yaml:2:1"],
])("proctor test refuses %j before anything runs", async (args, message) => {
  const program = createProgramDouble();

  const { code, out, err } = await program.run(["test", ...args], io());

  expect({ code, out, modes: program.modes }).toEqual({ code: 2, out: "", modes: [] });
  expect(err).toContain(message);
});

test("proctor test ends with 130 when interrupted, after reporting what ended", async () => {
  const stopped = io();
  const script: Script = async function* (run, _, hub) {
    yield { type: "run.started", payload: { worker: "here" } };
    stopped.interrupt();
    await hub.untilCancelled(run.id);
    yield {
      type: "run.ended",
      payload: { status: "cancelled", failure: { code: "CANCELLED", message: "asked to" } },
    };
  };

  const { code, out } = await createProgramDouble({ script }).run(
    ["test", "suites/smoke.yaml", "--concurrency", "1"],
    stopped,
  );

  expect(code).toBe(130);
  expect(out).toContain("interrupted");
});

test("proctor validate needs no hub, and reports everything wrong at once", async () => {
  const program = createProgramDouble();
  await writeFile(join(folder, "worse.yaml"), "test_suite: [");

  const good = await program.run(["validate", "suites"], io());
  const json = await program.run(["validate", "suites/smoke.yaml", "--json"], io());
  const bad = await program.run(["validate", "broken.yaml", "worse.yaml", "suites"], io());

  expect(good).toMatchObject({ code: 0, err: "" });
  expect(good.out).toMatch(/✓ .*more\.yml +2 tests, 1 agent\n✓ .*smoke\.yaml +2 tests, 1 agent\n/);
  expect(JSON.parse(json.out)).toMatchObject({
    suites: [{ name: "smoke", agents: ["writer"], tests: [{ id: "greets" }, { id: "works" }] }],
  });
  expect(bad).toMatchObject({ code: 2, out: "" });
  expect(bad.err).toContain("broken.yaml:2:1");
  expect(bad.err).toContain("worse.yaml:1:");
  expect(program.modes).toEqual([]);
});

test("proctor test --list prints the tests that would run, and runs nothing", async () => {
  const program = createProgramDouble();
  const list = (...flags: string[]) =>
    program.run(["test", "suites/smoke.yaml", "--list", ...flags], createIo({ cwd: folder }));

  const { code, out } = await list();
  const json = await list("--only", "greets", "--json");

  expect(code).toBe(0);
  expect(out).toMatch(/^ID +NAME +TAGS +AGENTS\n.*greets/);
  expect(out).toMatch(/\n\d+ tests?, \d+ cases?\n$/);
  expect(JSON.parse(json.out)).toMatchObject({
    tests: [{ id: "greets", agents: [expect.any(String)], runs: 1 }],
  });
  expect(program.modes).toEqual([]);
});
