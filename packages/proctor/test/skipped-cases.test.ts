// Holds the tables of skipped cases in protocols/README.md to the suites. `UPDATE_TABLES=1` writes them anew.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { SURFACE_CASES } from "../src/protocols/surface.case.ts";
import {
  ENVELOPE_SKIPS,
  MCP_SKIPS,
  OPENAI_SKIPS,
  REPLAY_SKIPS,
  REST_SKIPS,
  SCRIPT_TOOL_SKIPS,
  TERM_SKIPS,
  TEXT_SKIPS,
} from "./support/protocols/driver-skips.ts";
import { A2A_SURFACES } from "./support/surfaces/a2a.ts";
import { AGENT_PROTOCOL_SURFACES } from "./support/surfaces/agent-protocol.ts";
import { ATP_SURFACES } from "./support/surfaces/atp.ts";
import { ENVELOPE_SURFACES } from "./support/surfaces/envelope.ts";

const README = fileURLToPath(new URL("../src/protocols/README.md", import.meta.url));
const TABLES: Record<string, string> = { drivers: driverTable(), surfaces: surfaceTable() };

function driverTable(): string {
  const rows = Object.entries({
    term: TERM_SKIPS,
    openai: OPENAI_SKIPS,
    rest: REST_SKIPS,
    text: TEXT_SKIPS,
    replay: REPLAY_SKIPS,
    envelope: ENVELOPE_SKIPS,
    mcp: MCP_SKIPS,
    "script-tool": SCRIPT_TOOL_SKIPS,
  }).flatMap(([name, skips]) =>
    Object.entries(skips).map(([title, reason]) => `| ${name} | ${title} | ${reason} |`),
  );
  return ["| Driver | Case | Why it is skipped |", "|---|---|---|", ...rows, ""].join("\n");
}

function surfaceTable(): string {
  const rows = [...ATP_SURFACES, ...AGENT_PROTOCOL_SURFACES, ...A2A_SURFACES, ...ENVELOPE_SURFACES].flatMap(
    ({ name, skips }) =>
      Object.entries(SURFACE_CASES).flatMap(([key, title]) => {
        const reason = skips[key as keyof typeof SURFACE_CASES];
        return reason === undefined ? [] : [`| ${name} | ${title} | ${reason} |`];
      }),
  );
  return ["| Surface | Case | Why it is skipped |", "|---|---|---|", ...rows, ""].join("\n");
}

it.each(Object.keys(TABLES))(
  "the README of the protocols lists the cases that %s skip, with reasons",
  (name) => {
    const start = `<!-- skipped cases of ${name} -->\n`;
    const end = "<!-- end -->\n";
    const text = readFileSync(README, "utf8");
    const [before = "", rest = ""] = text.split(start);
    const after = rest.slice(rest.indexOf(end) + end.length);
    const wanted = `${before}${start}${TABLES[name]}${end}${after}`;
    if (process.env["UPDATE_TABLES"] === "1") writeFileSync(README, wanted);
    else expect(text, "run this test with UPDATE_TABLES=1").toBe(wanted);
  },
);
