import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { Verdict } from "../verdict.ts";
import { check } from "../../../test/support/suites/check-subject.ts";
import { findCheck } from "./registry.ts";
import { given, workspaceWith } from "../../../test/support/suites/check-workspace.ts";
import { soonTooSlow } from "../../../test/support/soon-too-slow.ts";

const folder = temporaryFolder("files");
const workspace = workspaceWith(folder, {
  "report.md": "# Report\n\nTeams leads.\n",
  "out/a.txt": "a",
  "out/b.txt": "b",
  "out/deep/c.md": "c",
});
mkdirSync(join(folder, "empty"));
writeFileSync(join(folder, "bytes.bin"), new Uint8Array([0xff, 0, 1]));
symlinkSync("/etc/passwd", join(folder, "way-out"));
symlinkSync("report.md", join(folder, "alias"));

const bare = workspaceWith(temporaryFolder("bare"), {});

const judge = (type: string, config: object): Promise<Verdict> => check(type, config, given(workspace));

test.each<[string, object, string]>([
  ["file_exists", { path: "report.md" }, "pass"],
  ["file_exists", { path: "./out/../report.md" }, "pass"],
  ["file_exists", { path: "alias" }, "pass"],
  ["file_exists", { path: "a.txt", workspace_path: "out" }, "pass"],
  ["file_exists", { path: "../report.md", workspace_path: "out" }, "refused"],
  ["file_exists", { path: "a.txt" }, "fail"],
  ["file_exists", { path: "out" }, "fail"],
  ["file_exists", { path: "a.txt", workspace_path: "nowhere" }, "fail"],
  ["file_exists", { path: "way-out" }, "unevaluated"],
  ["not_file_exists", { path: "way-out" }, "unevaluated"],
  ["file_not_exists", { path: "a.txt" }, "pass"],
  ["file_not_exists", { path: "report.md/x" }, "pass"],
  ["file_not_exists", { path: "report.md" }, "fail"],
  ["file_not_exists", { path: "out" }, "fail"],
  ["file_not_exists", { path: "way-out" }, "unevaluated"],
  ["dir_exists", { path: "out" }, "pass"],
  ["dir_exists", { path: "." }, "pass"],
  ["dir_exists", { path: "deep", workspace_path: "out/" }, "pass"],
  ["dir_exists", { path: "report.md" }, "fail"],
  ["dir_exists", { path: "nowhere" }, "fail"],
  ["file_contains", { path: "report.md", pattern: "Teams leads" }, "pass"],
  ["file_contains", { path: "report.md", pattern: "(?im)^teams", regex: true }, "pass"],
  ["file_contains", { path: "report.md", pattern: "^Teams", regex: true }, "fail"],
  ["file_contains", { path: "report.md", pattern: "^Teams" }, "fail"],
  ["file_contains", { path: "nowhere", pattern: "x" }, "fail"],
  ["file_contains", { path: "out", pattern: "x" }, "fail"],
  ["file_contains", { path: "bytes.bin", pattern: "x" }, "fail"],
  ["file_contains", { path: "way-out", pattern: "root" }, "unevaluated"],
  ["file_count", { count: 2, path: "out" }, "pass"],
  ["file_count", { count: 2, path: "out", operator: "gt" }, "fail"],
  ["file_count", { count: 1, path: "out", operator: "gt" }, "pass"],
  ["file_count", { count: 2, path: "out", operator: "gte" }, "pass"],
  ["file_count", { count: 3, path: "out", operator: "lt" }, "pass"],
  ["file_count", { count: 2, path: "out", operator: "lt" }, "fail"],
  ["file_count", { count: 2, path: "out", operator: "lte" }, "pass"],
  ["file_count", { count: 0, path: "empty" }, "pass"],
  ["file_count", { count: 2, workspace_path: "out" }, "pass"],
  ["file_count", { count: 3, path: "out", pattern: "**" }, "pass"],
  ["file_count", { count: 1, path: "out", pattern: "**/*.md" }, "pass"],
  ["file_count", { count: 0, path: "nowhere" }, "fail"],
  ["file_count", { count: 0, path: "way-out" }, "unevaluated"],
])("the check %s with %j is %s", async (type, config, outcome) => {
  if (outcome === "refused") expect(() => judge(type, config)).toThrow("leads out of the workspace");
  else expect((await judge(type, config)).outcome).toBe(outcome);
});

describe("the checks of files refuse", () => {
  test.each(["/etc/passwd", "../x", "a/../../x", "C:\\x", "\\\\server\\x", "a\0b", ".."])(
    "the path %j",
    (path) => {
      for (const type of ["file_exists", "file_not_exists", "dir_exists"])
        expect(() => judge(type, { path })).toThrow("leads out of the workspace");
      expect(() => judge("file_exists", { path: "a", workspace_path: path })).toThrow("leads out");
      expect(() => judge("file_contains", { path, pattern: "x" })).toThrow("leads out");
      expect(() => judge("file_count", { path, count: 1 })).toThrow("leads out");
    },
  );

  test("an empty path, an invalid expression, an invalid count and unknown keys", () => {
    expect(() => judge("file_exists", { path: "" })).toThrow();
    expect(() => judge("file_contains", { path: "a", pattern: "(", regex: true })).toThrow(
      "regular expression",
    );
    expect(() => judge("file_count", { count: -1 })).toThrow();
    expect(() => judge("file_count", { count: 1, operator: "ne" })).toThrow();
    expect(() => judge("file_exists", { path: "a", paht: "b" })).toThrow();
  });
});

test("the checks of files say what there is where a file is missing", async () => {
  expect((await judge("file_exists", { path: "raport.md" })).message).toBe(
    'no file "raport.md"; the workspace holds "bytes.bin", "out/a.txt", "out/b.txt", "out/deep/c.md", "report.md"',
  );
  expect((await judge("file_exists", { path: "out" })).message).toBe('"out" is a folder, no file');
  expect((await check("file_exists", { path: "a" }, given(bare))).message).toContain("holds no files");
});

test("the checks of files give up on an expression that never ends, and are unevaluated when the workspace is gone", async () => {
  writeFileSync(join(folder, "hard"), `${"a".repeat(60)}!`);
  const hard = await soonTooSlow(() =>
    judge("file_contains", { path: "hard", pattern: "^(a+)+$", regex: true }),
  );
  expect(hard).toMatchObject({ outcome: "unevaluated", message: expect.stringContaining("too slow") });
  for (const [type, config] of [
    ["file_exists", { path: "a" }],
    ["file_not_exists", { path: "a" }],
    ["command", { command: "true" }],
  ] as const) {
    expect(await check(type, config, {})).toEqual({
      outcome: "unevaluated",
      message: "could not be evaluated: the workspace is gone",
    });
  }
});

test("a suite learns, at whatever depth, that its checks need the workspace", () => {
  const needs = (type: string, config: object): boolean | undefined =>
    findCheck(type)?.needsWorkspace(config);
  const inner = { type: "file_exists", config: { path: "a" } };
  expect(needs("file_exists", { path: "a" })).toBe(true);
  expect(needs("not_dir_exists", { path: "a" })).toBe(true);
  expect(needs("all", { checks: [inner] })).toBe(true);
  expect(needs("composite", { conditions: [{ operator: "not", condition: inner }] })).toBe(true);
  expect(needs("contains", { pattern: "a" })).toBe(false);
});
