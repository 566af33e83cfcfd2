// The list of rules and its page say the same, and what they cite is in the protocol's document.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { rows } from "../../../../test/support/markdown.ts";
import type { Transport } from "./exchange.ts";
import type { AtpRule } from "./rule.ts";
import { RULES } from "./rules.ts";

const page = readFileSync(
  fileURLToPath(new URL("../../../../../../docs/reference/conformance.md", import.meta.url)),
  "utf8",
);

/** The headings of document 000 that rules cite. */
const SECTIONS = [
  "Design Goals",
  "Transport",
  "Request Fields",
  "ATP Response",
  "Response Fields",
  "Status Values",
  "Artifact Types",
  "Event Fields",
  "Event Types",
  "JSON Schema for ATP Request",
  "JSON Schema for ATP Response",
  "HTTP Endpoint Implementation",
  "Compatibility Rules",
  "Error Response",
  "Secrets",
  "Input Validation",
];

const NAMES: Record<Transport, string> = {
  stdio: "stdio",
  http: "HTTP",
  websocket: "WebSocket",
  grpc: "gRPC",
};

test("the reference page lists every ATP rule as it is, and no other", () => {
  const known = RULES.map(({ id, level, title, section, on }: AtpRule) => [
    `\`${id}\``,
    level,
    title,
    section ?? "Proctor's own",
    on?.map((transport) => NAMES[transport]).join(", ") ?? "all",
  ]);
  const listed = rows(page).filter(([cell]) => cell?.startsWith("`atp.") === true);
  const lines = (cells: string[][]): string[] => cells.map((row) => row.join(" | ")).sort();
  expect(lines(listed)).toEqual(lines(known));
});

test("an ATP rule that the document does not ask for is our own", () => {
  const own = RULES.filter(({ section }: AtpRule) => section === undefined).map(({ id }) => id);
  expect(own.sort()).toEqual([
    "atp.cancel",
    "atp.error.code",
    "atp.event.gapless",
    "atp.event.payload",
    "atp.http.frames",
    "atp.media.answer",
    "atp.media.atp",
    "atp.media.json",
    "atp.media.major",
    "atp.request.large",
    "atp.stdio.exit",
    "atp.ws.subprotocol",
  ]);
});

test("every ATP rule has a name of its own, and a section of the document", () => {
  expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length);
  expect(new Set(RULES.flatMap(({ section }: AtpRule) => section ?? []))).toEqual(new Set(SECTIONS));
});
