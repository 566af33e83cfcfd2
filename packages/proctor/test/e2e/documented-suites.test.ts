// What the documents show of checks, suites and reporters, through the program as it is built and shipped. All examples of checks
// are in one suite: one process validates it, and one tests it.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { REPORTER_NAMES } from "../../src/suites/reporters/catalogue.ts";
import {
  CHECKS_DOCUMENT,
  checkExamples,
  steadyMessage,
  type CheckExample,
} from "../support/check-examples.ts";
import { block, blocks } from "../support/markdown.ts";
import { runProgram, startProgram, type Ended } from "../support/program.ts";
import { runCommand } from "../support/run-command.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const folder = temporaryFolder("documented-suites");
const read = (file: string): string => readFileSync(join(root, file), "utf8");

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

/** Finds what the real one finds in calc.py, where nobody has to have it. */
const RUFF = `#!/bin/sh
echo '[{"code":"F401","message":"\`os\` imported but unused","filename":"calc.py","location":{"row":2}}]'
exit 1
`;

/** Hands over the texts of the document. */
const WRITER = `
import { readFileSync } from "node:fs";
const { task_id } = JSON.parse(readFileSync(0, "utf8"));
const artifacts = JSON.parse(readFileSync("texts.json", "utf8"));
console.log(JSON.stringify({ version: "1.0", task_id, status: "completed", artifacts, metrics: {} }));
`;

const hasPytest = spawnSync("python3", ["-m", "pytest", "--version"]).status === 0;
const examples = checkExamples().filter(({ check }) => hasPytest || check.type !== "pytest");
const shownOn = (head: RegExp): CheckExample[] => examples.filter((example) => head.test(example.head));
const OTHER = /^# (?:of|in) /;
const GROUPS = {
  researcher: examples.filter(({ head }) => !OTHER.test(head)),
  clumsy: shownOn(/^# of clumsy\.mjs/),
  workspace: shownOn(/^# in the workspace/),
  texts: shownOn(/^# of texts/),
};
/** What comes of these depends on a machine, on how long runs took, or on what was asked: they are only read. */
const ONLY_READ = shownOn(/^# of (?:runs|terminal tasks|a conversation)/);

function writeExamples(): void {
  const suite = parse(block(CHECKS_DOCUMENT, "yaml", "# suite\ntest_suite: research")) as {
    agents: object[];
    tests: { tools: object }[];
  };
  for (const name of ["researcher", "clumsy"])
    write(`${name}.mjs`, block(CHECKS_DOCUMENT, "js", `// ${name}.mjs`));
  write("writer.mjs", WRITER);
  const texts = blocks(CHECKS_DOCUMENT, "text").map((text) => {
    const end = text.indexOf("\n");
    return {
      type: "file",
      path: text.slice(0, end),
      content_type: "text/plain",
      content: text.slice(end + 1),
    };
  });
  write("texts.json", JSON.stringify(texts));
  for (const file of ["calc.mjs", "calc.test.mjs"])
    write(`workspace/${file}`, block(CHECKS_DOCUMENT, "js", `// ${file}`));
  for (const file of ["calc.py", "tests/test_calc.py"])
    write(`workspace/${file}`, block(CHECKS_DOCUMENT, "python", `# ${file}`));
  write(
    "workspace/package.json",
    blocks(CHECKS_DOCUMENT, "json").find((text) => text.includes("calc.test.mjs")) ?? "",
  );
  write("checks/short.mjs", block(CHECKS_DOCUMENT, "js", "// checks/short.mjs"));
  write("facts.yaml", block(CHECKS_DOCUMENT, "yaml", "# facts.yaml"));
  const [, other = ""] = /^The second example has (.*)\.$/m.exec(CHECKS_DOCUMENT) ?? [];
  write("other-facts.yaml", Array.from(other.matchAll(/`([^`]*)`/g), ([, line]) => `${line}\n`).join(""));
  write("judge.yaml", block(CHECKS_DOCUMENT, "yaml", "# judge.yaml"));
  write("tools/ruff", RUFF);
  chmodSync(join(folder, "tools/ruff"), 0o755);
  mkdirSync(join(folder, "tests"));

  const test = (id: keyof typeof GROUPS, agent: string, task: object): object => ({
    id,
    name: id,
    agents: [agent],
    tools: suite.tests[0]?.tools,
    task: { description: "Find competitors of Slack", ...task },
    assertions: GROUPS[id].map(({ check }) => check),
  });
  write(
    "examples.yaml",
    stringify({
      test_suite: "examples",
      agents: [...suite.agents, { name: "writer", address: "atp+stdio:node writer.mjs" }],
      tests: [
        test("researcher", "researcher", {}),
        test("clumsy", "clumsy", {}),
        test("workspace", "writer", { workspace_fixture: "workspace" }),
        test("texts", "writer", { description: "Write release notes" }),
      ],
    }),
  );
  const only = {
    id: "read",
    name: "read",
    task: { description: "x" },
    assertions: ONLY_READ.map(({ check }) => check),
  };
  write("only-read.yaml", stringify({ test_suite: "read", agents: suite.agents, tests: [only] }));
}

/** Every complete suite of the documents, with the files that stand beside it. */
function writeSuites(): string[] {
  const documents = [
    "reference/suite",
    "reference/checks",
    "guides/first-agent",
    "guides/judge",
    "guides/write-a-suite",
  ];
  const guide = read("docs/guides/write-a-suite.md");
  write("docs/capitals.csv", blocks(guide, "csv")[0] ?? "");
  write("docs/sums.jsonl", blocks(guide, "jsonl")[0] ?? "");
  write("docs/shared.yaml", block(guide, "yaml", "# shared.yaml"));
  return documents.flatMap((name) =>
    blocks(read(`docs/${name}.md`), "yaml")
      .filter((text) => text.startsWith("# suite"))
      .map((text, index) => {
        const file = `docs/${name.replace("/", "-")}-${index}.yaml`;
        write(file, text);
        return file;
      }),
  );
}

describe("what the documents show, in the built program", () => {
  const reports = REPORTER_NAMES.map((name) => `${name}=report.${name}`);
  let env: Record<string, string> = {};
  let tested: Ended;
  let suites: string[];

  beforeAll(async () => {
    writeExamples();
    suites = writeSuites();
    const judge = startProgram(["mock", "llm", "judge.yaml", "--port", "0"], { folder });
    const [, url = ""] = await judge.printed(/(http:\/\/127\.0\.0\.1:\d+\/v1)/);
    const path = `${join(folder, "tools")}${delimiter}${process.env["PATH"] ?? ""}`;
    env = { PROCTOR_JUDGE_URL: url, PROCTOR_JUDGE_MODEL: "judge", PATH: path };
    const args = ["test", "examples.yaml", ...reports.flatMap((report) => ["--reporter", report])];
    tested = await runProgram(args, { folder, env });
  }, 300_000);

  it("validates: every example of a check, and every complete suite", async () => {
    expect(suites.length).toBeGreaterThan(10);
    const ended = await runCommand(["validate", "examples.yaml", "only-read.yaml", ...suites], {
      folder,
      env,
    });
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(ended.stdout.match(/^✓/gm)).toHaveLength(suites.length + 2);
  });

  it.each(Object.keys(GROUPS) as (keyof typeof GROUPS)[])("comes out as the document says: %s", (id) => {
    expect(tested).toMatchObject({ code: 1, stderr: "" });
    const { cases } = JSON.parse(readFileSync(join(folder, "report.json"), "utf8")) as {
      cases: { test_id: string; runs: { checks: { type: string; outcome: string; message: string }[] }[] }[];
    };
    const checks = cases.find(({ test_id }) => test_id === id)?.runs[0]?.checks ?? [];
    expect(GROUPS[id].length).toBeGreaterThan(0);
    expect(
      checks.map(({ type, outcome, message }) => ({ type, outcome, message: steadyMessage(message) })),
    ).toEqual(
      GROUPS[id].map(({ check: { type }, expected: { outcome, message } }) => ({
        type,
        outcome,
        message: steadyMessage(message),
      })),
    );
  });

  it.skipIf(hasPytest)("comes out as the document says: pytest, which is not installed here", ({ skip }) => {
    skip("there is no pytest here");
  });

  it.each(REPORTER_NAMES)("reports with %s", (name) => {
    expect(statSync(join(folder, `report.${name}`)).size).toBeGreaterThan(500);
  });
});
