import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isJsonObject, type Json } from "../../core/json.ts";
import { DraftBody } from "./wire.ts";

const folder = new URL("corpus/", import.meta.url);

function read(place: URL): [name: string, value: Json][] {
  return readdirSync(place)
    .filter((name) => name.endsWith(".json"))
    .map((name) => [name, JSON.parse(readFileSync(new URL(name, place), "utf8")) as Json]);
}

describe("the corpus of envelopes", () => {
  it.each(read(folder))("is accepted, and nothing of it is lost: %s", (_name, value) => {
    expect(isJsonObject(value)).toBe(true);
    expect(DraftBody.parse(value)).toEqual(value);
  });

  it.each(read(new URL("invalid/", folder)))("is refused where it is wrong: %s", (_name, value) => {
    expect(DraftBody.safeParse(value).success).toBe(false);
  });
});
