import { describe, expect, it } from "vitest";
import { asksFirst } from "./asks-first.ts";
import { exampleOf } from "./example-value.ts";
import { findOperations } from "./find-operations.ts";
import { formSchema } from "./form-schema.ts";
import { toReference, type Operation } from "./reference.ts";
import { typeWords } from "./type-words.ts";

const DOCUMENT = {
  info: { version: "1" },
  tags: [{ name: "Runs", description: "What runs." }, { name: "Empty" }],
  paths: {
    "/runs/{id}": {
      get: {
        operationId: "getRun",
        tags: ["Runs"],
        summary: "Read a run",
        responses: {},
        "x-scope": "runs:read",
      },
      delete: { operationId: "deleteRun", tags: ["Runs"], summary: "Remove a run", security: [] },
      trace: { operationId: "no" },
    },
  },
  components: {
    schemas: {
      Tree: {
        type: "object",
        properties: { left: { $ref: "#/components/schemas/Tree" } },
        required: ["left"],
      },
    },
  },
};

const reference = toReference(DOCUMENT);
const schemas = reference.schemas;
const [get, remove] = reference.groups[0]?.operations ?? [];

describe("A reference made of an OpenAPI document", () => {
  it("has the operations of each group, and no group without any", () => {
    expect(reference.groups.map(({ name, operations }) => [name, operations.map(({ id }) => id)])).toEqual([
      ["Runs", ["getRun", "deleteRun"]],
    ]);
    expect([get?.scope, remove?.scope]).toEqual(["runs:read", undefined]);
  });

  it("reads a document that is none as an empty one", () => {
    for (const value of [undefined, null, "x", [], { paths: [], tags: {} }])
      expect(toReference(value).groups).toEqual([]);
  });

  it("finds an operation by words of its method, path, id, summary and group, in any order", () => {
    const found = (text: string) =>
      findOperations(reference.groups, text).flatMap(({ operations }) => operations.map(({ id }) => id));
    expect(found("")).toEqual(["getRun", "deleteRun"]);
    expect(found("a REMOVE  /runs/")).toEqual(["deleteRun"]);
    expect(found("getrun")).toEqual(["getRun"]);
    expect(found("nothing")).toEqual([]);
  });

  it("makes an example and a form of a schema that refers to itself, and stops", () => {
    const tree = { $ref: "#/components/schemas/Tree" };
    expect(JSON.stringify(exampleOf({ schema: tree, example: undefined }, schemas)).length).toBeLessThan(200);
    expect(JSON.stringify(formSchema(tree, schemas)).length).toBeLessThan(2000);
  });

  it("prefers the examples that the document has to one that is made up", () => {
    expect(exampleOf({ schema: { type: "string", examples: ["ada"] }, example: undefined }, {})).toBe("ada");
    expect(exampleOf({ schema: { type: "string" }, example: "own" }, {})).toBe("own");
    expect(
      exampleOf({ schema: { anyOf: [{ type: "string" }, { type: "null" }] }, example: undefined }, {}),
    ).toBe(null);
  });

  it("offers the simple one of several shapes as a field, and JSON where none is simple", () => {
    expect(formSchema({ anyOf: [{ type: "object" }, { type: "string" }], description: "d" }, {})).toEqual({
      type: "string",
      description: "d",
    });
    expect(formSchema({ oneOf: [{ type: "object" }, { type: "array" }] }, {})).toHaveProperty("oneOf");
  });

  it("says in words what a value may be", () => {
    expect(typeWords({ type: "array", items: { type: "integer", minimum: 1, maximum: 9 } })).toBe(
      "list of integer 1 to 9",
    );
    expect(typeWords({ anyOf: [{ $ref: "#/components/schemas/Tree" }, { const: 1 }] })).toBe("Tree or 1");
    expect(typeWords({})).toBe("any value");
  });

  it("asks before it removes, ends or administers, and never before it reads", () => {
    const like = (part: Partial<Operation>) => asksFirst({ ...(get as Operation), ...part });
    expect([remove && asksFirst(remove), like({ method: "POST", path: "/runs/{id}/cancel" })]).toEqual([
      true,
      true,
    ]);
    expect(like({ method: "POST", path: "/tokens", scope: "admin" })).toBe(true);
    expect([like({}), like({ method: "POST", path: "/runs" }), like({ scope: "admin" })]).toEqual([
      false,
      false,
      false,
    ]);
  });
});
