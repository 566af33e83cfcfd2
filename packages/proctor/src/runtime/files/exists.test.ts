import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { exists } from "./exists.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "proctor-exists-"));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

describe("exists()", () => {
  it("is true for a file and for a directory", async () => {
    await writeFile(join(folder, "file"), "");

    expect(await exists(join(folder, "file"))).toBe(true);
    expect(await exists(folder)).toBe(true);
  });

  it("is false where nothing stands, even behind a link", async () => {
    await symlink(join(folder, "nothing"), join(folder, "link"));

    expect(await exists(join(folder, "nothing"))).toBe(false);
    expect(await exists(join(folder, "link"))).toBe(false);
  });

  it("is true for a path that cannot be looked at, so that its reader says why", async () => {
    await writeFile(join(folder, "file"), "");

    expect(await exists(join(folder, "file", "below"))).toBe(true);
  });
});
