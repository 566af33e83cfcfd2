import { messageOf } from "../core/message-of.ts";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadSuite } from "./load.ts";
import type { Suite } from "./suite.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "proctor-suite-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function load(text: string, variables: Record<string, string> = {}): Promise<Suite> {
  const file = join(folder, "suite.yaml");
  await writeFile(file, text);
  return loadSuite(file, { variables });
}

/** The problems, with the temporary folder cut off. */
async function problems(text: string): Promise<string[]> {
  const message = await load(text).then(
    () => "no problem",
    (error: unknown) => messageOf(error),
  );
  return message.replaceAll(`${folder}/`, "").split("\n");
}

const TEST = "  - {id: t, name: T, task: {description: do it}}\n";
const suite = (rest: string): string => `test_suite: s\n${rest}`;
const withAgent = (entry: string): string => suite(`agents:\n  - ${entry}\ntests:\n${TEST}`);
const withTest = (rest: string): string =>
  suite(`tests:\n  - id: t\n    name: T\n    task: {description: do}\n    ${rest}\n`);

describe("loading a suite", () => {
  test("reads all of it and applies the defaults", async () => {
    const loaded = await load(
      `
test_suite: smoke
version: 1.0
description: the first
defaults:
  runs_per_test: \${RUNS:3}
  timeout_seconds: 20
  constraints: {max_steps: 5, allowed_tools: [search]}
agents:
  - name: echo
    command: node agent.js
tests:
  - id: one
    name: The first
    tags: [fast]
    task:
      description: say \${WORD}
      input_data: {deep: [1, {a: null}]}
      expected_artifacts: [report.md, {type: file, name: b}]
    constraints: {max_steps: 9, allowed_tools: null, budget_usd: 0.5}
    agents: [echo]
    assertions:
      - type: contains
        config: {pattern: hi}
        critical: true
      - type: no_errors
  - id: two
    name: The second
    task: {description: nothing}
    checks: []
`,
      { WORD: "hello" },
    );

    expect(loaded).toMatchObject({ name: "smoke", description: "the first" });
    const [one, two] = loaded.tests;
    expect(one).toMatchObject({
      id: "one",
      tags: ["fast"],
      runs: 3,
      agents: ["echo"],
      constraints: { max_steps: 9, allowed_tools: ["search"], budget_usd: 0.5, timeout_seconds: 20 },
      task: {
        description: "say hello",
        input_data: { deep: [1, { a: null }] },
        expected_artifacts: [{ name: "report.md" }, { type: "file", name: "b" }],
      },
    });
    expect(one?.checks).toMatchObject([
      { type: "contains", critical: true, line: 23, col: 9 },
      { type: "no_errors", critical: false, line: 26, col: 9 },
    ]);
    expect(two).toMatchObject({ constraints: { max_steps: 5, timeout_seconds: 20 }, checks: [], line: 27 });
    expect(two).not.toHaveProperty("agents");
  });

  test("takes the limit of a test before those of the defaults", async () => {
    const loaded = await load(
      suite(`defaults: {timeout_seconds: 10, constraints: {timeout_seconds: 20}}
tests:
  - {id: a, name: A, task: {description: x}}
  - {id: b, name: B, task: {description: x}, constraints: {timeout_seconds: 30}}
`),
    );
    expect(loaded.tests.map((one) => one.constraints.timeout_seconds)).toEqual([20, 30]);
  });
});

describe("the agents of a suite", () => {
  const agent = async (entry: string): Promise<unknown> => (await load(withAgent(entry))).agents[0];

  test("may have the long form, and start in the folder of the suite", async () => {
    expect(await agent("{name: a, command: [node, my agent.js], env: {KEY: v}, concurrency: 2}")).toEqual({
      name: "a",
      protocol: "atp",
      transport: "stdio",
      command: ["node", "my agent.js"],
      env: { KEY: "v" },
      concurrency: 2,
      cwd: folder,
    });
    expect(await agent("{name: a, command: run, cwd: sub/dir}")).toMatchObject({
      cwd: join(folder, "sub/dir"),
    });
    expect(await agent("{name: a, url: 'https://host/x', headers: {Authorization: b}}")).toEqual({
      name: "a",
      protocol: "atp",
      transport: "https",
      url: "https://host/x",
      headers: { Authorization: "b" },
    });
    expect(await agent("{name: a, protocol: a2a, transport: http, url: 'http://host/'}")).toMatchObject({
      protocol: "a2a",
    });
  });

  test("may have an address", async () => {
    expect(await agent("{name: a, address: 'atp+stdio:node \"my agent.js\"', env: {K: v}}")).toEqual({
      name: "a",
      protocol: "atp",
      transport: "stdio",
      command: ["node", "my agent.js"],
      env: { K: "v" },
      cwd: folder,
    });
  });

  test("may be written as the ATP platform writes them", async () => {
    expect(
      await agent("{name: a, type: cli, config: {command: python3, args: [agent.py, -v], working_dir: x}}"),
    ).toEqual({
      name: "a",
      protocol: "atp",
      transport: "stdio",
      command: ["python3", "agent.py", "-v"],
      cwd: join(folder, "x"),
    });
    expect(
      await agent(
        "{name: a, type: http, config: {endpoint: 'http://localhost:1/run', allow_internal: true}}",
      ),
    ).toEqual({
      name: "a",
      protocol: "atp",
      transport: "http",
      url: "http://localhost:1/run",
    });
  });

  test.each([
    ["{name: a}", 'suite.yaml:3:5  missing "command" or "url" (or "address")'],
    ["{name: a, command: x, url: 'http://h/'}", 'suite.yaml:3:5  give "command" or "url", not both'],
    [
      "{name: a, address: 'atp+stdio:x', command: y}",
      'suite.yaml:3:39  "command" is already said by "address"',
    ],
    ["{name: a, command: []}", 'suite.yaml:3:24  "command" must name a program'],
    ["{name: a, command: 'x \"y'}", "suite.yaml:3:24  unclosed double quote"],
    ["{name: a b, command: x}", "suite.yaml:3:12  an agent's name is made of letters"],
    ["{name: a, url: nowhere}", 'suite.yaml:3:20  "url" is not valid here'],
    ["{name: a, url: 'http://me:secret@host/'}", 'suite.yaml:3:20  "url" is not valid here'],
    ["{name: a, transport: http, command: x}", 'suite.yaml:3:26  "transport" is not needed, and wrong'],
    ["{name: a, command: x, env: {PORT: 80}}", 'suite.yaml:3:39  "PORT" must be text, not a number'],
    ["{name: a, command: x, headers: {'a b': c}}", "suite.yaml:3:37  this is no name of an HTTP header"],
    ["{name: a, comand: x}", 'suite.yaml:3:15  unknown key "comand"'],
    ["{name: a, type: docker, config: {}}", 'suite.yaml:3:21  "type" must be "cli" or "http"'],
    ["{name: a, type: cli, config: {command: x, shell: true}}", 'suite.yaml:3:47  unknown key "shell"'],
    ["{name: a, type: http, config: {}}", 'suite.yaml:3:35  give either "url" or "endpoint"'],
    ["{name: a, address: nonsense}", "suite.yaml:3:24  "],
    ["just-a-name", "suite.yaml:3:5  this entry must be a mapping (key: value), not text"],
  ])("are refused when written as %s", async (entry, expected) => {
    const found = await problems(withAgent(entry));
    expect(
      found.some((line) => line.startsWith(expected)),
      found.join("\n"),
    ).toBe(true);
  });
});

test("loading a suite refuses a protocol that the hub does not speak", async () => {
  const file = join(folder, "schemes.yaml");
  await writeFile(file, withAgent("{name: a, address: 'apt+stdio:x'}"));
  await expect(loadSuite(file, { schemes: ["atp+stdio", "atp+http"] })).rejects.toThrow(
    /schemes\.yaml:3:5 {2}no protocol speaks "apt\+stdio"\n {3}did you mean "atp\+stdio"\?/,
  );
});

describe("a suite is refused, with the place, for", () => {
  test("a text where a task or a check belongs, with the form that was meant", async () => {
    const text = "test_suite: s\ntests:\n  - { id: a, name: A, task: Say hi, checks: [no_errors] }\n";
    const found = (await problems(text)).join("\n");

    expect(found).toContain(
      '"task" must be a mapping (key: value), not text\n   write { description: "Say hi" }',
    );
    expect(found).toContain(
      "this entry must be a mapping (key: value), not text\n   write { type: no_errors }",
    );
  });

  test("an unknown check, with the nearest one", async () => {
    expect(
      await problems(withTest("assertions:\n      - type: contians\n        config: {pattern: x}")),
    ).toEqual([
      'suite.yaml:7:15  unknown check "contians"',
      '   did you mean "contains"?  All checks: proctor docs checks',
    ]);
  });

  test.each([
    ["mode: handoff", 'suite.yaml:6:5  the mode "handoff" is not supported'],
    ["mode: collaboration", 'suite.yaml:6:5  the mode "collaboration" is not supported'],
    ["mode: comparision", 'suite.yaml:6:11  "mode" must be "comparison" or "collaboration" or "handoff"'],
    ["comparison_config: {}", 'suite.yaml:6:5  "comparison_config" needs "mode: comparison"'],
    ["scoring: {}", "suite.yaml:6:14  the weights add up to 0, not to 1"],
    [
      "scoring: {quality_weight: 0.5, cost_weight: 0.4}",
      "suite.yaml:6:14  the weights add up to 0.9, not to 1",
    ],
    ["handoff_config: {}", 'suite.yaml:6:5  "handoff_config" is not supported'],
    ["collaboration_config: {}", 'suite.yaml:6:5  "collaboration_config" is not supported'],
    ["pass_rate: 1", "suite.yaml:6:16  every run must pass without it"],
    ["pass_rate: {at_least: 1.0}", "suite.yaml:6:27  every run must pass without it"],
    ["pass_rate: 0", "suite.yaml:6:16  a share of the runs is more than 0"],
    ["pass_rate: {at_least: 0.9, confidence: 1}", 'suite.yaml:6:44  "confidence" is more than 0'],
    ["pass_rate: {max_runs: 3}", 'suite.yaml:6:16  missing key "at_least"'],
    ["threshold: 2", 'suite.yaml:6:16  "threshold" must be at most 1'],
    ["concurrency: 0", 'suite.yaml:6:18  "concurrency" must be at least 1'],
    ["assertions: [{type: no_errors, weight: -1}]", 'suite.yaml:6:44  "weight" must be at least 0'],
    [
      "assertions: []\n    checks: []",
      'suite.yaml:7:5  "assertions" and "checks" are two names for the same; use one',
    ],
    ["assertions: [{type: contains}]", 'suite.yaml:6:18  missing key "pattern"'],
    [
      "assertions: [{type: contains, config: {pattern: x, patern: y}}]",
      'suite.yaml:6:56  unknown key "patern"',
    ],
    [
      "assertions: [{type: contains, config: {pattern: '(', regex: true}}]",
      'suite.yaml:6:53  "pattern" is no regular expression',
    ],
    ["assertions: [{}]", 'suite.yaml:6:18  missing key "type"'],
    ["assertions:", 'suite.yaml:6:5  "assertions" must be a list, not empty'],
    ["constraints: {timeout_seconds: 0}", 'suite.yaml:6:36  "timeout_seconds" must be at least 1'],
    ["constraints: {chaos: 1}", 'suite.yaml:6:19  unknown key "chaos"'],
    ["tags: ['!x']", "suite.yaml:6:12  a tag has no comma"],
    ["agents: [ghost]", 'suite.yaml:6:14  unknown agent "ghost"'],
  ])("%s", async (rest, expected) => {
    const found = await problems(withTest(rest));
    expect(
      found.some((line) => line.startsWith(expected)),
      found.join("\n"),
    ).toBe(true);
  });

  test("a workspace fixture that does not exist", async () => {
    expect(
      await problems(suite("tests:\n  - {id: t, name: T, task: {description: x, workspace_fixture: y}}\n")),
    ).toContain('suite.yaml:3:64  there is no directory "y"');
    expect(
      await problems(
        suite("tests:\n  - {id: t, name: T, task: {description: x, workspace_fixture: suite.yaml}}\n"),
      ),
    ).toContain('suite.yaml:3:64  "suite.yaml" is not a directory');
  });

  test("a file of tools that does not exist, wherever the suite names it", async () => {
    expect(
      await problems(
        suite(
          "defaults: {tools: none.yaml}\ntests:\n  - {id: t, name: T, task: {description: x}, tools: nowhere.yaml}\n",
        ),
      ),
    ).toEqual([
      'suite.yaml:2:19  there is no file "none.yaml"',
      "   the path is taken from the folder of this file",
      'suite.yaml:4:53  there is no file "nowhere.yaml"',
      "   the path is taken from the folder of this file",
    ]);
  });

  test.each(["/etc/*", "../*.md", "a/../../b", ".."])(
    "a pattern to collect that leads out of the workspace: %s",
    async (pattern) => {
      expect(
        await problems(
          suite(
            `tests:\n  - {id: t, name: T, task: {description: x, collect: ["..a/b..", ${JSON.stringify(pattern)}]}}\n`,
          ),
        ),
      ).toEqual(["suite.yaml:3:66  a pattern is relative to the workspace, and does not lead out of it"]);
    },
  );

  test("no tests, another version and an empty suite name", async () => {
    expect(await problems("test_suite: ''\nversion: '2.0'\ntests: []\n")).toEqual([
      'suite.yaml:1:13  "test_suite" must not be empty',
      'suite.yaml:2:10  "version" must be "1.0"',
      'suite.yaml:3:8  "tests" needs at least 1 entry',
    ]);
  });

  test("duplicate names and unknown agents, together with everything else", async () => {
    expect(
      await problems(`test_suite: s
agents:
  - {name: echo, command: a}
  - {name: echo, command: b}
tests:
  - {id: t, name: T, task: {description: x}, agents: [ehco, echo, echo]}
  - {id: t, name: T, task: {description: x}, extra: 1}
`),
    ).toEqual([
      'suite.yaml:4:12  agent "echo" is here twice',
      "   the first is at suite.yaml:3:12",
      'suite.yaml:6:55  unknown agent "ehco"',
      '   did you mean "echo"?',
      'suite.yaml:6:67  agent "echo" is named twice',
      'suite.yaml:7:10  test "t" is here twice',
      "   the first is at suite.yaml:6:10",
      'suite.yaml:7:46  unknown key "extra"',
      "   known here: id, name, description, task, turns, user, constraints, runs_per_test, pass_rate, concurrency, threshold, scoring, tags, agents, assertions, checks, vars, environment, secrets, tools, labs, terminal, strict, canary, matrix, data, mode, comparison_config, collaboration_config, handoff_config",
    ]);
  });

  test("a variable that is not set", async () => {
    expect((await problems(withTest("description: '${NOT_THERE}'")))[0]).toBe(
      "suite.yaml:6:19  the variable NOT_THERE is not set",
    );
  });
});

describe("what a suite gives its runs beside their tasks", () => {
  test("comes from the defaults first, then from the test", async () => {
    await writeFile(join(folder, "tools.yaml"), "tools: [{name: search, default: {output: 1}}]\n");
    const loaded = await load(
      suite(`defaults:
  environment: {REGION: eu, MODE: fast}
  secrets: {API_KEY: "\${KEY}"}
  tools: tools.yaml
  canary: true
tests:
  - {id: a, name: A, task: {description: do, collect: ["*.md"]}, environment: {MODE: slow}, strict: true}
  - {id: b, name: B, task: {description: do}, canary: false, tools: {tools: [{name: own, default: {output: 2}}]}}
`),
      { KEY: "sk-1234567" },
    );
    expect(loaded.tests.map(({ environment, options }) => ({ environment, options }))).toEqual([
      {
        environment: { REGION: "eu", MODE: "slow", API_KEY: "sk-1234567" },
        options: {
          strict: true,
          canary: true,
          tools: { tools: [{ name: "search", default: { output: 1 } }] },
          workspace: { collect: ["*.md"] },
        },
      },
      {
        environment: { REGION: "eu", MODE: "fast", API_KEY: "sk-1234567" },
        options: { tools: { tools: [{ name: "own", default: { output: 2 } }] } },
      },
    ]);
  });

  test("has fixtures from the folder of the suite", async () => {
    await mkdir(join(folder, "seed"), { recursive: true });
    const loaded = await load(
      suite("tests:\n  - {id: t, name: T, task: {description: x, workspace_fixture: seed}}\n"),
    );
    expect(loaded.tests[0]?.options).toEqual({ workspace: { fixture: join(folder, "seed") } });
  });

  test.each([
    ["plain", "log in with hunter2-hunter2"],
    ["through its variable", "log in with ${KEY}"],
    ["encoded", `log in with ${Buffer.from("hunter2-hunter2").toString("base64")}`],
  ])("may not have a declared secret in a description: %s", async (_name, description) => {
    const text = suite(`tests:
  - id: t
    name: T
    secrets: {PASSWORD: hunter2-hunter2}
    task:
      description: "${description}"
`);
    const message = await load(text, { KEY: "hunter2-hunter2" }).then(
      () => "no problem",
      (error: unknown) => String(error),
    );
    expect(message).toContain(
      'suite.yaml:7:20  the description holds the value of "PASSWORD", which is a secret',
    );
  });

  test("may have a variable that is no secret in a description", async () => {
    const text = `tests:\n  - {id: t, name: T, environment: {REGION: europe}, task: {description: Search in europe}}\n`;
    expect((await load(suite(text))).tests[0]?.environment).toEqual({ REGION: "europe" });
  });
});
