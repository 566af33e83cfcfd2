import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { gitHead } from "./git-head.ts";

let folder: string;
const git = (...words: string[]): string =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], { cwd: join(folder, "repo") })
    .toString()
    .trim();

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "proctor-git-"));
  mkdirSync(join(folder, "repo", "below"), { recursive: true });
  git("init", "-q", "-b", "main/line");
  git("commit", "-q", "--allow-empty", "-m", "first");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("finds commit and branch from a folder below, packed refs, worktrees and detached heads", async () => {
  const commit = git("rev-parse", "HEAD");
  expect(await gitHead(join(folder, "repo", "below"))).toEqual({ commit, branch: "main/line" });
  git("pack-refs", "--all");
  expect(await gitHead(join(folder, "repo"))).toEqual({ commit, branch: "main/line" });
  git("worktree", "add", "-q", "-b", "other", join(folder, "tree"));
  expect(await gitHead(join(folder, "tree"))).toEqual({ commit, branch: "other" });
  git("-C", join(folder, "tree"), "checkout", "-q", "--detach");
  expect(await gitHead(join(folder, "tree"))).toEqual({ commit, branch: null });
});

it("knows nothing of a folder without git, or with a head that leads elsewhere", async () => {
  expect(await gitHead(folder)).toEqual({ commit: null, branch: null });
  mkdirSync(join(folder, "odd", ".git"), { recursive: true });
  writeFileSync(join(folder, "odd", ".git", "HEAD"), "ref: refs/../../../etc/passwd\n");
  expect(await gitHead(join(folder, "odd"))).toEqual({ commit: null, branch: null });
});
