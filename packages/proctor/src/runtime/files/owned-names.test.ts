import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { listAbandoned, ownedName, removeAbandoned } from "./owned-names.ts";

/** Above every limit of Linux and macOS. */
const NOBODY = "99999999-5";
const make = (folder: string, names: readonly string[]): void =>
  names.forEach((name) => mkdirSync(join(folder, name, "inner"), { recursive: true }));

describe("owned names", () => {
  it("are found when the process that made them is gone, with what was named", async () => {
    const folder = temporaryFolder("owned");
    make(folder, [ownedName("ours"), `${NOBODY}.a.b`, `${NOBODY}.`, "other", "7.other"]);
    const found = await listAbandoned(folder);
    expect(found.toSorted((a, b) => a.path.localeCompare(b.path))).toEqual([
      { path: join(folder, `${NOBODY}.`), rest: "" },
      { path: join(folder, `${NOBODY}.a.b`), rest: "a.b" },
    ]);
  });

  it.runIf(process.platform === "linux")("are found when a later process has the same pid", async () => {
    const folder = temporaryFolder("owned");
    make(folder, [`${process.pid}-1.x`]);
    expect(await listAbandoned(folder)).toHaveLength(1);
  });

  it("are removed below a prefix only", async () => {
    const folder = temporaryFolder("owned");
    const kept = [`.new-${ownedName("")}`, `.old-${NOBODY}.x`, `${NOBODY}.x`];
    make(folder, [...kept, `.new-${NOBODY}.x`]);
    await removeAbandoned(folder, ".new-");
    expect(readdirSync(folder).sort()).toEqual(kept.sort());
  });

  it("are none in a folder that is not there", async () => {
    expect(await listAbandoned("/no/such/folder")).toEqual([]);
  });
});
