import { describe, expect, test } from "vitest";
import type { Artifact } from "../../core/artifact.ts";
import { compileSchema } from "../json/json-schema.ts";
import { check, file, structured } from "../../../test/support/suites/check-subject.ts";
import type { Given } from "../../../test/support/suites/check-subject.ts";
import { soonTooSlow } from "../../../test/support/soon-too-slow.ts";

const data = {
  name: "Ada",
  tags: ["a", "b"],
  items: [
    { id: 1, ok: true },
    { id: 2, ok: false },
  ],
  none: null,
};
const given: Given = {
  artifacts: [
    file("0", "notes.md"),
    structured("1", "data", data),
    file("2", "b.json"),
    structured("3", "big"),
  ],
  bytes: { "0": "no JSON", "2": '{"name":"Bob"}', "3": '{"name":"Cy"}' },
};

describe.each<[string, object, string]>([
  ["schema", { schema: { properties: { name: { const: "Bob" } } } }, "path"],
  ["json_path", { path: "$.name", equals: "Bob" }, "artifact"],
  ["json_partial", { value: { name: "Bob" } }, "path"],
])("the check %s", (type, config, key) => {
  const on = (name: string, run: Given = given) => check(type, { ...config, [key]: name }, run);

  test("reads data, files that hold JSON, and the first data when none is named", async () => {
    expect((await on("b.json")).outcome).toBe("pass");
    expect((await on("data")).outcome).toBe("fail");
    expect((await on("big")).outcome).toBe("fail");
    expect((await check(type, config, given)).message).toContain('"data"');
  });

  test("fails on what is not JSON, and when there is none", async () => {
    expect(await on("notes.md")).toEqual({ outcome: "fail", message: '"notes.md" is no JSON' });
    expect((await on("nope")).message).toContain('no artifact "nope"; the run produced');
    expect(await check(type, config, { artifacts: [] })).toEqual({
      outcome: "fail",
      message: "no structured artifact; the run produced no artifacts",
    });
  });

  test("takes the last artifact of a name", async () => {
    const twice = { artifacts: [structured("1", "data", {}), structured("2", "data", { name: "Bob" })] };
    expect((await check(type, config, twice)).outcome).toBe("pass");
  });

  test("is unevaluated when the artifact cannot be read", async () => {
    const unsent: Artifact = { id: "9", type: "file", path: "unsent.json" };
    for (const artifact of [unsent, file("9", "lost.json"), structured("9", "lost")])
      expect(
        (await check(type, { ...config, [key]: artifact["path"] ?? "lost" }, { artifacts: [artifact] }))
          .outcome,
      ).toBe("unevaluated");
    const deep = {
      artifacts: [file("1", "deep.json")],
      bytes: { "1": `${"[".repeat(500)}${"]".repeat(500)}` },
    };
    expect((await on("deep.json", deep)).message).toContain("nested too deeply");
  });
});

describe("the check schema, with its drafts,", () => {
  const draft = "https://json-schema.org/draft/2020-12/schema";

  test.each<[string, object, string]>([
    [
      "draft-07",
      { $schema: "http://json-schema.org/draft-07/schema#", items: [{}], required: ["name"] },
      "pass",
    ],
    ["draft-07 dependencies", { dependencies: { name: ["missing"] } }, "fail"],
    [
      "2020-12",
      { $schema: draft, properties: { tags: { prefixItems: [{ const: "a" }], items: { const: "b" } } } },
      "pass",
    ],
    [
      "2020-12 unevaluated",
      { $schema: draft, properties: { name: true }, unevaluatedProperties: false },
      "fail",
    ],
    [
      "references inside",
      { definitions: { t: { type: "string" } }, properties: { name: { $ref: "#/definitions/t" } } },
      "pass",
    ],
    ["formats", { properties: { name: { type: "string", format: "email" } } }, "fail"],
  ])("knows %s", async (_, schema, outcome) => {
    expect((await check("schema", { schema, path: "data" }, given)).outcome).toBe(outcome);
  });

  test.each<[string, unknown]>([
    ["an unknown keyword", { requried: ["name"] }],
    ["another draft", { $schema: "http://json-schema.org/draft-04/schema#" }],
    ["a wrong type", { type: "text" }],
    ["a reference that leads out", { $ref: "https://example.com/schema.json" }],
    ["no expression", { properties: { name: { pattern: "(" } } }],
    ["no mapping", "schema.json"],
  ])("refuses %s", (_, schema) => {
    expect(() => check("schema", { schema }, given)).toThrow(/schema/);
  });

  test("says what is too much, and where", async () => {
    const schema = {
      properties: { items: { items: { properties: { id: {} }, additionalProperties: false } } },
    };
    expect((await check("schema", { schema }, given)).message).toBe(
      '"data" /items/0: must NOT have additional properties ("ok")',
    );
  });

  test("gives up on an expression that never ends", async () => {
    const schema = { properties: { name: { type: "string", pattern: "^(a+)+$" } } };
    const hard = { artifacts: [structured("1", "data", { name: `${"a".repeat(60)}!` })] };
    expect(await soonTooSlow(() => check("schema", { schema }, hard))).toEqual({
      outcome: "unevaluated",
      message: "could not be evaluated: the validation is too slow: stopped after 1 s of CPU time",
    });
  });
});

test("a schema that takes too long to compile is called too slow, each time", () => {
  const fields = Array.from({ length: 2000 }, (_, index) => [
    `p${index}`,
    { type: "string", minLength: index },
  ]);
  const schema = { properties: Object.fromEntries(fields) };
  for (let turn = 0; turn < 2; turn++)
    expect(() => compileSchema(schema, 5)).toThrow(
      "the schema is too slow: stopped after 0.005 s of CPU time",
    );
});

describe("the check json_path, with its operators,", () => {
  test.each<[object, string]>([
    [{ path: "$.name", equals: "Ada" }, "pass"],
    [{ path: "$.name", equals: "ada" }, "fail"],
    [{ path: "$.none", equals: null }, "pass"],
    [{ path: "$.missing", equals: null }, "fail"],
    [{ path: "$.items[-1]", equals: { ok: false, id: 2 } }, "pass"],
    [{ path: "$.none", exists: true }, "pass"],
    [{ path: "$.missing", exists: true }, "fail"],
    [{ path: "$.missing", absent: true }, "pass"],
    [{ path: "$..id", absent: true }, "fail"],
    [{ path: "$.name", matches: "^A" }, "pass"],
    [{ path: "$.items[0]", matches: '"id":1' }, "pass"],
    [{ path: "$.name", matches: "^B" }, "fail"],
    [{ path: "$.name", contains: "d" }, "pass"],
    [{ path: "$.tags", contains: "b" }, "pass"],
    [{ path: "$.items", contains: { ok: true, id: 1 } }, "pass"],
    [{ path: "$.tags", contains: "c" }, "fail"],
    [{ path: "$.none", contains: "n" }, "fail"],
  ])("with %j is %s", async (config, outcome) => {
    expect((await check("json_path", config, given)).outcome).toBe(outcome);
  });

  test.each<[object]>([
    [{ path: "$.a" }],
    [{ path: "$.a", equals: 1, exists: true }],
    [{ path: "a", exists: true }],
    [{ path: "$.a[?(@.b)]", exists: true }],
    [{ path: "$.a", matches: "(" }],
    [{ path: "$.a", exists: false }],
  ])("refuses %j", (config) => {
    expect(() => check("json_path", config, given)).toThrow();
  });

  test("gives up on an expression that never ends", async () => {
    const hard = { artifacts: [structured("1", "data", { name: `${"a".repeat(60)}!` })] };
    const config = { path: "$.name", matches: "^(a+)+$" };
    expect((await soonTooSlow(() => check("json_path", config, hard))).outcome).toBe("unevaluated");
  });
});

describe("the check json_partial, with its values,", () => {
  test.each<[unknown, string]>([
    [{}, "pass"],
    [{ items: [{ id: 2 }] }, "pass"],
    [{ items: [{ id: 2 }, { id: 1 }] }, "pass"],
    [{ items: [{}, { ok: true }] }, "pass"],
    [{ items: [{ id: 2 }, { id: 2 }] }, "fail"],
    [{ tags: ["b", "a"], none: null }, "pass"],
    [{ tags: { 0: "a" } }, "fail"],
    [{ missing: null }, "fail"],
    [{ toString: {} }, "fail"],
    [[], "fail"],
  ])("with %j is %s", async (value, outcome) => {
    expect((await check("json_partial", { value }, given)).outcome).toBe(outcome);
  });

  test("refuses a config without a value", () => {
    expect(() => check("json_partial", {}, given)).toThrow(/missing key/);
  });

  test("says what is missing, and where", async () => {
    const message = async (value: unknown) => (await check("json_partial", { value }, given)).message;
    expect(await message({ name: "Eve" })).toBe('"data" $.name: expected "Eve", found "Ada"');
    expect(await message({ "a key": 1 })).toBe('"data" $["a key"]: expected 1, found nothing');
    expect(await message({ tags: ["c"] })).toBe('"data" $.tags: no entry for "c"');
  });
});

describe("the checks artifact_type and artifact_hash", () => {
  const sha256 = "ab".repeat(32);
  const artifacts: Artifact[] = [
    { ...file("1", "a.md"), content_type: "Text/Markdown; charset=utf-8", content_hash: `sha256:${sha256}` },
    { ...file("2", "b.md"), content_hash: `sha256:${sha256}`, redacted: true },
    { id: "3", type: "reference", path: "c.csv", claimed_hash: `sha256:${sha256}` },
  ];

  test.each<[object, string]>([
    [{ path: "a.md", type: "file" }, "pass"],
    [{ path: "a.md", type: "file", content_type: "text/markdown" }, "pass"],
    [{ path: "a.md", type: "file", content_type: "text/plain" }, "fail"],
    [{ path: "b.md", type: "file", content_type: "text/plain" }, "fail"],
    [{ path: "c.csv", type: "reference" }, "pass"],
    [{ path: "c.csv", type: "file" }, "fail"],
    [{ path: "d.csv", type: "file" }, "fail"],
  ])("compare the type with %j: %s", async (config, outcome) => {
    expect((await check("artifact_type", config, { artifacts })).outcome).toBe(outcome);
  });

  test.each<[string, string, string]>([
    ["a.md", sha256, "pass"],
    ["a.md", `sha256:${sha256.toUpperCase()}`, "pass"],
    ["a.md", "00".repeat(32), "fail"],
    ["d.csv", sha256, "fail"],
    ["b.md", sha256, "unevaluated"],
    ["c.csv", sha256, "unevaluated"],
  ])("compare the hash of %s with %s: %s", async (path, hash, outcome) => {
    expect((await check("artifact_hash", { path, sha256: hash }, { artifacts })).outcome).toBe(outcome);
  });

  test("refuse what is not a hash", () => {
    expect(() => check("artifact_hash", { path: "a.md", sha256: "abc" }, {})).toThrow(/64 hex digits/);
  });
});
