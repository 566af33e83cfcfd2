// Conversations as they are written: what is read, and what is refused with its place.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSuiteFolder, type SuiteFolder } from "../../../test/support/suites/load-suite.ts";

let folder: SuiteFolder;
beforeAll(async () => {
  folder = await createSuiteFolder();
});
afterAll(() => folder.remove());

const HEAD = "test_suite: s\ntests:\n  - id: t\n    name: T\n";

describe("a suite with a conversation", () => {
  test("gathers its steps into turns, each with its place, and has every question asked", async () => {
    const suite = await folder.load({
      "suite.yaml": `${HEAD}    vars: { who: Ada }
    task: { description: "Hello {{ who }}" }
    turns:
      - answer: "yes"
      - say: "Bye {{ who }}"
      - decline: true
      - expect: [{ type: no_errors }]
`,
    });
    const [read] = suite.tests;
    expect(read?.task).toEqual({ description: "Hello Ada" });
    expect(read?.turns).toMatchObject([
      { say: "Hello Ada", line: 6, answers: [{ kind: "given", answer: "yes", line: 8, col: 9 }], checks: [] },
      {
        say: "Bye Ada",
        line: 9,
        answers: [{ kind: "declined", line: 10 }],
        checks: [{ type: "no_errors", line: 11 }],
      },
    ]);
    expect(read?.options?.conversation?.policy).toEqual({
      input: "simulate",
      form: "simulate",
      permission: "simulate",
      approval: "simulate",
      auth: "simulate",
    });
  });

  test("reads a simulated user, with a script from a file beside it", async () => {
    const suite = await folder.load({
      "user.yaml": "default: { content: Hi }\n",
      "suite.yaml": `${HEAD}    user: { goal: a bike, facts: { order: 4711 }, script: user.yaml }\n`,
    });
    expect(suite.tests[0]?.user).toMatchObject({
      goal: "a bike",
      facts: { order: "4711" },
      maxTurns: 10,
      opens: true,
      script: { answers: [], default: { content: "Hi" } },
    });
    expect(suite.tests[0]?.user).not.toHaveProperty("stopText");
  });

  test.each<[string, string, string[]]>([
    ["nothing that is said", "", ['suite.yaml:3:5  missing key "task"']],
    [
      "both a script and a user",
      "    turns: [{ say: x }]\n    user: { goal: y }\n",
      ['suite.yaml:6:5  "turns" and "user" both hold the conversation; use one'],
    ],
    [
      "an answer before anything is said",
      "    turns:\n      - answer: x\n      - say: y\n",
      ["suite.yaml:6:9  nothing has been said yet", '   begin with "say", or give the test a "task"'],
    ],
    [
      "two things in one step",
      "    turns:\n      - { say: x, answer: y }\n",
      [
        'suite.yaml:6:9  a step does one thing, and this one has "say" and "answer"',
        "   begin each with - of its own",
      ],
    ],
    [
      "a misspelt step",
      "    turns:\n      - say: x\n      - expcet: []\n",
      ['suite.yaml:7:9  unknown key "expcet"', '   did you mean "expect"?'],
    ],
    [
      "a check of all runs in one turn",
      "    turns:\n      - say: x\n      - expect:\n          - { type: performance, config: { thresholds: { max_latency_p95_ms: 1 } } }\n",
      [
        'suite.yaml:8:21  "performance" judges all runs together, not one turn',
        '   put it under "checks" of the test',
      ],
    ],
    [
      "an unknown check in a turn",
      "    turns:\n      - say: x\n      - expect:\n          - { type: contians }\n",
      [
        'suite.yaml:8:21  unknown check "contians"',
        '   did you mean "contains"?  All checks: proctor docs checks',
      ],
    ],
    ["a user without a goal", "    user: { persona: x }\n", ['suite.yaml:5:11  missing key "goal"']],
    [
      "too many turns",
      "    user: { goal: x, stop: { max_turns: 101 } }\n",
      ['suite.yaml:5:41  "max_turns" must be at most 100'],
    ],
    [
      "a model and a script",
      "    user: { goal: x, model: m, script: { default: { content: y } } }\n",
      ['suite.yaml:5:32  "model" and "script" both play the user; use one'],
    ],
    [
      "a script that is not there",
      "    user: { goal: x, script: none.yaml }\n",
      ['suite.yaml:5:30  there is no file "none.yaml"', "   the path is taken from the folder of this file"],
    ],
    [
      "a secret that is said",
      "    secrets: { KEY: hunter22hunter }\n    turns:\n      - say: it is hunter22hunter\n",
      [
        'suite.yaml:7:14  the text holds the value of "KEY", which is a secret',
        "   agents find secrets in their environment; remove it from the text",
      ],
    ],
  ])("is refused with %s", async (_name, body, expected) => {
    expect(await folder.problems({ "suite.yaml": `${HEAD}${body}` })).toEqual(expected);
  });

  test("is refused with everything that is missing at once", async () => {
    const problems = await folder.problems({ "suite.yaml": "test_suite: s\ntests:\n  - id: t\n    x: 1\n" });
    expect(problems.filter((line) => line.startsWith("suite.yaml"))).toEqual([
      'suite.yaml:3:5  missing key "name"',
      'suite.yaml:3:5  missing key "task"',
      'suite.yaml:4:5  unknown key "x"',
    ]);
  });

  test("is refused with what is wrong in the file of a script", async () => {
    const problems = await folder.problems({
      "bad.yaml": "defualt: { content: Hi }\n",
      "suite.yaml": `${HEAD}    user: { goal: x, script: bad.yaml }\n`,
    });
    expect(problems[0]).toBe('bad.yaml:1:1  unknown key "defualt"');
  });
});
