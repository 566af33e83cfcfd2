// The list of A2A rules and its page say the same, and every rule says whose it is.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { rows } from "../../../../test/support/markdown.ts";
import type { A2aRule } from "./rule.ts";
import { RULES } from "./rules.ts";

const page = readFileSync(
  fileURLToPath(new URL("../../../../../../docs/reference/conformance.md", import.meta.url)),
  "utf8",
);

test("the reference page lists every A2A rule as it is, and no other", () => {
  const known = RULES.map((rule: A2aRule) => [
    `\`${rule.id}\``,
    rule.disputed === undefined ? rule.level : `${rule.level}, disputed`,
    rule.title,
    rule.section ?? "Proctor's own",
    triedOf(rule),
  ]);
  const listed = rows(page).filter(([cell]) => /^`a2a\.(?!client\.)/.test(cell ?? ""));
  expect(listed.map((row) => row.join(" | "))).toEqual(known.map((row) => row.join(" | ")));
});

test("an A2A rule that the specification does not ask for is our own", () => {
  const own = RULES.filter(({ section }: A2aRule) => section === undefined).map(({ id }) => id);
  expect(own).toEqual([
    "a2a.card.old_place",
    "a2a.send.context_given",
    "a2a.resume.last_event_id",
    "a2a.version.media",
    "a2a.rpc.batch",
    "a2a.rpc.notification",
    "a2a.auth.card",
    "a2a.tasks.apart",
  ]);
});

test("every A2A rule has a name of its own, and a section that is a number", () => {
  expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length);
  for (const { section = "1" } of RULES as readonly A2aRule[]) expect(section).toMatch(/^\d+(\.\d+)*$/);
});

/** What the reference page says about where a rule is tried. */
function triedOf({ on, version, when }: A2aRule): string {
  const names = { JSONRPC: "JSON-RPC", "HTTP+JSON": "HTTP+JSON", GRPC: "gRPC", HTTP: "JSON-RPC, HTTP+JSON" };
  const words = [on && names[on], version, when].filter((word) => word !== undefined);
  return words.length === 0 ? "always" : words.join("; ");
}
