import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { Store } from "../../core/ports/store.ts";
import { openSqliteStore } from "../../stores/sqlite/open-store.ts";
import { openKeys, type HubKeys } from "./open-keys.ts";

const folder = temporaryFolder("keys");
const [one, two, three] = [randomBytes(32), randomBytes(32), randomBytes(32)];
let count = 0;
let store: Store;
let place: { dataDir: string; databaseFile: string };

beforeEach(async () => {
  const dataDir = join(folder, String(count++));
  place = { dataDir, databaseFile: join(dataDir, "p.db") };
  store = await openSqliteStore({ file: place.databaseFile });
});

afterEach(() => store.close());

const open = (...sealKeys: Buffer[]): Promise<HubKeys> => openKeys({ ...place, sealKeys }, store);

describe("keys of the configuration", () => {
  test("are the same in every process, and sign the same tokens of runs", async () => {
    const [first, second] = await Promise.all([open(one), open(one)]);
    expect(second.sealer.open(first.sealer.seal("secret"))).toBe("secret");
    const runKeys = await Promise.all([first.runKey(), second.runKey()]);
    expect(runKeys[0]).toEqual(runKeys[1]);
    expect(runKeys[0]).toHaveLength(32);
  });

  test("that differ from those of the database are refused, with what to do", async () => {
    await open(one);
    await expect(open(two)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringMatching(/sealed with another key .*\nSet SEAL_KEY/),
    });
  });

  test("can be replaced while the old one still opens", async () => {
    const before = await open(one);
    const [sealed, runKey] = [before.sealer.seal("secret"), await before.runKey()];
    const both = await open(two, one);
    expect(both.sealer.open(sealed)).toBe("secret");
    expect(await both.runKey()).toEqual(runKey);
    const after = await open(two);
    expect(after.sealer.open(both.sealer.seal("new"))).toBe("new");
    expect(await after.runKey()).toHaveLength(32);
    await expect(open(one)).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    await expect(open(three)).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });
});

test("without keys in the configuration, the data directory has them, and another may take their place", async () => {
  const { sealer } = await openKeys(place, store);
  expect((await openKeys(place, store)).sealer.open(sealer.seal("x"))).toBe("x");
  const elsewhere = { ...place, dataDir: join(folder, "elsewhere") };
  expect((await openKeys(elsewhere, store)).sealer.open(sealer.seal("x"))).toBeUndefined();
});
