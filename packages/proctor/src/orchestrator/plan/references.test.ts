import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../test/support/property-runs.ts";
import type { Json } from "../../core/json.ts";
import { referencesIn, resolveReferences } from "./references.ts";
import { escapeReferences } from "./split-references.ts";
import type { Values } from "./values.ts";

const outputs: Record<string, Json> = {
  a: { x: { y: 7 }, list: [1, { deep: true }], "a key": "spaced", "it's}": "odd", nothing: null },
  text: "plain",
};

const values: Values = {
  goal: "tidy up",
  params: { topic: "bees", size: 3, nested: { on: false } },
  outputOf: (task) => (Object.hasOwn(outputs, task) ? outputs[task] : undefined),
  item: { name: "one" },
  index: 4,
};

const resolved = (value: Json, given: Values = values): Json => {
  const result = resolveReferences(value, given);
  if ("problem" in result) throw new Error(result.problem);
  return result.value;
};

const problem = (value: Json, given: Values = values): string => {
  const result = resolveReferences(value, given);
  return "problem" in result ? result.problem : "";
};

describe("A reference alone", () => {
  it.each<[string, Json]>([
    ["${tasks.a.output}", outputs["a"]!],
    ["${tasks.a.output.x.y}", 7],
    ["${tasks.a.output.list[0]}", 1],
    ["${tasks.a.output.list[-1].deep}", true],
    ["${tasks.a.output['a key']}", "spaced"],
    [`\${tasks.a.output["a key"]}`, "spaced"],
    [String.raw`\${tasks.a.output['it\'s}']}`.slice(1), "odd"],
    ["${tasks.a.output.nothing}", null],
    ["${params.size}", 3],
    ["${params}", values.params],
    ["${params.nested.on}", false],
    ["${item}", { name: "one" }],
    ["${item.name}", "one"],
    ["${index}", 4],
    ["${goal}", "tidy up"],
    ["${ goal }", "tidy up"],
  ])("keeps the type of its value: %s", (text, value) => {
    expect(resolved(text)).toEqual(value);
  });
});

describe("References among other words", () => {
  it("are inserted as they are where they are texts, and as JSON otherwise", () => {
    expect(resolved("${goal}: ${params.topic}, ${tasks.a.output.x} ${tasks.a.output.nothing}!")).toBe(
      'tidy up: bees, {"y":7} null!',
    );
  });

  it("are found in every text of a value, and nowhere else", () => {
    expect(resolved({ "${goal}": ["${index}", { deep: " ${index}" }], n: 1, no: null })).toEqual({
      "${goal}": [4, { deep: " 4" }],
      n: 1,
      no: null,
    });
  });

  it.each([
    ["$${goal}", "${goal}"],
    ["$$${goal}", "$${goal}"],
    ["a $${b} ${index}$${", "a ${b} 4${"],
    ["$${${index}", "${4"],
    ["5 $ {x} $x", "5 $ {x} $x"],
  ])("are not what has two dollars: %s", (text, expected) => {
    expect(resolved(text)).toBe(expected);
  });
});

describe("A reference that leads nowhere", () => {
  it.each([
    ["${tasks.b.output}", '${tasks.b.output} refers to nothing: task "b" has no output'],
    ["${tasks.a.output.z}", '${tasks.a.output.z} refers to nothing: the output of "a" has no such part'],
    ["so ${tasks.text.output.length}", "${tasks.text.output.length} refers to nothing"],
    ["${params.colour}", "no such parameter is given"],
    ["${item.size}", "the item has no such part"],
  ])("is a problem that names it: %s", (text, expected) => {
    expect(problem(["fine", { text }])).toContain(expected);
  });

  it("is one to an item outside a foreach", () => {
    const { item: _item, index: _index, ...outside } = values;
    expect(problem("${item}", outside)).toContain("only a task with `foreach` has items");
    expect(problem("${index}", outside)).toContain("only a task with `foreach` has items");
  });
});

describe("What looks like a reference and is none", () => {
  it.each([
    ["${task.a.output}", 'did you mean "tasks"?'],
    ["${HOME}", "write $${ for the text ${ itself"],
    ["${tasks.a}", "write ${tasks.a.output}"],
    ["${tasks.a.result}", "write ${tasks.a.output}"],
    ["${tasks[0].output}", "write ${tasks.<id>.output}"],
    ["${tasks.1.output}", '"1" cannot be the id of a task'],
    ["${goal.x}", '"goal" has no parts'],
    ["${index[0]}", '"index" has no parts'],
    ["${params.*}", "it cannot be read"],
    ["${tasks..output}", "it cannot be read"],
    ["${}", "it cannot be read"],
    ["${goal", "its closing brace is missing"],
    ["${params['a}", "its closing brace is missing"],
  ])("says why: %s", (text, reason) => {
    expect(problem(text)).toContain(reason);
    expect(referencesIn({ text })).toEqual([
      expect.objectContaining({
        kind: "none",
        at: ["text"],
        reason: expect.stringContaining(reason) as string,
      }),
    ]);
  });
});

describe("The references in a value", () => {
  it("are listed with their kind, path and place", () => {
    const found = referencesIn({
      a: ["${goal} ${tasks.b.output.x[1]}", "$${goal}"],
      c: "${params.p.q}${item}${index}",
    });
    expect(found.map(({ kind, at }) => [kind, ...at])).toEqual([
      ["goal", "a", 0],
      ["task", "a", 0],
      ["params", "c"],
      ["item", "c"],
      ["index", "c"],
    ]);
    expect(found[1]).toMatchObject({ task: "b", path: [{ key: "x" }, { index: 1 }] });
  });
});

describe("What is inserted", () => {
  it("is never read again", () => {
    const given = { ...values, params: { evil: "${goal} $${goal} ${tasks.a.output}" } };
    expect(resolved("${params.evil}", given)).toBe(given.params.evil);
    expect(resolved("so: ${params.evil}.", given)).toBe(`so: ${given.params.evil}.`);
    expect(resolved("$${params.evil}", given)).toBe("${params.evil}");
    expect(resolved("${params.half}goal}", { ...values, params: { half: "${" } })).toBe("${goal}");
  });

  it("never comes from a prototype", () => {
    for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
      expect(problem(`\${params.${name}}`)).toContain("refers to nothing");
      expect(problem(`\${tasks.a.output.${name}}`)).toContain("refers to nothing");
      expect(problem(`\${tasks.a.output.list.${name}}`)).toContain("refers to nothing");
    }
    const params = JSON.parse('{"__proto__": {"polluted": true}}') as Values["params"];
    expect(resolved("${params.__proto__.polluted}", { ...values, params })).toBe(true);
  });

  it("never changes a prototype", () => {
    const value = JSON.parse('{"__proto__": {"polluted": "${goal}"}, "constructor": "${index}"}') as Json;
    const result = resolved(value) as Record<string, unknown>;
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(JSON.stringify(result)).toBe('{"__proto__":{"polluted":"tidy up"},"constructor":4}');
    expect({}).not.toHaveProperty("polluted");
  });

  it("does not grow without end", () => {
    const given = { ...values, params: { big: "x".repeat(1_000_000) } };
    expect(problem("${params.big}".repeat(1000), given)).toContain("makes it too large");
    expect(
      problem(
        Array.from({ length: 1000 }, () => "${params.big}"),
        given,
      ),
    ).toContain("makes it too large");
    expect(
      problem(
        Array.from({ length: 30 }, () => "${params.big}"),
        given,
      ),
    ).toBe("");
  });

  it("is any data as it was, when the data was escaped", () => {
    const text = fc.string({ unit: fc.constantFrom("$", "{", "}", "goal", "${", "a") });
    fc.assert(
      fc.property(fc.oneof(text, fc.array(text), fc.dictionary(text, text)), (data) => {
        expect(resolved(escapeReferences(data))).toEqual(data);
      }),
      { numRuns: propertyRuns(1000) },
    );
  });
});

describe("A hostile text", () => {
  it.each([
    ["openings", "${".repeat(100_000)],
    ["escapes", "$${".repeat(100_000)],
    ["dollars", "$".repeat(1_000_000)],
    ["open quotes", "${params['".repeat(100_000)],
    ["quotes of two kinds", `\${params["`.repeat(50_000) + "${params['".repeat(50_000)],
    ["backslashes", `\${params['${"\\".repeat(1_000_001)}`],
    ["a deep path", `\${params${".x".repeat(500_000)}}`],
    ["a long key", `\${params['${"x".repeat(1_000_000)}']}`],
    ["a million blanks", `\${${" ".repeat(1_000_000)}`],
  ])("of %s is read in one pass", (_name, text) => {
    expect(referencesIn(text).length).toBeLessThanOrEqual(100_000);
    resolveReferences(text, values);
  });

  it("with a hundred thousand good references is resolved", () => {
    expect(resolved("${index}".repeat(100_000))).toBe("4".repeat(100_000));
  });

  it("nested too deeply is a problem instead of a crash", () => {
    let value: Json = "${goal}";
    for (let depth = 0; depth < 100_000; depth++) value = [value];
    expect(problem(value)).toContain("nested more than 200 levels deep");
    expect(referencesIn(value)).toEqual([expect.objectContaining({ kind: "none" })]);
  });
});
