import { expect, test } from "vitest";
import { formFields, readField } from "./form-fields.ts";

test("the fields of a flat form are those of its schema, in order", () => {
  const schema = {
    type: "object",
    properties: {
      city: { type: "string", description: "a city" },
      nights: { type: "integer" },
      room: { type: "string", enum: ["single", "double"] },
    },
    required: ["city"],
  };

  expect(formFields(schema)).toEqual([
    { name: "city", type: "string", required: true, description: "a city" },
    { name: "nights", type: "integer", required: false },
    { name: "room", type: "string", required: false, choices: ["single", "double"] },
  ]);
});

test.each([
  ["it has no properties", {}],
  ["its properties are none", { properties: [] }],
  ["it is nested", { properties: { a: { type: "object" } } }],
  ["a property is no schema", { properties: { a: true } }],
  [
    "it has too many",
    { properties: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [n, { type: "string" }])) },
  ],
])("a form has to be answered as JSON when %s", (_, schema) => {
  expect(formFields(schema)).toBeUndefined();
});

test.each([
  ["string", "two words ", "two words "],
  ["number", " 1.5 ", 1.5],
  ["number", "many", undefined],
  ["integer", "1.5", undefined],
  ["integer", "9007199254740993", undefined],
  ["boolean", "Yes", true],
  ["boolean", "n", false],
  ["boolean", "constructor", undefined],
] as const)("a field of type %s reads %j as %j", (type, typed, value) => {
  expect(readField({ name: "x", type, required: true }, typed)).toBe(value);
});

test("a field with choices reads nothing else", () => {
  const field = { name: "x", type: "integer" as const, required: true, choices: [1, 2] };

  expect([readField(field, "2"), readField(field, "3")]).toEqual([2, undefined]);
});
