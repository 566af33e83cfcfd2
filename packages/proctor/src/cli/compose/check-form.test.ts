import { describe, expect, it } from "vitest";
import type { Json } from "../../core/json.ts";
import { checkForm } from "./check-form.ts";
import { soonTooSlow } from "../../../test/support/soon-too-slow.ts";

const FORM = {
  type: "object",
  properties: { age: { type: "integer" }, colour: { enum: ["r", "g"], enumNames: ["Red", "Green"] } },
  required: ["age"],
};

describe("the data of a form", () => {
  it("fits its schema, or the place where it does not is named", () => {
    expect(checkForm(FORM, { age: 7, colour: "r" })).toBeUndefined();
    expect(checkForm(FORM, { age: "seven" })).toBe("/age: must be integer");
    expect(checkForm(FORM, {})).toMatch(/^the whole: .*'age'/);
  });

  it.each<[string, Json]>([
    ["is no schema", { type: "nonsense" }],
    ["is no object", ["a"]],
    ["refers to what is elsewhere", { $ref: "https://example.com/schema.json" }],
    ["takes forever", { type: "string", pattern: "^(a+)+$" }],
  ])("goes unchecked to an agent whose schema %s", async (_, schema) => {
    expect(await soonTooSlow(() => checkForm(schema, `${"a".repeat(40)}!`))).toBeUndefined();
  });
});
