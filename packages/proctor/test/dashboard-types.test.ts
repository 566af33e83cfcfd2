// The types of the dashboard's client are those of the OpenAPI document.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { apiDocument } from "../../../scripts/api-document.ts";
import { API_TYPES, apiTypes } from "../../../scripts/api-types.ts";

describe("The dashboard's types", () => {
  const { schemas } = apiDocument().components;

  it("are what the OpenAPI document says: npm run build writes them", () => {
    expect(readFileSync(API_TYPES, "utf8")).toBe(apiTypes(schemas));
  });

  it("say what is required, what may be null, and what a thing is one of", () => {
    const types = apiTypes({
      Pet: {
        type: "object",
        properties: {
          name: { type: "string" },
          owner: { anyOf: [{ $ref: "#/x/Owner" }, { type: "null" }] },
        },
        required: ["name"],
      },
      Owner: { enum: ["me", "you"] },
    });
    expect(types).toContain(`export type Owner = "me" | "you";`);
    expect(types).toContain(`export type Pet = {\n  name: string;\n  owner?: Owner | null;\n};`);
  });
});
