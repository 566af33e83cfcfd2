import { array, assert, property, string } from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Suite } from "../suite.ts";
import { createCsvReader, type CsvRecord } from "./csv.ts";
import { createSuiteFolder, type SuiteFolder } from "../../../test/support/suites/load-suite.ts";
import { anyCharacter } from "../../../test/support/any-character.ts";

let folder: SuiteFolder;
beforeAll(async () => {
  folder = await createSuiteFolder({ A: "no" });
});
afterAll(() => folder.remove());

const suite = (data: string, task = "{{ row }}"): string =>
  `test_suite: s\ntests:\n  - id: t\n    name: N\n    data: ${data}\n    task: {description: x, input_data: "${task}"}\n`;
const load = (data: string, files: Record<string, string | Uint8Array> = {}): Promise<Suite> =>
  folder.load({ ...files, "suite.yaml": suite(data) });
const problems = (data: string, files: Record<string, string | Uint8Array> = {}): Promise<string[]> =>
  folder.problems({ ...files, "suite.yaml": suite(data) });
const rows = ({ tests }: Suite): unknown[] => tests.map(({ task }) => task.input_data);

describe("the rows of a data set", () => {
  const expected = [
    { id: "a", text: "one" },
    { id: "b", text: "two" },
  ];
  test.each([
    ["x.csv", "id,text\na,one\nb,two\n"],
    ["bom.csv", "\ufeffid,text\r\na,one\r\n\r\nb,two"],
    ["x.jsonl", '{"id":"a","text":"one"}\r\n\n{"id":"b","text":"two"}'],
    ["x.json", '[{"id":"a","text":"one"},{"id":"b","text":"two"}]'],
    ["x.yaml", "- {id: a, text: one}\n- {id: b, text: two}\n"],
  ])("are read from %s", async (name, text) => {
    const loaded = await load(name, { [name]: text });
    expect(rows(loaded)).toEqual(expected);
    expect(loaded.tests.map(({ id }) => id)).toEqual(["t[a]", "t[b]"]);
    expect(loaded.tests[1]?.parameters).toEqual(expected[1]);
  });

  test("may stand in the suite itself", async () => {
    const loaded = await load("[{n: 1}, {n: '{{ n }}'}]");
    expect(rows(loaded)).toEqual([{ n: 1 }, { n: "{{ n }}" }]);
    expect(loaded.tests.map(({ id }) => id)).toEqual(["t[1]", "t[2]"]);
  });

  test("keep their numbers when only a part is taken", async () => {
    const loaded = await load("{file: n.csv, offset: 2, limit: 2}", { "n.csv": "n\n1\n2\n3\n4\n5\n" });
    expect(loaded.tests.map(({ id }) => id)).toEqual(["t[3]", "t[4]"]);
    expect(rows(loaded)).toEqual([{ n: "3" }, { n: "4" }]);
  });

  test("are never expanded, whatever they hold", async () => {
    const loaded = await load("d.yaml", { "d.yaml": "- {a: '${A} {{ row }}'}\n" });
    expect(rows(loaded)).toEqual([{ a: "${A} {{ row }}" }]);
  });

  test("are numbered when their id column is not unique", async () => {
    const loaded = await load("twice.csv", { "twice.csv": "id\nx\nx\n" });
    expect(loaded.tests.map(({ id }) => id)).toEqual(["t[1]", "t[2]"]);
  });
});

describe("a data set is refused with its place", () => {
  test.each([
    [
      "ragged.csv",
      "a,b\n1,2\n3\n4,5,6\n",
      ["ragged.csv:3:1  this row has 1 cell", "ragged.csv:4:1  this row has 3 cells"],
    ],
    ["open.csv", 'a\n"x\ny\n', ["open.csv:2:1  a quote that opens a cell is never closed"]],
    ["mid.csv", 'a\n5" pipe\n', ["mid.csv:2:1  a quote stands inside a cell that does not begin with one"]],
    ["after.csv", 'a\n"x"y\n', ["after.csv:2:1  text follows the quote that closes a cell"]],
    ["twice.csv", "a,b,a\n1,2,3\n", ['twice.csv:1:1  the column "a" is here twice']],
    ["noname.csv", "a,,b\n1,2,3\n", ["noname.csv:1:1  a column has no name"]],
    ["empty.csv", "", ["empty.csv:1:1  there are no rows"]],
    ["head.csv", "a,b\n", ["head.csv:1:1  there are no rows"]],
    ["bad.jsonl", '{"a":1}\n{a:1}\n', ["bad.jsonl:2:1  this is no JSON"]],
    ["list.jsonl", "{}\n[1]\n", ["list.jsonl:2:1  a row must be a mapping"]],
    ["proto.jsonl", '{"__proto__":{"x":1}}\n', ['proto.jsonl:1:1  the name "__proto__" is not allowed']],
    ["deep.jsonl", `{"a":${"[".repeat(400)}${"]".repeat(400)}}\n`, ["deep.jsonl:1:1  nested too deeply"]],
    ["object.json", "{}", ["object.json:1:1  a data set is a list of objects"]],
    ["map.yaml", "a: 1\n", ["map.yaml:1:1  a data set is a list of mappings"]],
    ["tab.yaml", "-\ta: 1\n\tb: 2\n", ["tab.yaml:"]],
  ])("for what is wrong in %s", async (name, text, expected) => {
    const found = await problems(name, { [name]: text });
    for (const message of expected)
      expect(
        found.some((line) => line.startsWith(message)),
        found.join("\n"),
      ).toBe(true);
  });

  test("for bytes that are not text", async () => {
    expect(await problems("bytes.csv", { "bytes.csv": Uint8Array.of(0x61, 0xff, 0xfe) })).toContain(
      'suite.yaml:5:11  "bytes.csv" is not UTF-8 text',
    );
  });

  test("for more than 100000 rows, and for an offset behind the last", async () => {
    const many = { "many.csv": `n\n${"1\n".repeat(100_001)}` };
    expect((await problems("many.csv", many))[0]).toBe("many.csv:100002:1  there are more than 100000 rows");
    expect((await problems("{file: many.csv, offset: 100001}", many))[0]).toBe(
      "many.csv:1:1  there are only 100001 rows",
    );
    expect((await load("{file: many.csv, limit: 1}", many)).tests).toHaveLength(1);
  });

  test("once, when two tests use the same file", async () => {
    const text = `test_suite: s\ntests:\n${["a", "b"].map((id) => `  - {id: ${id}, name: N, data: x.csv, task: {description: x}}\n`).join("")}`;
    expect(await folder.problems({ "suite.yaml": text, "x.csv": "a\n1,2\n" })).toHaveLength(2);
  });
});

describe("CSV", () => {
  const quoteCell = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
  const read = (pieces: readonly string[]): CsvRecord[] => {
    const reader = createCsvReader();
    return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()];
  };

  test("is read the same wherever it is cut", () => {
    const text = 'a,"b,""c""\r\nd",\r\n\n"",x\r"z"';
    const whole = read([text]);
    expect(whole).toEqual([
      { cells: ["a", 'b,"c"\r\nd', ""], line: 1 },
      { cells: ["", "x"], line: 4 },
      { cells: ["z"], line: 5 },
    ]);
    for (let cut = 0; cut <= text.length; cut++)
      expect(read([text.slice(0, cut), text.slice(cut)])).toEqual(whole);
  });

  test("gives back every cell that was written", () => {
    const cell = string({ unit: anyCharacter, maxLength: 8 });
    assert(
      property(array(array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 5 }), (table) => {
        const text = table.map((row) => row.map(quoteCell).join(",")).join("\r\n");
        expect(read(text.split(/(?<=x)/)).map(({ cells }) => cells)).toEqual(table);
      }),
    );
  });
});
