import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Suite } from "../suite.ts";
import { createSuiteFolder, type SuiteFolder } from "../../../test/support/suites/load-suite.ts";

let folder: SuiteFolder;
beforeAll(async () => {
  folder = await createSuiteFolder({ CITY: "Rome", TRICK: "{{ a }}" });
});
afterAll(() => folder.remove());

const load = (text: string, files: Record<string, string> = {}): Promise<Suite> =>
  folder.load({ ...files, "suite.yaml": `test_suite: s\n${text}` });
const problems = (text: string, files: Record<string, string> = {}): Promise<string[]> =>
  folder.problems({ ...files, "suite.yaml": `test_suite: s\n${text}` });
const ids = ({ tests }: Suite): string[] => tests.map(({ id }) => id);
const tasks = ({ tests }: Suite): string[] => tests.map(({ task }) => task.description);

describe("a matrix", () => {
  test("makes a case of every combination but the excluded ones", async () => {
    const suite = await load(`tests:
  - id: greets
    name: "Greets in {{ language }}"
    matrix: {language: [de, fr], size: [1, 2], exclude: [{language: de, size: 2}]}
    tags: ["{{ language }}"]
    task: {description: "Say hello in {{ language }}, {{size}} times", input_data: {times: "{{ size }}"}}
    constraints: {max_steps: "{{ size }}"}
    checks: [{type: contains, config: {pattern: "{{ language }}{{ size }}"}}, {type: no_errors}]
`);
    expect(ids(suite)).toEqual([
      "greets[language=de,size=1]",
      "greets[language=fr,size=1]",
      "greets[language=fr,size=2]",
    ]);
    expect(suite.tests[2]).toMatchObject({
      name: "Greets in fr",
      tags: ["fr"],
      task: { description: "Say hello in fr, 2 times", input_data: { times: 2 } },
      constraints: { max_steps: 2 },
      parameters: { language: "fr", size: 2 },
      line: 3,
      checks: [
        { type: "contains", config: { pattern: "fr2" }, line: 9, col: 14 },
        { type: "no_errors", line: 9 },
      ],
    });
    // What no template is in, is read once.
    expect(suite.tests[0]?.checks[1]?.evaluate).toBe(suite.tests[2]?.checks[1]?.evaluate);
  });

  test("puts nothing into an id that has a template of its own", async () => {
    const suite = await load(`tests:
  - {id: "in-{{ l }}", name: N, matrix: {l: [de, fr]}, task: {description: x}}
`);
    expect(ids(suite)).toEqual(["in-de", "in-fr"]);
  });

  test("values that make no readable id are numbered", async () => {
    const suite = await load(`tests:
  - {id: t, name: N, matrix: {a: [{x: 1}, [2]], b: ["1", 1]}, task: {description: "!{{ a }}"}}
`);
    expect(ids(suite)).toEqual(["t[a=#1,b=#1]", "t[a=#1,b=#2]", "t[a=#2,b=#1]", "t[a=#2,b=#2]"]);
    expect(tasks(suite)).toEqual(['!{"x":1}', '!{"x":1}', "![2]", "![2]"]);
  });

  test("of the suite multiplies with that of a test", async () => {
    const suite = await load(`matrix: {a: [1, 2]}
tests:
  - {id: x, name: X, matrix: {b: [3, 4]}, task: {description: "{{ a }}{{ b }}"}}
  - {id: y, name: Y, task: {description: "{{ a }}"}}
`);
    expect(tasks(suite)).toEqual(["13", "14", "23", "24", "1", "2"]);
    expect(ids(suite).slice(3)).toEqual(["x[a=2,b=4]", "y[a=1]", "y[a=2]"]);
  });

  test("of an agent makes several agents", async () => {
    const suite = await load(`vars: {port: 80}
agents:
  - name: "bot-{{ model }}"
    matrix: {model: [big, small]}
    command: [run, "{{ model }}", "{{ port }}"]
    env: {MODEL: "{{ model }}"}
tests:
  - {id: t, name: T, task: {description: x}, agents: [bot-small]}
`);
    expect(suite.agents).toMatchObject([
      { name: "bot-big", command: ["run", "big", "80"], env: { MODEL: "big" } },
      { name: "bot-small", command: ["run", "small", "80"], env: { MODEL: "small" } },
    ]);
  });
});

describe("templates", () => {
  test("keep the type of a value that stands alone", async () => {
    const suite = await load(`vars: {list: [a, b], yes: true, nothing: null, deep: {a: [{b: 7}]}}
tests:
  - id: t
    name: N
    tags: "{{ list }}"
    strict: "{{ yes }}"
    task: {description: "{{ list }} {{ yes }} {{ deep.a.0.b }}.{{ nothing }}", input_data: {x: "{{ deep }}", n: "{{ nothing }}"}}
`);
    expect(suite.tests[0]).toMatchObject({
      tags: ["a", "b"],
      options: { strict: true },
      task: { description: '["a","b"] true 7.', input_data: { x: { a: [{ b: 7 }] }, n: null } },
    });
    expect(suite.tests[0]).not.toHaveProperty("parameters");
  });

  test("become text where text is wanted", async () => {
    const suite = await load(`vars: {n: 42, yes: true}
tests: [{id: "{{ n }}", name: "{{ yes }}", task: {description: "{{ n }}", input_data: {n: "{{ n }}"}}}]
`);
    expect(suite.tests[0]).toMatchObject({
      id: "42",
      name: "true",
      task: { description: "42", input_data: { n: 42 } },
    });
  });

  test("mean nothing where no variable is in scope", async () => {
    const suite = await load(`agents: [{name: a, command: ["{{ x }}"]}]
tests:
  - {id: "{{ id }}", name: N, task: {description: 'Fill in {{ name }} and \\{{ this }} and {{'}}
`);
    expect(ids(suite)).toEqual(["{{ id }}"]);
    expect(tasks(suite)).toEqual(["Fill in {{ name }} and \\{{ this }} and {{"]);
    expect(suite.agents[0]?.command).toEqual(["{{ x }}"]);
  });

  test("can be written literally", async () => {
    const suite = await load(`vars: {a: 1}
tests: [{id: t, name: N, task: {description: 'a {{ a }} and \\{{ a }}, {a} }}'}}]
`);
    expect(tasks(suite)).toEqual(["a 1 and {{ a }}, {a} }}"]);
  });

  test("come after variables of the environment, and what they put in is not read again", async () => {
    const suite = await load(
      `vars: {a: "\${CITY}", b: "{{ a }}!"}
tests:
  - {id: t, name: N, data: rows.jsonl, vars: {c: "{{ b }}{{ text }}"}, task: {description: "{{ c }} {{ text }} \${TRICK}"}}
`,
      { "rows.jsonl": `{"text": "{{ a }} \${CITY}"}\n` },
    );
    expect(tasks(suite)).toEqual(["Rome!{{ a }} ${CITY} {{ a }} ${CITY} Rome"]);
  });

  test("of a test win over those of the defaults, and those over the suite's", async () => {
    const suite = await load(`vars: {a: suite, b: suite, c: suite}
defaults:
  vars: {b: defaults, c: defaults}
  checks: [{type: contains, config: {pattern: "{{ a }} {{ b }} {{ c }}"}}]
tests:
  - {id: t, name: N, vars: {c: test}, task: {description: x}}
  - {id: u, name: N, task: {description: x}}
`);
    expect(suite.tests.map(({ checks }) => checks[0]?.config)).toMatchObject([
      { pattern: "suite defaults test" },
      { pattern: "suite defaults defaults" },
    ]);
    expect(suite.tests[0]?.checks[0]).toMatchObject({ line: 5, col: 12 });
  });

  test.each([
    ["{{ langauge }}", 'unknown variable "langauge"', 'did you mean "language"?'],
    ["{{ zzz }}", 'unknown variable "zzz"', "known here: language, user"],
    ["{{ user.nmae }}", '"user" has no "nmae"', 'did you mean "name"?'],
    ["{{ language.x }}", '"language" has no "x"', "nothing is known here"],
    ["{{ open", "a template is not closed", "write {{ name }}"],
    ["{{ __proto__ }}", 'unknown variable "__proto__"', "known here"],
    ["{{ user.constructor }}", '"user" has no "constructor"', "known here: name"],
  ])("refuse %s with its place", async (template, message, hint) => {
    const [first, second] = await problems(`vars: {language: de, user: {name: x}}
tests:
  - {id: t, name: N, task: {description: "${template}"}}
`);
    expect(first).toBe(`suite.yaml:4:42  ${message}`);
    expect(second).toContain(hint);
  });

  test("an unknown name in a variable is found there", async () => {
    expect(
      await problems(`vars: {a: "{{ b }}", b: 1}\ntests: [{id: t, name: N, task: {description: x}}]\n`),
    ).toEqual([
      'suite.yaml:2:11  unknown variable "b"',
      String.raw`   nothing is known here; write \{{ for the braces themselves`,
    ]);
  });
});

describe("what is wrong", () => {
  test.each([
    ["matrix: {}", "5:13  the matrix is empty"],
    ["matrix: {a: []}", '5:17  "a" needs at least 1 entry'],
    ["matrix: {a: b}", '5:17  "a" must be a list, not text'],
    ["matrix: {a: [1, 1]}", "5:21  this value is here twice"],
    ["matrix: {a: [1], exclude: [{b: 1}]}", '5:36  the matrix has no "b"'],
    ["matrix: {a: [1], exclude: [{a: 2}]}", '5:36  "a" never has this value'],
    ["matrix: {a: [1], exclude: [{}]}", "5:32  this would exclude everything"],
    ["matrix: {a: [1], exclude: [{a: 1}]}", "5:5  every combination is excluded"],
    ["data: cases.txt", '5:11  "cases.txt" is no data set'],
    ["data: none.csv", '5:11  "none.csv" does not exist'],
    ["data: [x]", "5:12  a row must be a mapping"],
    ["data: {file: x.csv, limt: 1}", '5:25  unknown key "limt"'],
    ["data: {limit: 1}", '5:11  missing key "file"'],
    ["vars: {'a{': 1}", "5:12  a name is not empty"],
    ["vars: [a]", '5:11  "vars" must be a mapping'],
  ])("%s", async (entry, expected) => {
    const found = await problems(
      `tests:\n  - id: t\n    name: T\n    ${entry}\n    task: {description: x}\n`,
    );
    expect(found[0]).toContain(`suite.yaml:${expected}`);
  });

  test("two sources of one name", async () => {
    const [first] = await problems(
      `matrix: {a: [1]}\ntests:\n  - {id: t, name: T, data: [{a: 2}], task: {description: x}}\n`,
    );
    expect(first).toBe('suite.yaml:4:5  "a" comes from the matrix and from the data');
  });

  test("more than 100000 cases, found before they are made", async () => {
    const list = JSON.stringify(Array.from({ length: 400 }, (_, index) => index));
    const [first, hint] = await problems(
      `tests:\n  - {id: t, name: T, matrix: {a: ${list}, b: ${list}, c: ${list}}, task: {description: x}}\n`,
    );
    expect(first).toBe("suite.yaml:3:5  this makes 64000000 cases; at most 100000 are allowed");
    expect(hint).toContain("limit");
  });

  test("one problem of many rows is said once, with the first row", async () => {
    const rows = Array.from({ length: 42 }, (_, index) => `{"limit": ${index < 1 ? 5 : '"much"'}}\n`).join(
      "",
    );
    expect(
      await problems(
        `tests:\n  - {id: t, name: T, data: rows.jsonl, constraints: {max_steps: "{{ limit }}"}, task: {description: x}}\n`,
        { "rows.jsonl": rows },
      ),
    ).toEqual([
      'suite.yaml:3:65  "max_steps" must be a number, not text',
      "   in row 2 (rows.jsonl:2) and 40 more rows",
    ]);
  });

  test("a place that is wrong differently in each row shows three of them", async () => {
    const rows = Array.from({ length: 10 }, (_, index) => `{"agent": "ghost${index}"}\n`).join("");
    const found = await problems(
      `tests:\n  - {id: t, name: T, data: rows.jsonl, agents: ["{{ agent }}"], task: {description: x}}\n`,
      { "rows.jsonl": rows },
    );
    expect(found.filter((line) => line.includes("unknown agent"))).toHaveLength(3);
    expect(found.at(-1)).toBe("suite.yaml:3:49  7 more rows have a problem here");
  });

  test("cells of a CSV file are text, and the message says so", async () => {
    expect(
      await problems(
        `tests:\n  - {id: t, name: T, data: rows.csv, strict: "{{ strict }}", task: {description: x}}\n`,
        { "rows.csv": "strict\ntrue\n" },
      ),
    ).toEqual([
      'suite.yaml:3:46  "strict" must be true or false, not text',
      "   the cells of a CSV file are text; a .jsonl file can hold numbers, too  in row 1 (rows.csv:2)",
    ]);
  });

  test("ids that come out the same", async () => {
    expect(
      await problems(`agents: [{name: a, command: x, matrix: {m: [1, 2]}}]
tests:
  - {id: "t-{{ a }}", name: T, matrix: {a: [1], b: [2, 3]}, task: {description: x}}
`),
    ).toEqual([
      'suite.yaml:2:17  several agents of this matrix are called "a"',
      "   put what the matrix changes into the name: {{ … }}  in m=2",
      'suite.yaml:4:10  several cases of this test are called "t-1"',
      "   put more of it into the id: {{ a }} {{ b }}  in a=1,b=3",
    ]);
  });

  test("an unquoted template, which YAML takes for two mappings", async () => {
    const text = `vars: {a: 1}\ntests:\n  - {id: t, name: T, task: {description: {{ a }}}}\n`;
    expect((await problems(text)).slice(-2)).toEqual([
      "suite.yaml:4:43  a key must be plain text",
      '   put the template in quotes: "{{ name }}"',
    ]);
  });
});
