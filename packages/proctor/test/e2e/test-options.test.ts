// What a suite gives its runs beside their tasks, and one agent over several transports: `proctor test` as its users see it.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Ended } from "../support/program.ts";
import { runCommand } from "../support/run-command.ts";
import { SDK_EXAMPLE, serveAgent, writeAgent, type Addresses } from "../support/sdk-agent.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { parseXml, type XmlElement } from "../support/xml.ts";

const folder = temporaryFolder("test-options");
const SECRET = "sk-live-0123456789";

/** Each does what its test is about. */
const AGENT = `
  switch (task.description) {
    case "environment":
      if (task.env.STYLE !== "brief" || task.env.MODE !== "slow") throw new Error("not my environment");
      return "the key has " + task.env.API_KEY.length + " characters";
    case "search": return JSON.stringify(await task.tools.call("web_search", { query: "Slack" }));
    case "lie": return emit.toolCall({ tool: "web_search", input: {}, output: {}, status: "success" });
    case "tell": return JSON.stringify(await task.tools.call("web_search", { query: task.env.PROCTOR_CANARY }));
    case "write": {
      const seed = readFileSync(task.workspace + "/seed.txt", "utf8");
      return writeFileSync(task.workspace + "/out.md", "made of " + seed);
    }
  }`;

const SUITE = `test_suite: everything
defaults:
  environment: { STYLE: brief, MODE: fast }
  secrets: { API_KEY: "\${API_KEY}" }
  tools: tools/search.yaml
  strict: true
agents:
  - { name: it, address: "atp+stdio:node agent.mjs" }
tests:
  - id: environment
    name: Finds its variables and the test's own
    environment: { MODE: slow }
    task: { description: environment }
    assertions: [{ type: contains, config: { pattern: the key has 18 characters } }]
  - id: defaults
    name: Uses the tools of the suite
    task: { description: search }
    assertions: [{ type: contains, config: { pattern: from the file } }]
  - id: own-tools
    name: Uses the tools of the test
    tools: { tools: [{ name: web_search, default: { output: from the test } }] }
    canary: true
    task: { description: search }
    assertions: [{ type: contains, config: { pattern: from the test } }]
  - id: workspace
    name: Works on a copy, and what it makes is kept
    task: { description: write, workspace_fixture: seeds, collect: ["*.md"] }
    assertions:
      - { type: contains, config: { pattern: made of a seed, path: out.md } }
  - id: lies
    name: Reports a call it never made
    task: { description: lie }
  - id: forgiven
    name: Reports a call it never made, and that is fine here
    strict: false
    task: { description: lie }
  - id: tells
    name: Tells the canary
    canary: true
    task: { description: tell }
`;

const PLAIN = `test_suite: plain
tests:
  - { id: hello, name: Says hello, task: { description: Say hello } }
  - { id: bye, name: Says bye, task: { description: Say bye } }
`;

const test = (args: readonly string[], env = { API_KEY: SECRET }): Promise<Ended> =>
  runCommand(["test", ...args], { folder, env });

beforeAll(() => {
  for (const name of ["tools", "seeds"]) mkdirSync(join(folder, name));
  writeFileSync(
    join(folder, "tools/search.yaml"),
    "tools: [{ name: web_search, default: { output: from the file } }]\n",
  );
  writeFileSync(join(folder, "seeds/seed.txt"), "a seed");
  writeAgent(folder, "agent.mjs", AGENT);
  writeFileSync(join(folder, "suite.yaml"), SUITE);
  writeFileSync(join(folder, "plain.yaml"), PLAIN);
});

describe("a suite with environment, tools, workspace, strictness and canary", () => {
  let ended: Ended;
  beforeAll(async () => {
    ended = await test(["suite.yaml", "--reporter", "console", "--reporter", "json=report.json"]);
  });

  it("passes where its agent does what it should, and fails where it does not", () => {
    expect(ended).toMatchObject({ code: 1, stderr: "" });
    const outcomes = ended.stdout.match(/^(PASS|FAIL) {2}\S+/gm)?.toSorted();
    expect(outcomes).toEqual([
      "FAIL  lies",
      "FAIL  tells",
      "PASS  defaults",
      "PASS  environment",
      "PASS  forgiven",
      "PASS  own-tools",
      "PASS  workspace",
    ]);
    expect(ended.stdout).toMatch(/\n5 passed, 2 failed, 0 unevaluated {2}in /);
  });

  it("says why tests failed, and names their runs", () => {
    expect(ended.stdout).toMatch(
      /FAIL {2}lies \[it\] .*\n {4}the run ended as failed: PROTOCOL_VIOLATION: .*tool\.unobserved: a call of web_search was reported and never made\n {6}suite\.yaml:30:5\n {6}proctor runs show [\w-]{36}\n/,
    );
    expect(ended.stdout).toMatch(
      /FAIL {2}tells \[it\] .*\n {4}the run ended as failed: CANARY_LEAKED: the canary turned up in .*a call of the tool web_search/,
    );
  });

  it("keeps its secrets out of what it prints and stores", async () => {
    const report = readFileSync(join(folder, "report.json"), "utf8");
    expect(`${ended.stdout}${report}`).not.toContain(SECRET);
    const { cases } = JSON.parse(report) as { cases: { test_id: string; runs: { run_id: string }[] }[] };
    const id = cases.find(({ test_id }) => test_id === "environment")?.runs[0]?.run_id ?? "";
    const shown = await runCommand(["runs", "show", id, "--json"], { folder });
    expect(JSON.parse(shown.stdout)).toMatchObject({
      status: "completed",
      context: { environment: { STYLE: "***", MODE: "***", API_KEY: "***" } },
      options: { strict: true, tools: { tools: [{ name: "web_search" }] } },
    });
    expect(shown.stdout).not.toContain(SECRET);
  });
});

it("proctor test --workers says which worker carried out how many runs, and leaves stdout to the report", async () => {
  const ended = await test([
    "suite.yaml",
    "--only",
    "defaults",
    "--only",
    "environment",
    "--workers",
    "--json",
  ]);
  expect(ended.code).toBe(0);
  expect(ended.stderr).toMatch(/^\S+:\d+ {2}2 runs\n$/);
  expect(JSON.parse(ended.stdout)).toMatchObject({ cases: [{}, {}] });
});

it("proctor test --strict --canary holds for every test, whatever the suite says", async () => {
  const ended = await test([
    "suite.yaml",
    "--only",
    "forgiven",
    "--only",
    "defaults",
    "--strict",
    "--canary",
  ]);
  expect(ended).toMatchObject({ code: 1, stderr: "" });
  expect(ended.stdout).toMatch(/^FAIL {2}forgiven \[it\]/m);
  expect(ended.stdout).toMatch(/^PASS {2}defaults \[it\]/m);
});

describe("proctor validate refuses, with the place,", () => {
  const withTest = (task: string, rest = ""): string =>
    `test_suite: s\ndefaults:\n  secrets: { API_KEY: "\${API_KEY}" }\n  environment: { STYLE: brief }${rest}\n` +
    `tests:\n  - id: a\n    name: A\n    task:\n      ${task}\n`;

  it.each<[what: string, text: string, ...said: string[]]>([
    [
      "a secret in a description",
      withTest(`description: log in with ${SECRET}`),
      'wrong.yaml:9:20  the description holds the value of "API_KEY", which is a secret',
      "agents find secrets in their environment; remove it from the text",
    ],
    [
      "a secret through its variable",
      withTest("description: log in with ${API_KEY}"),
      'wrong.yaml:9:20  the description holds the value of "API_KEY"',
    ],
    [
      "an encoded secret",
      withTest(`description: log in with ${Buffer.from(SECRET).toString("base64")}`),
      'wrong.yaml:9:20  the description holds the value of "API_KEY"',
    ],
    [
      "a fixture that is not there",
      withTest("description: Write briefly\n      workspace_fixture: nowhere"),
      'wrong.yaml:10:26  there is no directory "nowhere"',
      "the path is taken from the folder of this file",
    ],
    [
      "a fixture that is a file",
      withTest("description: x\n      workspace_fixture: plain.yaml"),
      'wrong.yaml:10:26  "plain.yaml" is not a directory',
    ],
    [
      "a pattern that leads out of the workspace",
      withTest("description: x\n      collect: ['../*']"),
      "wrong.yaml:10:17  a pattern is relative to the workspace",
    ],
    [
      "tools that are not there",
      withTest("description: x", "\n  tools: tools/none.yaml"),
      'wrong.yaml:5:10  there is no file "tools/none.yaml"',
      "the path is taken from the folder of this file",
    ],
    [
      "tools that are wrong, in their own file",
      withTest("description: x", "\n  tools: tools/wrong.yaml"),
      'tools/wrong.yaml:1:29  unknown key "outptu"',
      'did you mean "output"?',
    ],
    [
      "tools that are wrong, right here",
      withTest("description: x", "\n  tools: { tools: [{ nme: x }] }"),
      'wrong.yaml:5:22  unknown key "nme"',
      'did you mean "name"?',
    ],
  ])("%s", async (_what, text, ...said) => {
    writeFileSync(join(folder, "wrong.yaml"), text);
    writeFileSync(join(folder, "tools/wrong.yaml"), "tools: [{name: x, default: {outptu: 1}}]\n");
    const ended = await runCommand(["validate", "wrong.yaml"], { folder, env: { API_KEY: SECRET } });
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    for (const words of said) expect(ended.stderr).toContain(words);
    expect(ended.stderr).not.toContain(SECRET);
    expect(ended.stderr).not.toContain(folder);
  });

  it("a suite beside a good one, before anything runs", async () => {
    writeFileSync(join(folder, "wrong.yaml"), withTest(`description: log in with ${SECRET}`));
    const ended = await test(["suite.yaml", "wrong.yaml", "--agent", "atp+stdio:node agent.mjs"]);
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toContain("wrong.yaml:9:20");
  });
});

describe("one agent over several transports", () => {
  let example: Addresses;
  let divided: Addresses;
  beforeAll(async () => {
    const file = writeAgent(
      folder,
      "divided.mjs",
      `emit.progress({ message: "working" });
       if (served) emit.reasoning({ thought: "over a connection" });
       return { output: served ? "hello from afar" : "hello" };`,
    );
    [example, divided] = await Promise.all([serveAgent(SDK_EXAMPLE), serveAgent(file)]);
  });

  it("passes when it answers the same over each, without a word on stderr", async () => {
    const ended = await test(["plain.yaml", "--transports", Object.values(example).join(",")]);
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    for (const id of ["hello", "bye"]) {
      for (const address of Object.values(example)) {
        expect(ended.stdout).toContain(`PASS  ${id} [${address}]  (`);
      }
    }
    expect(ended.stdout).toMatch(/\n6 passed, 0 failed, 0 unevaluated/);
  });

  it("fails where its answers differ, and every report says where", async () => {
    const { stdio, http, ws } = divided;
    const ended = await test([
      "plain.yaml",
      "--only=hello",
      // With commas, or repeated.
      `--transports=${stdio},${http}`,
      `--transports=${ws}`,
      "--reporter=console",
      "--reporter=json=differs.json",
      "--reporter=junit=differs.xml",
    ]);
    expect(ended).toMatchObject({ code: 1, stderr: "" });
    const reason = [
      `differs from ${stdio}:`,
      '  artifacts.0.data.output: "hello" ≠ "hello from afar"',
      '  events.1: nothing ≠ {"type":"reasoning","payload":{"thought":"over a connection"}}',
    ];
    for (const address of [http, ws]) {
      const [, said = ""] = ended.stdout.split(`FAIL  hello [${address}]`);
      expect(said.split("\n").slice(1, 4)).toEqual(reason.map((line) => `    ${line}`));
    }
    expect(ended.stdout).toContain(`PASS  hello [${stdio}]`);
    expect(ended.stdout).toMatch(/\n1 passed, 2 failed, 0 unevaluated/);

    const { cases } = JSON.parse(readFileSync(join(folder, "differs.json"), "utf8")) as {
      cases: { agent: string; outcome: string; runs: { status: string; reason: string | null }[] }[];
    };
    expect(cases).toMatchObject([
      { agent: stdio, outcome: "pass", runs: [{ status: "completed", reason: null }] },
      { agent: http, outcome: "fail", runs: [{ status: "completed", reason: reason.join("\n") }] },
      { agent: ws, outcome: "fail", runs: [{ status: "completed", reason: reason.join("\n") }] },
    ]);

    const junit = parseXml(readFileSync(join(folder, "differs.xml"), "utf8"));
    const failures = elements(junit, "failure");
    const messages = failures.map(({ attributes }) => attributes["message"]);
    expect(messages).toEqual([
      expect.stringContaining(reason.join("\n")),
      expect.stringContaining(reason.join("\n")),
    ]);
  });

  it.each<[string, string[], ...string[]]>([
    [
      "one address",
      ["--transports", "atp+stdio:node agent.mjs"],
      "--transports needs at least two different addresses",
      'for example --transports "atp+stdio:node agent.mjs,atp+http://localhost:8000"',
    ],
    [
      "the same one twice",
      ["--transports", "atp+stdio:x,atp+stdio:x"],
      "--transports needs at least two different addresses",
    ],
    [
      "an agent beside them",
      ["--transports", "atp+stdio:x,atp+http://localhost:1", "--agent", "writer"],
      "--transports already says which agent: leave out --agent",
    ],
    [
      "a transport that nobody speaks",
      ["--transports", "atp+stdio:x,atp+htp://localhost:1"],
      'unknown transport "htp"',
      'did you mean "http"?',
    ],
  ])("is refused with %s", async (_what, flags, ...said) => {
    const ended = await test(["plain.yaml", ...flags]);
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    for (const words of said) expect(ended.stderr).toContain(words);
  });
});

function elements(element: XmlElement, name: string): XmlElement[] {
  const inside = element.children.flatMap((child) => elements(child, name));
  return element.name === name ? [element, ...inside] : inside;
}
