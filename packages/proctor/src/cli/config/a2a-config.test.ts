// `a2a` of proctor.yaml, as the hub gets it.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadConfig, type Config } from "./load-config.ts";

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "proctor-a2a-config-"));
});
afterEach(() => rm(cwd, { recursive: true }));

async function load(file: string): Promise<Config> {
  await writeFile(join(cwd, "proctor.yaml"), file);
  return loadConfig({ cwd, env: {}, flags: {} });
}

describe("a2a in proctor.yaml", () => {
  test("says how the hub's agents answer clients of A2A", async () => {
    const file = 'a2a: {patch: "1.0.0", unversioned_card: "1.0", repeated_messages: new}';
    expect((await load(file)).a2a).toEqual({ patch: "1.0.0", unversionedCard: "1.0", repeats: "new" });
    expect((await load("a2a: {repeated_messages: same}")).a2a).toEqual({ repeats: "same" });
  });

  test("is refused where it says something else", async () => {
    await expect(load('a2a: {patch: "1.1"}')).rejects.toThrow(/proctor\.yaml:1:/);
    await expect(load("a2a: {card: both}")).rejects.toThrow(/card/);
  });
});
