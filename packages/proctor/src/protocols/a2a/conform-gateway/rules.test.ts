// The list of the rules for gateways and its page say the same.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { rows } from "../../../../test/support/markdown.ts";
import { GATEWAY_RULES } from "./rules.ts";

const page = readFileSync(
  fileURLToPath(new URL("../../../../../../docs/reference/conformance.md", import.meta.url)),
  "utf8",
);

test("the reference page lists every rule for gateways as it is, and no other", () => {
  const known = GATEWAY_RULES.map(({ id, level, title, section = "Proctor's own", version, when }) => {
    const tried = [version, when].filter((word) => word !== undefined).join("; ");
    return [`\`${id}\``, level, title, section, tried === "" ? "always" : tried].join(" | ");
  });
  const listed = rows(page).filter(([cell]) => cell?.startsWith("`gateway."));
  expect(listed.map((row) => row.join(" | "))).toEqual(known);
});

test("every rule for gateways has a name of its own", () => {
  expect(new Set(GATEWAY_RULES.map(({ id }) => id)).size).toBe(GATEWAY_RULES.length);
});
