import { assert, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import type { Artifact } from "../../core/artifact.ts";
import { check, file, structured } from "../../../test/support/suites/check-subject.ts";
import type { Given } from "../../../test/support/suites/check-subject.ts";
import { similarityOf } from "../texts/edit-distance.ts";
import { propertyRuns } from "../../../test/support/property-runs.ts";
import { soonTooSlow } from "../../../test/support/soon-too-slow.ts";
import { anyCharacter } from "../../../test/support/any-character.ts";

const given: Given = {
  artifacts: [
    file("1", "a.txt"),
    structured("2", "data", { said: "Hello", list: [1, { b: 2, a: 1 }] }),
    file("3", "b.json"),
  ],
  bytes: { "1": " Hello, Ada!\n", "3": '{ "b": [1, 2], "a": null }' },
};
const unsent: Artifact = { id: "9", type: "file", path: "unsent.md" };
const reference: Artifact = { id: "8", type: "reference", path: "https://else.where" };

describe.each<[string, object]>([
  ["equals", { text: "needle" }],
  ["regex", { pattern: "needle" }],
  ["similarity", { text: "needle", at_least: 0.9 }],
  ["sections", { sections: ["needle"] }],
])("the check %s", (type, config) => {
  const needle = type === "sections" ? "# Needle" : "needle";

  test("passes when one artifact is right, even if others cannot be read", async () => {
    const artifacts = [unsent, file("9", "lost.md"), reference, file("1", "a.md")];
    expect((await check(type, config, { artifacts, bytes: { "1": needle } })).outcome).toBe("pass");
  });

  test("fails when there is nothing, another text, no text, or not that artifact", async () => {
    expect((await check(type, config, {})).outcome).toBe("fail");
    expect((await check(type, config, { artifacts: [reference] })).outcome).toBe("fail");
    const artifacts = [file("1", "a.md")];
    expect((await check(type, config, { artifacts, bytes: { "1": "haystack" } })).outcome).toBe("fail");
    expect((await check(type, config, { artifacts, bytes: { "1": Uint8Array.of(0xff) } })).outcome).toBe(
      "fail",
    );
    expect(await check(type, { ...config, path: "b.md" }, { artifacts, bytes: { "1": needle } })).toEqual({
      outcome: "fail",
      message: 'no artifact "b.md"; the run produced "a.md"',
    });
  });

  test("is unevaluated when what may be right cannot be read", async () => {
    for (const artifact of [unsent, file("9", "lost.md")])
      expect((await check(type, config, { artifacts: [artifact] })).outcome).toBe("unevaluated");
    const named = { ...config, path: reference.path };
    expect(await check(type, named, { artifacts: [reference] })).toMatchObject({
      outcome: "unevaluated",
      message: expect.stringContaining("the agent did not send its content"),
    });
  });
});

describe("the check equals", () => {
  test.each<[object, string]>([
    [{ text: " Hello, Ada!\n" }, "pass"],
    [{ text: "Hello, Ada!" }, "fail"],
    [{ text: "Hello, Ada!", trim: true }, "pass"],
    [{ text: "hello, ada!", trim: true, ignore_case: true }, "pass"],
    [{ text: "Hello, Ada", trim: true }, "fail"],
    [{ text: "Hello", path: "data" }, "pass"],
    [{ text: "Hello", path: "a.txt" }, "fail"],
    [{ value: { list: [1, { a: 1, b: 2 }], said: "Hello" } }, "pass"],
    [{ value: { list: [{ a: 1, b: 2 }, 1], said: "Hello" } }, "fail"],
    [{ value: { a: null, b: [1, 2] }, path: "b.json" }, "pass"],
    [{ value: { a: null }, path: "b.json" }, "fail"],
    [{ value: "Hello", path: "a.txt" }, "fail"],
  ])("with %j is %s", async (config, outcome) => {
    expect((await check("equals", config, given)).outcome).toBe(outcome);
  });

  test.each([[{}], [{ text: "a", value: 1 }], [{ value: 1, trim: true }]])("refuses %j", (config) => {
    expect(() => check("equals", config, given)).toThrow();
  });

  test("survives data that is nested without end", async () => {
    const deep = { artifacts: [file("1", "a.json")], bytes: { "1": "[".repeat(100_000) } };
    expect((await check("equals", { value: [] }, deep)).outcome).toBe("unevaluated");
  });
});

describe("the check regex", () => {
  test.each<[object, string]>([
    [{ pattern: "hello" }, "fail"],
    [{ pattern: "hello", flags: "i" }, "pass"],
    [{ pattern: "(?i)hello" }, "pass"],
    [{ pattern: "(?i)hello", flags: "i" }, "pass"],
    [{ pattern: "^Hello$", path: "data" }, "pass"],
    [{ pattern: "!$", path: "a.txt" }, "fail"],
    [{ pattern: "!$", flags: "m", path: "a.txt" }, "pass"],
  ])("with %j is %s", async (config, outcome) => {
    expect((await check("regex", config, given)).outcome).toBe(outcome);
  });

  test.each([[{ pattern: "(" }], [{ pattern: "a", flags: "g" }], [{ pattern: "\\p{x}", flags: "u" }]])(
    "refuses %j",
    (config) => {
      expect(() => check("regex", config, given)).toThrow();
    },
  );

  test("gives up on an expression that never ends", async () => {
    const hard = { artifacts: [file("1", "a.md")], bytes: { "1": `${"a".repeat(60)}!` } };
    expect(await soonTooSlow(() => check("regex", { pattern: "^(a+)+$" }, hard))).toMatchObject({
      outcome: "unevaluated",
      message: expect.stringContaining("is too slow: stopped after 1 s of CPU time"),
    });
  });
});

describe("the check similarity", () => {
  test.each([
    ["kitten", "sitting", 1 - 3 / 7],
    ["", "", 1],
    ["", "abc", 0],
    ["abc", "abc", 1],
    ["👍👎", "👍", 0.5],
  ])("compares %j with %j", (one, other, expected) => {
    expect(similarityOf(one, other)).toBeCloseTo(expected, 10);
  });

  test("is symmetric, 1 only for equal texts, and falls by what one change costs", () => {
    const text = string({ unit: anyCharacter, maxLength: 20 });
    assert(
      property(text, text, (one, other) => {
        const similarity = similarityOf(one, other);
        expect(similarity).toBe(similarityOf(other, one));
        expect(similarity === 1).toBe(one === other);
        const length = Array.from(one).length;
        expect(similarityOf(one, `${one}x`)).toBeCloseTo(length / (length + 1), 10);
      }),
      { numRuns: propertyRuns(200) },
    );
  });

  test("compares up to 10,000 characters, and says when there are more", async () => {
    const text = "ab".repeat(5000);
    const long = { artifacts: [file("1", "a.md")], bytes: { "1": `${text}c` } };
    expect(await check("similarity", { text, at_least: 0.5 }, long)).toMatchObject({
      outcome: "unevaluated",
      message: expect.stringContaining("longer than 10000 characters"),
    });
    const fits = { ...long, bytes: { "1": `x${text.slice(1)}` } };
    expect((await check("similarity", { text, at_least: 0.99 }, fits)).outcome).toBe("pass");
  });

  test("looks at each text of data, though the whole is long", async () => {
    const data = structured("1", "data", { said: "Hello", rest: "x".repeat(20_000) });
    const config = { text: "Hallo", at_least: 0.8 };
    expect((await check("similarity", config, { artifacts: [data] })).outcome).toBe("pass");
    expect((await check("similarity", { ...config, at_least: 0.9 }, { artifacts: [data] })).outcome).toBe(
      "unevaluated",
    );
  });
});

describe("the check sections", () => {
  const markdown = [
    "# **Report** on `Slack`",
    "Overview of all",
    "========",
    "```md",
    "## Hidden",
    "```",
    "~~~~",
    "## Hidden",
    "~~~",
    "~~~~",
    "#NoHeading",
    "### 3. Risks ###",
    "text",
    "",
    "---",
  ].join("\r\n");
  const given = { artifacts: [file("1", "a.md")], bytes: { "1": markdown } };

  test.each<[string[], string]>([
    [["report on slack"], "pass"],
    [["Overview", "Report"], "pass"],
    [["Over"], "fail"],
    [["3. Risks"], "pass"],
    [["Hidden"], "fail"],
    [["NoHeading"], "fail"],
    [["text"], "fail"],
    [["Overview", "Costs"], "fail"],
  ])("for %j is %s", async (sections, outcome) => {
    expect((await check("sections", { sections }, given)).outcome).toBe(outcome);
  });

  test("wants all sections in one artifact, and names those missing in the closest", async () => {
    const two = { artifacts: [file("1", "a.md"), file("2", "b.md")], bytes: { "1": "# A\n# B", "2": "# C" } };
    expect(await check("sections", { sections: ["A", "B", "C"] }, two)).toEqual({
      outcome: "fail",
      message: 'no section "C"; the run produced "a.md", "b.md"',
    });
  });
});
