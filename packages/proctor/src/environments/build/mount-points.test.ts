import { mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { removeMountPoints } from "./mount-points.ts";

const mounts = [{ source: "/x", target: "/run/proctor/toolchain" }];
let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "points-"));
});

afterEach(() => rm(dir, { recursive: true, force: true }));

test("empty mount points of a build are removed, and those with content are not", async () => {
  await mkdir(join(dir, "fs/run/proctor/toolchain"), { recursive: true });
  await mkdir(join(dir, "fs/run/other"), { recursive: true });
  await removeMountPoints(join(dir, "fs"), mounts);
  expect(await readdir(join(dir, "fs/run"))).toEqual(["other"]);
});

test("links that a build step put in the place of mount points are not followed", async () => {
  await mkdir(join(dir, "outside/toolchain"), { recursive: true });
  await mkdir(join(dir, "fs/run"), { recursive: true });
  await symlink(join(dir, "outside"), join(dir, "fs/run/proctor"));
  await removeMountPoints(join(dir, "fs"), mounts);
  expect(await readdir(join(dir, "outside"))).toEqual(["toolchain"]);
});
