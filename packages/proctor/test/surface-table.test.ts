// Holds the tables of skipped cases in protocols/README.md to the suites. `UPDATE_TABLES=1` writes them anew.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { SURFACE_CASES } from "../src/protocols/surface.case.ts";
import { AGENT_PROTOCOL_SURFACES } from "./support/surfaces/agent-protocol.ts";
import { ATP_SURFACES } from "./support/surfaces/atp.ts";

const README = fileURLToPath(new URL("../src/protocols/README.md", import.meta.url));
const START = "<!-- skipped cases of surfaces -->\n";
const END = "<!-- end -->\n";

function table(): string {
  const rows = [...ATP_SURFACES, ...AGENT_PROTOCOL_SURFACES].flatMap(({ name, skips }) =>
    Object.entries(SURFACE_CASES).flatMap(([key, title]) => {
      const reason = skips[key as keyof typeof SURFACE_CASES];
      return reason === undefined ? [] : [`| ${name} | ${title} | ${reason} |`];
    }),
  );
  return ["| Surface | Case | Why it is skipped |", "|---|---|---|", ...rows, ""].join("\n");
}

it("the README of the protocols lists every case that a surface skips, with its reason", () => {
  const text = readFileSync(README, "utf8");
  const [before = "", rest = ""] = text.split(START);
  const [, after = ""] = rest.split(END);
  const wanted = `${before}${START}${table()}${END}${after}`;
  if (process.env["UPDATE_TABLES"] === "1") writeFileSync(README, wanted);
  else expect(text, "run this test with UPDATE_TABLES=1").toBe(wanted);
});
