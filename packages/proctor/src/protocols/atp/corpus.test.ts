import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../core/json.ts";
import { documentSchema, expectStrict, type MessageName } from "../../../test/support/atp/messages.ts";
import { createAtpReader } from "./reader.ts";
import { decodeRequest } from "./request.ts";
import { atpEvent, atpRequest, atpResponse } from "./wire.ts";

const TASK = "550e8400-e29b-41d4-a716-446655440000";
const schemas = { request: atpRequest, response: atpResponse, event: atpEvent };
const corpus = new URL("./corpus/", import.meta.url);

describe("corpus/: messages of document 000", () => {
  it.each(filesIn(""))("%s is strict, and nothing of it is lost", (file) => {
    const message = read(file);
    expectStrict(nameOf(file), message);
    expect(schemas[nameOf(file)].parse(message)).toEqual(message);
    expect(take(file, message)).toEqual({ taken: true, places: [] });
  });
});

describe("compat/: what agents and platforms send, accepted", () => {
  it.each(filesIn("compat/"))("%s, with its departures recorded", (file) => {
    const { where, message } = read(`compat/${file}`) as { where: string[]; message: Json };
    expect(where.length).toBeGreaterThan(0);
    expect(take(file, message)).toEqual({ taken: true, places: where });
  });
});

describe("invalid/: refused", () => {
  it.each(filesIn("invalid/"))("%s, at its place", (file) => {
    const { path, message } = read(`invalid/${file}`) as { path: string; message: Json };
    const { taken, places } = take(file, message);
    expect(taken).toBe(false);
    // The schemas know no versions: another major is refused by the rules beside them.
    const strict = schemas[nameOf(file)].safeParse(message);
    const found = file.includes("other-major")
      ? places
      : strict.error?.issues.map((issue) => issue.path.join("."));
    expect(found?.map((place) => place.replace(/^(event|response)\./, ""))).toContain(path);
    if (nameOf(file) === "request") expect(places.some((place) => path.startsWith(place))).toBe(true);
  });
});

it("covers the three messages and every kind of event", () => {
  const kinds = documentSchema("event")["properties"] as { event_type: { enum: string[] } };
  const seen = new Set(filesIn("").map((file) => read(file)["event_type"]));
  for (const kind of kinds.event_type.enum) expect(seen).toContain(kind);
  for (const folder of ["", "compat/", "invalid/"]) {
    expect(new Set(filesIn(folder).map(nameOf))).toEqual(new Set(["request", "response", "event"]));
  }
});

/** Through the doors by which messages come in. */
function take(file: string, message: Json): { taken: boolean; places: string[] } {
  if (nameOf(file) === "request") {
    const decoded = decodeRequest(message);
    return decoded.ok
      ? { taken: true, places: decoded.violations.map(({ where = "" }) => where) }
      : { taken: false, places: decoded.problems.map(({ path }) => path) };
  }
  const reader = createAtpReader(TASK);
  // So that the sequence of a single message is the expected one.
  const sequence = (message as { sequence?: Json }).sequence;
  if (typeof sequence === "number" && sequence > 0) {
    for (let index = 0; index < sequence; index++)
      reader.readMessage({ event_type: "progress", sequence: index });
  }
  const line = reader.read(JSON.stringify(message));
  const taken = line.kind === nameOf(file);
  return { taken, places: line.violations.map(({ where = "" }) => where) };
}

function filesIn(folder: string): string[] {
  return readdirSync(new URL(folder, corpus)).filter((file) => file.endsWith(".json"));
}

function nameOf(file: string): MessageName {
  return file.split("-")[0] as MessageName;
}

function read(file: string): JsonObject {
  return JSON.parse(readFileSync(new URL(file, corpus), "utf8")) as JsonObject;
}
