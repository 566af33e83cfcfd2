// The types of the dashboard's client are those of the OpenAPI document.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { apiTypes, ROOTS } from "../../../scripts/api-types.ts";
import { NO_DESK } from "../src/dispatch/desk/no-desk.ts";
import { describedPlatform } from "./support/described-platform.ts";
import { createHarness } from "./support/server/app-harness.ts";

const file = fileURLToPath(new URL("../../dashboard/src/api/gen/schema.ts", import.meta.url));

describe("The dashboard's types", () => {
  const schemas = createHarness({ platform: describedPlatform, desk: NO_DESK }).app.openapi().components
    .schemas as Parameters<typeof apiTypes>[0];

  it("are what the OpenAPI document says: UPDATE_TABLES=1 writes them", () => {
    const types = apiTypes(schemas);
    if (process.env["UPDATE_TABLES"] === "1") writeFileSync(file, types);
    expect(readFileSync(file, "utf8")).toBe(types);
  });

  it("are made of schemas that exist", () => {
    expect(ROOTS.filter((name) => !(name in schemas))).toEqual([]);
  });

  it("say what is required, what may be null, and what a thing is one of", () => {
    const types = apiTypes(
      {
        Pet: {
          type: "object",
          properties: {
            name: { type: "string" },
            owner: { anyOf: [{ $ref: "#/x/Owner" }, { type: "null" }] },
          },
          required: ["name"],
        },
        Owner: { enum: ["me", "you"] },
        Other: { type: "string" },
      },
      ["Pet"],
    );
    expect(types).toContain(`export type Owner = "me" | "you";`);
    expect(types).toContain(`export type Pet = {\n  name: string;\n  owner?: Owner | null;\n};`);
    expect(types).not.toContain("Other");
  });
});
