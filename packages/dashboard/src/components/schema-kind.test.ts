// Which field a JSON Schema gets.
import { describe, expect, it } from "vitest";
import { fieldKind, startValue, type JsonSchema } from "./schema-kind.ts";

describe("A form made from a JSON Schema", () => {
  it.each<[string, JsonSchema]>([
    ["string", { type: "string" }],
    ["number", { type: "integer" }],
    ["boolean", { type: "boolean" }],
    ["enum", { type: "string", enum: ["a", null, 3] }],
    ["object", { type: "object", properties: { a: { type: "string" } } }],
    ["array", { type: "array", items: { type: "string" } }],
    ["raw", { type: ["string", "null"] }],
    ["raw", { $ref: "#/definitions/x", type: "string" }],
    ["raw", { anyOf: [{ type: "string" }] }],
    ["raw", { type: "object" }],
    ["raw", { type: "object", properties: { a: true } }],
    ["raw", { type: "array", items: true }],
    ["raw", {}],
  ])("has a field of the kind %s for %j", (kind, schema) => {
    expect(fieldKind(schema, 0)).toBe(kind);
  });

  it("ends where schemas are too deep or too wide to be a form", () => {
    expect(fieldKind({ type: "string" }, 7)).toBe("raw");
    const properties = Object.fromEntries(Array.from({ length: 61 }, (_, index) => [`p${index}`, {}]));
    expect(fieldKind({ type: "object", properties }, 0)).toBe("raw");
  });

  it("starts with defaults and with what is required, and shares nothing with the schema", () => {
    const list = [1];
    const schema = {
      type: "object",
      properties: {
        count: { type: "integer", default: 2 },
        list: { type: "array", items: {}, default: list },
        name: { type: "string" },
        inner: { type: "object", properties: { kind: { const: "x" } }, required: ["kind"] },
        left: { type: "string" },
      },
      required: ["name", "inner"],
    };
    const value = startValue(schema) as { list: unknown[] };
    expect(value).toEqual({ count: 2, list: [1], name: "", inner: { kind: "x" } });
    expect(value.list).not.toBe(list);
  });
});
