// Every reporter through the command: on stdout, into files beside each other, and where nothing can be written.
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { REPORTER_NAMES, type ReporterName } from "../../../suites/reporters/catalogue.ts";
import { createIo, createProgramDouble, type Script } from "../../../../test/support/cli/program-double.ts";

let folder: string;
const SUITE = `
test_suite: smoke
agents: [{name: writer, address: "atp+stdio:python writer.py"}]
tests:
  - {id: greets, name: Greets, task: {description: "Say hello"}, checks: [{type: no_errors}]}
  - {id: works, name: Works, task: {description: "Work"}, checks: [{type: no_errors}]}
`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "proctor-reporters-"));
  await writeFile(join(folder, "smoke.yaml"), SUITE);
});
afterAll(() => rm(folder, { recursive: true }));

const fails: Script = (run) => [
  { type: "run.started", payload: { worker: "here" } },
  ...(run.task.description === "Work"
    ? [{ type: "error" as const, payload: { error_type: "Oops", message: "broke\n::error::x" } }]
    : []),
  { type: "run.ended", payload: { status: "completed" } },
];

/** Beginnings of the reports of one test that passed and one that failed. */
const BEGINNINGS = {
  console: /^(PASS|FAIL) {2}/,
  json: /^\{\n {2}"cases"/,
  jsonl: /^\{"type":"run","suite":"smoke"/,
  junit: /^<\?xml /,
  markdown: /^\*\*1 passed, 1 failed, 0 unevaluated\*\* in /,
  tap: /^TAP version 14\n1\.\.2\n/,
  github: /^::error file=\S*smoke\.yaml,line=6,col=\d+,title=works \[writer\]::no_errors: .*\n$/,
  html: /^<!doctype html>\n/,
} satisfies Record<ReporterName, RegExp>;

test.each(REPORTER_NAMES)("the reporter %s writes to stdout and nowhere else", async (name) => {
  const { code, out, err } = await createProgramDouble({ script: fails }).run(
    ["test", "smoke.yaml", "--reporter", name],
    createIo({ cwd: folder }),
  );

  expect({ code, err }).toEqual({ code: 1, err: "" });
  expect(out).toMatch(BEGINNINGS[name]);
});

test("all reporters write at once, each into its file", async () => {
  const flags = REPORTER_NAMES.flatMap((name) => ["-r", `${name}=out/${name}.report`]);

  const { code, out } = await createProgramDouble({ script: fails }).run(
    ["test", "smoke.yaml", ...flags],
    createIo({ cwd: folder }),
  );

  expect(code).toBe(1);
  expect(out).toMatch(BEGINNINGS.console);
  for (const name of REPORTER_NAMES) {
    expect(out).toContain(`\nreport  out/${name}.report\n`);
    expect(await readFile(join(folder, "out", `${name}.report`), "utf8")).toMatch(BEGINNINGS[name]);
  }
});

test("a report in a file leaves the console as it is, and another report on stdout whole", async () => {
  const run = (...flags: string[]) =>
    createProgramDouble({ script: fails }).run(["test", "smoke.yaml", ...flags], createIo({ cwd: folder }));

  const alone = await run("--reporter", "html=out/report.html");
  const beside = await run("--json", "--reporter", "html=out/report.html");

  expect(alone.out).toMatch(
    /FAIL {2}works \[writer\][^]*1 passed, 1 failed[^]*\nreport {2}out\/report\.html\n$/,
  );
  expect(alone.err).toBe("");
  expect(JSON.parse(beside.out)).toMatchObject({ summary: { failed: 1 } });
  expect(beside.err).toBe("report  out/report.html\n");
});

test.each(REPORTER_NAMES)(
  "the reporter %s ends the command before anything runs when its file cannot be written",
  async (name) => {
    const program = createProgramDouble();

    const { code, out, err } = await program.run(
      ["test", "smoke.yaml", "--reporter", `${name}=smoke.yaml/report`],
      createIo({ cwd: folder }),
    );

    expect({ code, out, modes: program.modes }).toEqual({ code: 2, out: "", modes: [] });
    expect(err).toContain(`--reporter ${name}=smoke.yaml/report: the report cannot be written`);
  },
);

test.each([
  ["markdwon", "did you mean markdown?"],
  ["xml-of-sorts", "there are: console, json, jsonl, junit, markdown, "],
])("the reporter %s is refused as unknown", async (name, next) => {
  const { code, err } = await createProgramDouble().run(
    ["test", "smoke.yaml", "--reporter", name],
    createIo({ cwd: folder }),
  );

  expect(code).toBe(2);
  expect(err).toContain(next);
});

test("shells complete the names of reporters", async () => {
  const { out } = await createProgramDouble().run(["completion", "bash"]);
  await writeFile(join(folder, "completion.bash"), out);
  const script = `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _proctor; echo "\${COMPREPLY[@]}"`;
  const complete = (...words: string[]): string =>
    execFileSync("bash", ["--norc", "-c", script, join(folder, "completion.bash"), ...words], {
      encoding: "utf8",
    }).trim();

  expect(complete("proctor", "test", "--reporter", "")).toBe(REPORTER_NAMES.join(" "));
  expect(complete("proctor", "test", "-r", "js")).toBe("json jsonl");
  for (const shell of ["zsh", "fish"]) {
    expect((await createProgramDouble().run(["completion", shell])).out).toContain(REPORTER_NAMES.join(" "));
  }
});
