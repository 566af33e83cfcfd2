// Files of ACTS: what is read, and where. Folders that are made to do harm do none.
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  folderOf,
  HEAD,
  problemsOf,
  readFiles,
  STEP,
  withSteps,
} from "../../../../test/support/a2a/acts-files.ts";
import { readActs } from "./read-acts.ts";

describe("Files of ACTS", () => {
  it("are read from a folder: what the manifest includes first, everything once, with places and variables", async () => {
    const { suites, actsVersion } = await readFiles({
      "suite.acts.yaml": `${HEAD}variables: {who: "{{env.WHO}}", baseUrl: "{{SUT_BASE_URL}}"}\ninclude: [z.acts.yaml, deep/b.yaml]\n`,
      "z.acts.yaml": withSteps(STEP.replace("{}", '{id: "{{who}}"}')),
      "deep/b.yaml": withSteps(STEP).replace("T-1", "T-2").replace("id: s\n", "id: other\n"),
      "c.acts.yaml": withSteps(STEP).replace("T-1", "T-3").replace("id: s\n", "id: third\n"),
      "notes.md": "not read",
    });
    expect(actsVersion).toBe("1.0");
    expect(suites.map(({ tests }) => tests[0]?.place)).toEqual([
      "z.acts.yaml:7",
      "deep/b.yaml:7",
      "c.acts.yaml:7",
    ]);
    expect(suites[0]?.tests[0]?.variables).toMatchObject({ who: "{{env.WHO}}" });
    expect(suites[2]?.tests[0]?.variables).toEqual({});
  });

  it("are read one by one, too, and as JSON", async () => {
    const folder = folderOf({ "one.acts.yaml": withSteps(STEP), "two.acts.yaml": "nonsense" });
    expect((await readActs("one.acts.yaml", folder)).suites).toHaveLength(1);
    const tests = [{ id: "J-1", name: "J", level: "may", steps: [{ id: "a", operation: "get_task" }] }];
    const json = { acts_version: "1.0", spec_version: "1.0.1", suites: [{ id: "j", name: "J", tests }] };
    expect((await readFiles({ "j.acts.json": JSON.stringify(json) })).suites[0]?.tests[0]).toMatchObject({
      id: "J-1",
      steps: [{ kind: "operation" }],
    });
  });

  it("may say which behaviours the agent knows", async () => {
    const behaviors =
      'acts_version: "1.0"\nbehaviors:\n  - {prefix: tck-a, description: A}\n  - {prefix: tck-b}\n';
    const acts = await readFiles({ "a.acts.yaml": withSteps(STEP), "sut-behaviors.yaml": behaviors });
    expect([...(acts.behaviors ?? [])]).toEqual(["tck-a", "tck-b"]);
  });

  it("leave what looks like a variable of the shell alone", async () => {
    const { suites } = await readFiles({ "a.acts.yaml": withSteps(STEP.replace("{}", '{id: "${HOME}"}')) });
    expect(suites[0]?.tests[0]?.steps[0]).toMatchObject({ params: { id: "${HOME}" } });
  });
});

describe("A folder of ACTS that is made to do harm", () => {
  it.each<[string, Record<string, string>, string]>([
    [
      "includes itself",
      { "a.yaml": `${HEAD}include: [a.yaml]\n` },
      'a.yaml:3:11  "a.yaml" includes this file again\n   the circle: a.yaml',
    ],
    [
      "includes in a circle",
      { "a.yaml": `${HEAD}include: [b.yaml]\n`, "b.yaml": `${HEAD}include: [./a.yaml]\n` },
      "the circle: a.yaml → b.yaml",
    ],
    [
      "leads out of the folder",
      { "a.yaml": `${HEAD}include: [../../etc/passwd]\n` },
      '"../../etc/passwd" is outside of the folder',
    ],
    [
      "names an absolute path",
      { "a.yaml": `${HEAD}include: [/etc/passwd]\n` },
      '"/etc/passwd" is outside of the folder',
    ],
    [
      "includes what is not there",
      { "a.yaml": `${HEAD}include: [b.yaml]\n` },
      "b.yaml  there is no such file",
    ],
    ["includes a folder", { "a.yaml": `${HEAD}include: [b]\n`, "b/c.txt": "" }, "is a directory, not a file"],
    ["is nested without end", { "a.yaml": `${HEAD}suites: ${"[".repeat(5000)}` }, "a.yaml:"],
    [
      "has assertions without end",
      {
        "a.yaml": withSteps(
          `- id: a\n  operation: get_task\n  expect: {body: ${"{a: ".repeat(150)}1${"}".repeat(150)}}\n`,
        ),
      },
      "nested deeper than 100",
    ],
    [
      "is an alias of itself",
      { "a.yaml": `${HEAD}suites: &a [*a]\n` },
      "this alias stands inside its own anchor",
    ],
    ["has a giant file", { "a.yaml": `${HEAD}#${"x".repeat(5 * 1024 * 1024)}` }, "is larger than 5 MB"],
    ["has no file of ACTS", { "notes.txt": "" }, "holds no file of ACTS"],
    [
      "waits for ever",
      { "a.yaml": withSteps("- id: a\n  operation: get_task\n  delay_ms: 99999999\n") },
      '"delay_ms" must be at most 600000',
    ],
    [
      "asks for ever",
      {
        "a.yaml": withSteps(
          "- id: a\n  operation: get_task\n  repeat: {until: a == b, max_attempts: 100000}\n",
        ),
      },
      '"max_attempts" must be at most 1000',
    ],
    [
      "changes prototypes",
      { "a.yaml": `${HEAD}variables: {__proto__: {a: b}}\n` },
      'the key "__proto__" is not allowed',
    ],
    [
      "has a name that is a command",
      { "a.yaml": withSteps(STEP).replace("T-1", '"T 1\\n\\e[2J"') },
      "an id is made of letters, digits, - and _",
    ],
  ])("because it %s is refused", async (_what, files, message) => {
    expect(await problemsOf(files)).toContain(message);
  });

  it("because a link in it leads out is refused", async () => {
    const folder = folderOf({ "a.yaml": `${HEAD}include: [link.yml]\n` });
    const elsewhere = folderOf({ "secret.yaml": withSteps(STEP) });
    symlinkSync(join(elsewhere, "secret.yaml"), join(folder, "link.yml"));
    await expect(readActs("a.yaml", folder)).rejects.toThrow('"link.yml" is outside of the folder');
  });

  it("because its files include each other without end is refused", async () => {
    const files = Array.from({ length: 40 }, (_, index) => [
      `f${index}.yaml`,
      `${HEAD}include: [f${index + 1}.yaml]\n`,
    ]);
    const folder = folderOf(Object.fromEntries(files) as Record<string, string>);
    await expect(readActs("f0.yaml", folder)).rejects.toThrow("more than 20 levels deep");
  });

  it("with many wrong keys is refused with the first of them", async () => {
    const keys = Array.from({ length: 5000 }, (_, index) => `k${index}: 1\n`).join("");
    expect(await problemsOf(`${withSteps(STEP)}${keys}`)).toContain("… and 4950 more");
  });
});
