// `proctor baseline` and `proctor compare` as their users see them, with agents that are real programs; and the example of a
// regression gate, by the command of its own workflow.
import { cpSync, existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { createIo } from "../support/cli/program-double.ts";
import { main } from "../../src/cli/main.ts";
import type { Comparison } from "../../src/suites/compare/comparison.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const EXAMPLE = fileURLToPath(new URL("../../../../examples/regression-gate", import.meta.url));
const folder = temporaryFolder("compare");
const file = (name: string): string => join(folder, name);

interface Ended {
  code: number;
  out: string;
  err: string;
}

async function proctor(
  args: readonly string[],
  options: { columns?: number; cwd?: string } = {},
): Promise<Ended> {
  const io = createIo({ cwd: folder, ...options });
  const code = await main(args, io);
  return { code, out: io.out(), err: io.err() };
}

/**
 * An agent that answers "yes" to the first of its tasks, by number, and "no" to the others. It is started more than a hundred times, and a shell starts in a
 * tenth of the time that Node needs.
 */
const AGENT = `
read -r request
description=\${request#*'"description":"'}
task_id=\${request#*'"task_id":"'}
answer=no
if [ "\${description%%'"'*}" -lt "$1" ]; then answer=yes; fi
artifact='{"type":"structured","name":"answer","data":{"answer":"'$answer'"}}'
printf '{"version":"1.0","task_id":"%s","status":"completed","artifacts":[%s],"metrics":{"cost_usd":0.001}}\\n' "\${task_id%%'"'*}" "$artifact"
`;
const agent = (passes: number): string => `atp+stdio:sh agent.sh ${passes}`;

function suite(name: string, tests: number): string {
  const entries = Array.from({ length: tests }, (_, index) => {
    const check = '{ type: contains, config: { pattern: "yes" } }';
    return `  - { id: t${index}, name: Test ${index}, task: { description: "${index}" }, checks: [${check}] }`;
  });
  return `test_suite: ${name}\nagents: [{ name: it, address: "${agent(99)}" }]\ntests:\n${entries.join("\n")}\n`;
}

beforeAll(() => {
  writeFileSync(file("agent.sh"), AGENT);
  writeFileSync(file("suite.yaml"), suite("numbers", 6));
  const limit = "{ type: max_tokens, config: { limit: 5 } }";
  writeFileSync(file("small.yaml"), suite("small", 1).replace(/checks: \[.*\]/, `checks: [${limit}]`));
});

describe("a baseline", () => {
  beforeAll(async () => {
    expect(await proctor(["test", "suite.yaml"])).toMatchObject({ code: 0 });
    expect(await proctor(["baseline", "save", "baseline.json"])).toMatchObject({ code: 0, err: "" });
  });

  it("is saved from the last results and replaced by others, with a summary", async () => {
    const first = await proctor(["baseline", "save", "again.json"]);
    expect(first.out).toMatch(/^✓ saved again\.json\n {2}cases {7}6: 6 passed, 0 failed, 0 unevaluated\n/);
    expect(first.out).toContain("proctor test … --baseline again.json");
    expect(readFileSync(file("again.json"), "utf8")).toBe(readFileSync(file("baseline.json"), "utf8"));
    await proctor(["test", "suite.yaml", "--only", "t1", "--only", "t2", "--reporter", "json=part.json"]);
    const second = await proctor(["baseline", "save", "again.json", "--results", "part.json"]);
    expect(second).toMatchObject({ code: 0, err: "" });
    expect(second.out).toMatch(/^✓ replaced again\.json\n/);
    expect(second.out).toContain("  changed     4 cases gone\n");
    expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("is merged from the parts of several machines", async () => {
    for (const part of ["1", "2"]) {
      await proctor(["test", "suite.yaml", "--shard", `${part}/2`, "--reporter", `json=part-${part}.json`]);
    }
    const parts = ["--results", "part-1.json", "--results", "part-2.json"];
    const saved = await proctor(["baseline", "save", "merged.json", ...parts, "--json"]);
    expect(JSON.parse(saved.out)).toMatchObject({ file: "merged.json", cases: 6, passed: 6, runs: 6 });
    const twice = await proctor(["baseline", "save", "merged.json", ...parts, "--results", "again.json"]);
    expect(twice).toMatchObject({ code: 2, out: "" });
    expect(twice.err).toContain("name each part of the results once");
  });

  it("passes results that are no worse, and fails those that are worse", async () => {
    const same = await proctor(["baseline", "compare", "baseline.json", "--results", "baseline.json"]);
    expect(same).toMatchObject({ code: 0, err: "" });
    expect(same.out).toMatch(/\n= 6 unchanged\n✓ no regression against baseline\.json of \S+\n$/);

    await proctor(["test", "suite.yaml", "--agent", agent(3), "--agent", "it"]);
    const report = ["test", "suite.yaml", "--agent", "it", "--reporter", "json=now.json"];
    for (const [passes, code, flip] of [
      [6, 0, 0],
      [3, 0, 1],
      [1, 1, 1],
    ] as const) {
      writeFileSync(file("suite.yaml"), suite("numbers", 6).replace(agent(99), agent(passes)));
      await proctor(report);
      const compare = ["baseline", "compare", "baseline.json", "--results", "now.json"];
      expect(await proctor(compare), `${passes}`).toMatchObject({ code, err: "" });
      expect(await proctor([...compare, "--fail-on", "flip"]), `${passes}`).toMatchObject({ code: flip });
    }
    writeFileSync(file("suite.yaml"), suite("numbers", 6));
    const { out } = await proctor(["baseline", "compare", "baseline.json", "--results", "now.json"]);
    expect(out).toContain(
      "numbers: 5 cases flipped to fail, 0 to pass: worse over all (p = 0.031 after correction)",
    );
    expect(out).toMatch(/\n✗ worse than baseline\.json of /);
    const strict = await proctor([
      "baseline",
      "compare",
      "baseline.json",
      "--results",
      "now.json",
      "--alpha",
      "0.01",
    ]);
    expect(strict.code).toBe(0);
  });

  it("is compared as a document with --json, with colours on a terminal, and without in a pipe", async () => {
    const compare = ["baseline", "compare", "baseline.json", "--results", "part.json"];
    const json = await proctor([...compare, "--json"]);
    const document = JSON.parse(json.out) as Comparison;
    expect(document).toMatchObject({ regression: false, alpha: 0.05, overall: { cases: 2, only_before: 0 } });
    expect(document.cases.map(({ change }) => change).filter((change) => change === "missing")).toHaveLength(
      4,
    );
    const terminal = await proctor(compare, { columns: 80 });
    expect(terminal.out).toContain("\u001b[33mmissing");
    const widths = stripVTControlCharacters(terminal.out)
      .split("\n")
      .map((line) => line.length);
    expect(Math.max(...widths)).toBeLessThanOrEqual(80);
    expect((await proctor(compare)).out).not.toContain("\u001b");
  });

  it("is compared with exit code 3 when one of its cases is missing", async () => {
    const ended = await proctor(["baseline", "compare", "baseline.json", "--results", "part.json"]);
    expect(ended).toMatchObject({ code: 3, err: "" });
    expect(ended.out).toContain("4 missing cases: t0 [it] (1/1 before), t3 [it] (1/1 before)");
  });

  it("is shown by proctor test, and decides its exit code", async () => {
    const ended = await proctor(["test", "suite.yaml", "--baseline", "baseline.json"]);
    expect(ended).toMatchObject({ code: 0, err: "" });
    expect(ended.out).toContain("no regression against baseline.json");
    writeFileSync(file("suite.yaml"), suite("numbers", 6).replace(agent(99), agent(0)));
    const worse = await proctor(["test", "suite.yaml", "--baseline", "baseline.json", "--json"]);
    writeFileSync(file("suite.yaml"), suite("numbers", 6));
    expect(worse.code).toBe(1);
    expect(JSON.parse(worse.out)).toMatchObject({
      comparison: { regression: true, overall: { only_before: 6 } },
    });
  });
});

it.each(["baseline save", "baseline compare", "compare"])(
  "proctor %s --help has examples to copy",
  async (command) => {
    const { code, out } = await proctor([...command.split(" "), "--help"]);
    expect(code).toBe(0);
    expect(out).toContain("Examples:\n  $ proctor ");
  },
);

describe("proctor baseline refuses, and writes nothing for,", () => {
  it.each<[what: string, args: string[], said: string]>([
    [
      "no results",
      ["save", "new.json", "--database", "file:./elsewhere/proctor.db"],
      "there are no results here yet",
    ],
    [
      "results that are not there",
      ["save", "new.json", "--results", "nowhere.json"],
      "there is no such file",
    ],
    ["results of another kind", ["save", "new.json", "--results", "suite.yaml"], "it is no JSON"],
    [
      "a file that is something else",
      ["save", "suite.yaml", "--results", "part.json"],
      "is no baseline: it is left as it is",
    ],
    ["a folder", ["save", ".", "--results", "part.json"], "is no baseline"],
    ["a path below a file", ["save", "suite.yaml/x.json", "--results", "part.json"], "cannot be written"],
    ["a baseline that is not there", ["compare", "nowhere.json"], "there is no such file"],
    ["an alpha above 1", ["compare", "baseline.json", "--alpha", "2"], "between 0 and 1"],
    [
      "an unknown --fail-on",
      ["compare", "baseline.json", "--fail-on", "x"],
      "Allowed choices are regression, flip",
    ],
  ])("%s", async (_what, args, said) => {
    const before = readdirSync(folder).toSorted();
    const ended = await proctor(["baseline", ...args]);
    expect(ended).toMatchObject({ code: 2, out: "" });
    expect(ended.err).toContain(said);
    expect(readdirSync(folder).toSorted()).toEqual(before);
    expect(readFileSync(file("suite.yaml"), "utf8")).toBe(suite("numbers", 6));
  });

  it("interrupted results, unless --partial is given", async () => {
    await proctor(["test", "suite.yaml", "--agent", agent(0), "--fail-fast", "--concurrency", "1"]);
    const refused = await proctor(["baseline", "save", "half.json"]);
    expect(refused).toMatchObject({ code: 2, out: "" });
    expect(refused.err).toMatch(/is incomplete: fail-fast, and 5 of 6 cases were not run/);
    expect(refused.err).toContain("proctor test … --resume");
    expect(existsSync(file("half.json"))).toBe(false);
    const saved = await proctor(["baseline", "save", "half.json", "--partial"]);
    expect(saved).toMatchObject({ code: 0, err: "" });
    const compared = await proctor(["baseline", "compare", "half.json", "--results", "half.json"]);
    expect(compared.out).toContain("the results are incomplete: fail-fast, and 5 of 6 cases were not run");
  });
});

describe("two agents in proctor compare", () => {
  const compare = (a: string, b: string, ...more: string[]): Promise<Ended> =>
    proctor(["compare", a, b, ...more]);

  it("are shown side by side, with the winner", async () => {
    const ended = await compare(agent(99), agent(0), "suite.yaml", "--runs", "2");
    expect(ended).toMatchObject({ code: 0, err: "" });
    expect(ended.out).toContain(`PASS  t0 [${agent(99)}]`);
    expect(ended.out).toMatch(/\ntests passed {3}6 of 6 +0 of 6 +0\.016\n/);
    expect(ended.out).toMatch(/\nruns passed {4}100 % \[76–100 %\] of 12 +0 % \[0–24 %\] of 12\n/);
    expect(ended.out).toMatch(/\ncost of a run {2}\$0\.0010 +\$0\.0010 +1\n/);
    expect(ended.out.trimEnd().split("\n").at(-1)).toBe(`${agent(99)} is better than ${agent(0)}`);
    const worse = await compare(agent(99), agent(0), "suite.yaml", "--fail-on", "worse", "--json");
    expect(worse).toMatchObject({ code: 1, err: "" });
    expect(JSON.parse(worse.out)).toMatchObject({
      winner: agent(99),
      before: { name: agent(99) },
      regression: true,
    });
    const better = await compare(agent(0), agent(99), "suite.yaml", "--fail-on", "worse", "--json");
    expect(better).toMatchObject({ code: 0 });
    expect(JSON.parse(better.out)).toMatchObject({ winner: agent(99), regression: false });
  });

  it("are equal where no difference is found, with how many runs would show one", async () => {
    const ended = await compare(
      agent(98),
      agent(99),
      "suite.yaml",
      "--only",
      "t0",
      "--reporter",
      "junit=both.xml",
    );
    expect(ended).toMatchObject({ code: 0, err: "" });
    expect(ended.out.trimEnd().split("\n").at(-1)).toBe(
      "no difference found; 2 runs are too few to show any",
    );
    expect(ended.out).toMatch(/^report {2}both\.xml$/m);
    expect(readFileSync(file("both.xml"), "utf8")).toContain('tests="2"');
    expect(ended.out).not.toContain("report.json");
  });

  it("are compared again from their results, without a run", async () => {
    for (const [name, passes] of [
      ["a.json", 99],
      ["b.json", 0],
    ] as const) {
      await proctor(["test", "suite.yaml", "--agent", agent(passes), "--reporter", `json=${name}`]);
    }
    const ended = await compare("a.json", "b.json");
    expect(ended).toMatchObject({ code: 0, err: "" });
    expect(ended.out.trimEnd().split("\n").at(-1)).toBe(`${agent(99)} is better than ${agent(0)}`);
    expect(await compare("a.json", "part.json")).toMatchObject({ code: 3 });
  });

  it("end with exit code 3 when something could not be run or evaluated", async () => {
    const stopped = await compare(
      agent(98),
      agent(99),
      "suite.yaml",
      "--max-cost",
      "0.0001",
      "--concurrency",
      "1",
      "--json",
    );
    expect(stopped.code).toBe(3);
    const document = JSON.parse(stopped.out) as Comparison;
    expect(document.cases).toMatchObject([{ test_id: "t0", change: "missing" }]);
    expect(document.findings).toContain(
      "the results are incomplete: max-cost, and 11 of 12 cases were not run",
    );
    // The agent does not say how many tokens it used.
    const unknown = await compare(agent(98), agent(99), "small.yaml", "--json");
    expect(unknown.code).toBe(3);
    expect(JSON.parse(unknown.out)).toMatchObject({
      winner: null,
      cases: [{ after: { outcome: "unevaluated" } }],
    });
  });

  it.each<[what: string, args: string[], said: string]>([
    ["an agent and itself", [agent(1), agent(1), "suite.yaml"], "is compared with itself"],
    ["an agent that nobody knows", [agent(1), "nobody", "suite.yaml"], "nobody"],
    ["a suite that is not there", [agent(1), agent(2), "nowhere.yaml"], "nowhere.yaml"],
    ["agents without a suite", [agent(1), agent(2)], "without a suite, <a> and <b> are files of results"],
    [
      "two things on stdout",
      [agent(1), agent(2), "suite.yaml", "-r", "tap"],
      "the comparison goes to stdout",
    ],
    ["one agent", [agent(1)], "missing required argument 'b'"],
  ])("are refused: %s", async (_what, args, said) => {
    const ended = await proctor(["compare", ...args]);
    expect(ended).toMatchObject({ code: 2, out: "" });
    expect(ended.err).toContain(said);
  });
});

describe("a regression gate that cannot compare", () => {
  const nowhere = "atp+http://127.0.0.1:9";
  const pass = agent(99);
  const test = (...args: string[]): Promise<Ended> => proctor(["test", ...args]);
  const lastLine = ({ out }: Ended): string => out.trimEnd().split("\n").at(-1) ?? "";

  beforeAll(async () => {
    writeFileSync(file("two.yaml"), suite("two", 2));
    writeFileSync(file("renamed.yaml"), suite("renamed", 2));
    await test("two.yaml", "--reporter", "json=two.json");
    await test("two.yaml", "--agent", nowhere, "--reporter", "json=unreachable.json");
  });

  it("fails when no case is in both results", async () => {
    const ended = await test("renamed.yaml", "--baseline", "two.json");
    expect(ended.code).toBe(3);
    expect(ended.out).toContain("not compared with two.json");
    expect(ended.out).toContain("nothing to compare: no case is in both");
    expect(ended.out).not.toContain("no regression");
    const compared = await proctor(["baseline", "compare", "two.json", "--results", "unreachable.json"]);
    expect(compared.code).toBe(3);
    expect(lastLine(compared)).toMatch(/^\? not compared with two\.json/);
  });

  it("fails when a case is missing, unless it was not chosen", async () => {
    writeFileSync(file("one.yaml"), suite("two", 1));
    const missing = await test("one.yaml", "--baseline", "two.json");
    expect(missing.code).toBe(3);
    expect(missing.out).toContain("not fully compared with two.json");
    const chosen = await test("two.yaml", "--only", "t0", "--baseline", "two.json");
    expect(chosen.code).toBe(0);
    expect(chosen.out).toContain("no regression against two.json");
  });

  it.each([
    ["the second", [pass, nowhere]],
    ["the first", [nowhere, pass]],
  ])("finds no difference when %s of two agents cannot be reached", async (_, agents) => {
    const ended = await proctor(["compare", ...agents, "two.yaml"]);
    expect(ended.code).toBe(3);
    expect(lastLine(ended)).toBe(`not compared: no run of ${nowhere} could be evaluated`);
    expect(await proctor(["compare", ...agents, "two.yaml", "--fail-on", "worse"])).toMatchObject({
      code: 3,
    });
  });

  it("says that an agent could not be reached when it compares files", async () => {
    const ended = await proctor(["compare", "two.json", "unreachable.json"]);
    expect(ended).toMatchObject({ code: 3 });
    expect(lastLine(ended)).toBe(`not compared: no run of ${nowhere} could be evaluated`);
    await proctor(["baseline", "save", "dead.json", "--results", "unreachable.json"]);
    const gate = await test("two.yaml", "--agent", nowhere, "--baseline", "dead.json");
    expect(gate.code).toBe(1);
    const later = await proctor([
      "baseline",
      "compare",
      "dead.json",
      "--results",
      "unreachable.json",
      "--json",
    ]);
    expect(later.code).toBe(3);
    expect(JSON.parse(later.out)).toMatchObject({ outcome: "unevaluated", regression: false });
  });
});

describe("the example of a regression gate", () => {
  const gate = join(folder, "gate");
  let command: string[];
  beforeAll(() => {
    cpSync(EXAMPLE, gate, { recursive: true });
    const workflow = parse(readFileSync(join(gate, ".github/workflows/agents.yml"), "utf8")) as {
      jobs: { test: { steps: { run?: string }[] } };
    };
    const runs = workflow.jobs.test.steps.flatMap(({ run }) => run ?? []);
    expect(runs).toContain("npm ci");
    const [, line = ""] =
      /^npx proctor (.*)$/m.exec(runs.find((run) => run.startsWith("npx proctor")) ?? "") ?? [];
    command = line.trim().split(/\s+/);
  });

  it("has a baseline as proctor baseline save writes it", async () => {
    const baseline = join(gate, "baseline.json");
    await proctor(["baseline", "save", "copy.json", "--results", baseline]);
    expect(readFileSync(file("copy.json"), "utf8")).toBe(readFileSync(baseline, "utf8"));
  });

  it("lets a good agent through", async () => {
    // The annotations have stdout.
    const err = "report  report/summary.md\nreport  report/index.html\n";
    expect(await proctor(command, { cwd: gate })).toMatchObject({ code: 0, err });
    expect(readFileSync(join(gate, "report/summary.md"), "utf8")).toContain(
      "no regression against baseline.json",
    );
    expect(readFileSync(join(gate, "report/index.html"), "utf8")).toMatch(/^<!doctype html>/i);
  });

  it("stops an agent that got worse, with an annotation and the words of the README", async () => {
    const source = readFileSync(join(gate, "agent.mjs"), "utf8");
    writeFileSync(join(gate, "agent.mjs"), source.replace('"refund", ', ""));
    const ended = await proctor(command, { cwd: gate });
    expect(ended).toMatchObject({ code: 1 });
    expect(ended.out).toMatch(/^::error title=worse than baseline\.json of /m);
    const finding = "refund [router]: 5/5 → 0/5, worse (p = 0.0079 after correction)";
    expect(ended.out).toContain(finding);
    expect(readFileSync(join(gate, "README.md"), "utf8")).toContain(finding);
  });
});
