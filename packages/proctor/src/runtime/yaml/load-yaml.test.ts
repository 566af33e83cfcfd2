import { assert, asyncProperty, nat, stringMatching } from "fast-check";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { ProctorError } from "../../core/errors.ts";
import { loadYaml } from "./load-yaml.ts";
import type { LoadYamlOptions } from "./load-yaml.ts";
import { propertyRuns } from "../../../test/support/property-runs.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "proctor-yaml-"));
});
afterAll(() => rm(folder, { recursive: true }));

const schema = z.strictObject({
  name: z.string().min(1),
  count: z.int().min(1).max(9).optional(),
  mode: z.enum(["fast", "slow"]).optional(),
  words: z.union([z.string(), z.array(z.string())]).optional(),
  items: z.array(z.strictObject({ id: z.string(), size: z.number().optional() })).optional(),
  extra: z.record(z.string(), z.unknown()).optional(),
});

async function load(text: string | Uint8Array, options: Partial<LoadYamlOptions> = {}): Promise<unknown> {
  const file = join(folder, "file.yaml");
  await writeFile(file, text);
  return loadYaml(file, schema, { code: "SUITE_INVALID", displayName: "file.yaml", ...options });
}

async function failure(promise: Promise<unknown>): Promise<ProctorError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!ProctorError.is(error)) throw new Error(`expected a ProctorError, got ${String(error)}`);
  return error;
}

const problems = async (text: string, options: Partial<LoadYamlOptions> = {}): Promise<string> =>
  (await failure(load(text, options))).message;

describe("what is right", () => {
  test("reads a valid file", async () => {
    expect(await load("name: x\nitems:\n  - id: a\n    size: 1.5\n")).toEqual({
      name: "x",
      items: [{ id: "a", size: 1.5 }],
    });
  });

  test("reads anchors, aliases and merged mappings", async () => {
    const text =
      "name: &n x\nitems:\n  - &first {id: a, size: 1}\n  - {<<: *first, id: b}\nextra: {again: *n}\n";
    expect(await load(text)).toMatchObject({
      items: [{ id: "a" }, { id: "b", size: 1 }],
      extra: { again: "x" },
    });
  });

  test("ignores a byte order mark and takes Windows line ends", async () => {
    expect(await load("\ufeffname: x\r\ncount: 2\r\n")).toEqual({ name: "x", count: 2 });
  });

  test("takes an empty file as an empty mapping only where that is allowed", async () => {
    const file = join(folder, "empty.yaml");
    await writeFile(file, "# nothing\n");
    expect(await loadYaml(file, z.strictObject({}), { code: "CONFIG_INVALID", allowEmpty: true })).toEqual(
      {},
    );
    expect(await problems("# nothing\n")).toBe("file.yaml:1:1  the file is empty");
    expect(await problems("")).toBe("file.yaml:1:1  the file is empty");
  });
});

describe("positions", () => {
  test("points at an unknown key itself and suggests the right one", async () => {
    expect(await problems("name: x\nitems:\n  - id: a\n    siez: 3\n")).toBe(
      'file.yaml:4:5  unknown key "siez"\n   did you mean "size"?',
    );
  });

  test("reports every problem at once, in the order of the file", async () => {
    const message = await problems(
      "cuont: 1\nitems:\n  - size: big\n  - id: 5\n    zzzzz: 1\nmode: fats\nname: ''\n",
    );
    expect(message.split("\n")).toEqual([
      'file.yaml:1:1  unknown key "cuont"',
      '   did you mean "count"?',
      'file.yaml:3:5  missing key "id"',
      'file.yaml:3:11  "size" must be a number, not text',
      'file.yaml:4:9  "id" must be text, not a number',
      "   put it in quotes",
      'file.yaml:5:5  unknown key "zzzzz"',
      "   known here: id, size",
      'file.yaml:6:7  "mode" must be "fast" or "slow"',
      '   did you mean "fast"?',
      'file.yaml:7:7  "name" must not be empty',
    ]);
  });

  test("carries the problems as data too", async () => {
    const error = await failure(load("name: x\nnmae: y\n", { code: "CONFIG_INVALID" }));
    expect(error.code).toBe("CONFIG_INVALID");
    expect(error.details).toEqual([
      { file: "file.yaml", line: 2, col: 1, message: 'unknown key "nmae"', hint: 'did you mean "name"?' },
    ]);
  });

  test.each([
    ["count: 0\nname: x\n", 'file.yaml:1:8  "count" must be at least 1'],
    ["count: 10\nname: x\n", 'file.yaml:1:8  "count" must be at most 9'],
    ["count: 1.5\nname: x\n", 'file.yaml:1:8  "count" must be a whole number, not a fraction'],
    ["name: x\nitems:\n", 'file.yaml:2:1  "items" must be a list, not empty'],
    ["name: x\nitems: {}\n", 'file.yaml:2:8  "items" must be a list, not a mapping'],
    ["name: x\nwords: {}\n", 'file.yaml:2:8  "words" must be text or a list, not a mapping'],
    [
      "name: x\nwords: [a, 1]\n",
      'file.yaml:2:12  entry 2 of "words" must be text, not a number\n   put it in quotes',
    ],
    ["- a\n", "file.yaml:1:1  the file must be a mapping (key: value), not a list"],
    ["just text\n", "file.yaml:1:1  the file must be a mapping (key: value), not text"],
    ["count: 1\n", 'file.yaml:1:1  missing key "name"'],
  ])("says what is wrong in %j", async (text, expected) => {
    expect(await problems(text)).toBe(expected);
  });

  test("finds the place behind an alias and a merge", async () => {
    expect(await problems("name: x\nextra: {a: &bad {size: 1}}\nitems: [*bad]\n")).toBe(
      'file.yaml:3:9  missing key "id"',
    );
    expect(await problems("name: x\nextra: {a: &bad {size: q}}\nitems:\n  - <<: *bad\n    id: a\n")).toBe(
      'file.yaml:2:24  "size" must be a number, not text',
    );
  });

  test("an unknown key is found wherever it stands", async () => {
    const key = stringMatching(/^[a-z]{1,8}$/).filter((name) => !(name in schema.shape));
    await assert(
      asyncProperty(key, nat(20), nat(5), async (name, before, comments) => {
        const lines = ["name: x", ...Array.from({ length: before }, (_, index) => `# ${index}`), "items:"];
        lines.push(...Array.from({ length: comments }, () => "  - id: é😀"), `${name}: 1`);
        expect(await problems(`${lines.join("\n")}\n`)).toContain(
          `file.yaml:${lines.length}:1  unknown key "${name}"`,
        );
      }),
      { numRuns: propertyRuns(50) },
    );
  });
});

describe("YAML that is refused", () => {
  test.each([
    [
      "a key that is there twice",
      "name: x\nname: y\n",
      'file.yaml:2:1  the key "name" is here twice\n   remove one of the two',
    ],
    [
      "a tab as indentation",
      "name: x\nitems:\n\t- id: a\n",
      "file.yaml:3:1  a tab is used for indentation\n   indent with spaces",
    ],
    ["a second document", "name: x\n---\nname: y\n", "file.yaml:2:1  a second document starts here"],
    ["a tag", "name: !!js/function x\n", "file.yaml:1:7  Unresolved tag"],
    ["an old YAML version's types", "%YAML 1.1\n---\nname: !!binary aGk=\n", "file.yaml:3:7  Unresolved tag"],
    ["a list as a key", "name: x\n? [a]\n: 1\n", "file.yaml:2:3  a key must be plain text"],
    [
      "the prototype as a key",
      "name: x\nextra:\n  __proto__: {a: 1}\n",
      'file.yaml:3:3  the key "__proto__" is not allowed',
    ],
    ["an infinite number", "name: x\nextra: {a: .inf}\n", "file.yaml:2:12  a number must be finite"],
    [
      "a number that would change",
      "name: x\nextra: {a: 12345678901234567890}\n",
      "file.yaml:2:12  this number is too large",
    ],
    ["an alias without an anchor", "name: *nothing\n", "file.yaml:1:7"],
    ["an open quote", 'name: "x\n', 'file.yaml:2:1  Missing closing "quote'],
  ])("%s", async (_, text, expected) => {
    expect(await problems(text)).toContain(expected);
  });

  test("aliases that multiply", async () => {
    const levels = Array.from({ length: 12 }, (_, index) =>
      index === 0
        ? "  a0: &a0 [x, x]"
        : `  a${index}: &a${index} [${Array(9)
            .fill(`*a${index - 1}`)
            .join(", ")}]`,
    );
    expect(await problems(`name: x\nextra:\n${levels.join("\n")}\n`)).toContain(
      "the aliases in this file cannot be resolved",
    );
  });

  test("an alias inside its own anchor", async () => {
    expect(await problems("name: x\nextra: &a {b: *a}\n")).toBe(
      "file.yaml:2:15  this alias stands inside its own anchor",
    );
  });

  test("nesting without end", async () => {
    expect(await problems(`name: x\nextra: {a: ${"[".repeat(300)}${"]".repeat(300)}}\n`)).toContain(
      "nested deeper than 100",
    );
    expect(await problems(`name: ${"[".repeat(20_000)}`)).toMatch(/^file\.yaml:\d+:\d+ {2}\S/);
  });

  test("many thousand keys, without comparing each with all", async () => {
    const keys = Array.from({ length: 20_000 }, (_, index) => `  k${index}: 1`).join("\n");
    expect(await load(`name: x\nextra:\n${keys}\n`)).toMatchObject({ name: "x" });
  });

  test("many thousand wrong keys, each found at once", async () => {
    const keys = Array.from({ length: 20_000 }, (_, index) => `zz${index}: 1`).join("\n");
    expect(await problems(`name: x\n${keys}\n`)).toContain("… and 19950 more");
  });

  test("shows the first fifty of a thousand problems", async () => {
    const message = await problems(Array.from({ length: 1000 }, (_, index) => `zz${index}: 1\n`).join(""));
    expect(message).toContain("… and 951 more");
  });

  test("keeps control characters of the file away from the terminal", async () => {
    expect(await problems('name: x\n"\\u001b[31mred": 1\n')).toContain('unknown key "\\u001b[31mred"');
  });
});

describe("files that cannot be read", () => {
  test.each([
    ["missing.yaml", "missing.yaml  there is no such file"],
    [".", "is a directory, not a file"],
  ])("%s", async (name, expected) => {
    const error = await failure(loadYaml(join(folder, name), schema, { code: "SUITE_INVALID" }));
    expect(error.code).toBe("FILE_UNREADABLE");
    expect(error.message).toContain(expected);
    expect(error.message).toMatch(/\n {3}\S/);
  });

  test("more than 5 MB", async () => {
    const error = await failure(load(`name: x\n#${"x".repeat(5 * 1024 * 1024)}`));
    expect(error.message).toBe("file.yaml  is larger than 5 MB\n   split it into several files");
  });

  test("bytes that are no UTF-8", async () => {
    expect((await failure(load(Uint8Array.of(0x6e, 0xff, 0xfe)))).message).toContain("is not UTF-8 text");
  });
});

describe("variables", () => {
  const variables = { HOME_DIR: "/home/x", EMPTY: "", SECRET_TOKEN: "hunter2" };

  test("are replaced in values, never in keys", async () => {
    const text =
      "name: ${HOME_DIR}/a\nextra: {'${HOME_DIR}': '${EMPTY}', b: '${NONE:fall back}', c: '${lower} $HOME_DIR'}\n";
    expect(await load(text, { variables })).toEqual({
      name: "/home/x/a",
      extra: { "${HOME_DIR}": "", b: "fall back", c: "${lower} $HOME_DIR" },
    });
  });

  test("can be written literally with a second dollar sign", async () => {
    expect(await load("name: $${HOME_DIR}\n", { variables })).toEqual({ name: "${HOME_DIR}" });
  });

  test("that are not set are reported where they stand", async () => {
    expect(await problems("name: x\nextra:\n  a: |\n    one\n    two ${HOME_DRI}\n", { variables })).toBe(
      'file.yaml:5:9  the variable HOME_DRI is not set\n   did you mean "HOME_DIR"?  Otherwise set HOME_DRI, or give a default: ${HOME_DRI:value}',
    );
  });

  test("never show their value in a problem", async () => {
    expect(
      await problems("name: x\ncount: ${SECRET_TOKEN}\nmode: ${SECRET_TOKEN}\n", { variables }),
    ).not.toContain("hunter2");
  });

  test("are not expanded twice and do not reach the prototype", async () => {
    expect(await load("name: ${A}\n", { variables: { A: "${B}", B: "no" } })).toEqual({ name: "${B}" });
    expect(await problems("name: ${__PROTO__}\n", { variables })).toContain("is not set");
  });
});
