import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { isUuid } from "../core/id.ts";
import { openHubId } from "./hub-id.ts";

const folder = mkdtempSync(join(tmpdir(), "proctor-hub-id-"));
const file = join(folder, "hub.id");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the id of a data directory is made once and kept", async () => {
  const id = await openHubId(file);
  expect(isUuid(id)).toBe(true);
  expect(await openHubId(file)).toBe(id);
});

test("the id of a data directory is made anew when its file holds none", async () => {
  for (const broken of ["", "\n", "not an id"]) {
    writeFileSync(file, broken);
    const id = await openHubId(file);
    expect(isUuid(id)).toBe(true);
    expect(readFileSync(file, "utf8")).toMatch(id);
  }
});

test("the copy of a data directory gets another id, so that its hub does not kill the agents of the first", async () => {
  const id = await openHubId(file);
  const copy = mkdtempSync(join(tmpdir(), "proctor-hub-id-"));
  writeFileSync(join(copy, "hub.id"), readFileSync(file));
  expect(await openHubId(join(copy, "hub.id"))).not.toBe(id);
  expect(await openHubId(file)).toBe(id);
  rmSync(copy, { recursive: true });
});
