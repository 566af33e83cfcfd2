import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { suiteTypes, TYPES } from "../../../scripts/suite-types.ts";
import { isJsonObject, type JsonObject } from "../src/core/json.ts";
import { suiteJsonSchema } from "../../../scripts/suite-format/json-schema.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const ajv = new Ajv({ allErrors: true, strict: false });
const validate = ajv.compile(suiteJsonSchema());
const problems = (value: unknown): string[] =>
  validate(value)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);

/** Whole suites: those of the examples, and the blocks of the documents that say so. */
function suites(): [name: string, value: JsonObject][] {
  const files = (folder: string, end: string): string[] =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(end) && !name.includes("node_modules"))
      .map((name) => join(folder, name));
  const examples = files("examples", ".yaml").map(
    (name) => [name, readFileSync(join(root, name), "utf8")] as const,
  );
  const blocks = files("docs", ".md").flatMap((name) =>
    [...readFileSync(join(root, name), "utf8").matchAll(/```yaml\n(# suite(?:: \w+)?\n[^]*?)```/g)].map(
      (match, index) => [`${name} block ${index + 1}`, match[1] ?? ""] as const,
    ),
  );
  return [...examples, ...blocks].flatMap(([name, text]): [string, JsonObject][] => {
    const value: unknown = parse(text, { merge: true });
    return isJsonObject(value) && "test_suite" in value ? [[name, value]] : [];
  });
}

describe("the JSON Schema of suites", () => {
  test("is what the build has written, at the path that the package exports", () => {
    const { exports, files } = JSON.parse(
      readFileSync(join(root, "packages/proctor/package.json"), "utf8"),
    ) as {
      exports: Record<string, unknown>;
      files: string[];
    };
    const path = exports["./suite.schema.json"];
    expect(path).toBe("./suite.schema.json");
    expect(files).toContain("suite.schema.json");
    const built = readFileSync(join(root, "packages/proctor/suite.schema.json"), "utf8");
    expect(JSON.parse(built), "run: npm run build").toEqual(suiteJsonSchema());
  });

  test("gives the types of defineSuite that are written down", () => {
    const isUpToDate = readFileSync(TYPES, "utf8") === suiteTypes();
    expect(isUpToDate, "run: npm run build").toBe(true);
  });

  test.each(suites())("accepts %s, and refuses it with a mistake", (_name, suite) => {
    expect(problems(suite)).toEqual([]);
    expect(problems({ ...suite, agnets: [] })).not.toEqual([]);
    const [first, ...rest] = Array.isArray(suite["tests"]) ? suite["tests"] : [];
    if (!isJsonObject(first)) return;
    const withTest = (changed: JsonObject): string[] =>
      problems({ ...suite, tests: [{ ...first, assertions: [], ...changed }, ...rest] });
    expect(withTest({ tsak: {} })).not.toEqual([]);
    expect(withTest({ assertions: [{ type: "contians", config: { pattern: "x" } }] })).not.toEqual([]);
  });

  const check = (entry: JsonObject): string[] =>
    problems({
      test_suite: "s",
      tests: [{ id: "t", name: "T", task: { description: "x" }, checks: [entry] }],
    });

  test.each<[JsonObject, boolean]>([
    [{ type: "contains", config: { pattern: "x" }, weight: 2, critical: true }, true],
    [{ type: "contains" }, false],
    [{ type: "contains", config: { pattern: "x", patern: "y" } }, false],
    [{ type: "contains", config: { pattern: "x", regex: "{{ yes }}" } }, true],
    [{ type: "not_contains", config: {} }, false],
    [{ type: "not_contains", config: { pattern: "x" } }, true],
    [{ type: "no_errors" }, true],
    [{ type: "no_errors", config: { x: 1 } }, false],
    [{ type: "{{ kind }}", config: { any: 1 } }, true],
    [{ type: "max_steps", config: { limit: "{{ n }}" } }, true],
    [{ type: "max_steps", config: { limit: "many" } }, false],
    [{ type: "all", config: { checks: [{ type: "no_errors" }] } }, true],
    [{ type: "all", config: { checks: [{ type: "no_erors" }] } }, false],
    [
      { type: "composite", config: { conditions: [{ operator: "not", condition: { type: "no_errors" } }] } },
      true,
    ],
    [
      { type: "composite", config: { conditions: [{ operator: "not", condition: { type: "oops" } }] } },
      false,
    ],
  ])("knows the settings of a check: %j", (entry, good) => {
    expect(check(entry).length === 0).toBe(good);
  });

  test("tells editors what keys mean", () => {
    const definitions = suiteJsonSchema()["definitions"];
    expect(JSON.stringify(definitions)).toContain("A violation of its protocol fails a run.");
  });
});
