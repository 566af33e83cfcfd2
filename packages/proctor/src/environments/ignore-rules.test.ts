import { describe, expect, it } from "vitest";
import { readIgnoreRules } from "./ignore-rules.ts";

describe("the .dockerignore file", () => {
  it.each([
    ["node_modules", "node_modules/a/b", "skip"],
    ["node_modules", "deep/node_modules", "keep"],
    ["**", "anything/at/all", "skip"],
    ["a+b(c", "a+b(c", "skip"],
    ["# comment", "# comment", "keep"],
    ["**/node_modules", "deep/node_modules/x", "skip"],
    ["**/node_modules", "node_modules", "skip"],
    ["*.log", "a.log", "skip"],
    ["*.log", "a/b.log", "keep"],
    ["*/temp*", "a/temporary", "skip"],
    ["*/temp*", "a/b/temporary", "keep"],
    ["**/*.log", "a/b/c.log", "skip"],
    ["docs/**", "docs/a/b", "skip"],
    ["docs/**", "docs", "keep"],
    ["/absolute/", "absolute/x", "skip"],
    ["./here", "here", "skip"],
    ["temp?", "temp1", "skip"],
    ["temp?", "temp", "keep"],
    ["a[0-9]", "a5", "skip"],
    ["a[^0-9]", "a5", "keep"],
    ["a[", "a[", "skip"],
    ["a[z-a]", "az", "keep"],
    ["a+(b).c$", "a+(b).c$", "skip"],
    ["axc", "a.c", "keep"],
    ["a.c", "axc", "keep"],
    ["\\*", "*", "skip"],
    ["\\*", "x", "keep"],
    ["# a comment\n\n  spaced  \r\n", "spaced", "skip"],
    ["*\n!wanted", "other", "descend"],
    ["*\n!wanted", "wanted", "keep"],
    ["*\n!deep/wanted", "deep", "descend"],
    ["*\n!deep/wanted", "deep/wanted/x", "keep"],
    ["!wanted\n*", "wanted", "descend"],
  ] as const)("%j makes a build treat %s as: %s", (rules, path, verdict) => {
    expect(readIgnoreRules(rules)(path)).toBe(verdict);
  });
});
