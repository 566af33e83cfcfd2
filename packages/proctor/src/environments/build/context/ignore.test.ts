import { expect, test } from "vitest";
import { parseIgnore } from "./ignore.ts";

test.each([
  ["node_modules", "node_modules/a/b", true],
  ["node_modules", "src/node_modules", false],
  ["**/node_modules", "src/x/node_modules/y", true],
  ["*.log", "a.log", true],
  ["*.log", "dir/a.log", false],
  ["**/*.log", "dir/sub/a.log", true],
  ["/build/", "build/x", true],
  ["temp?", "temp1", true],
  ["temp?", "temp", false],
  ["a[0-9].txt", "a5.txt", true],
  ["**", "anything/at/all", true],
  ["*\n!keep.txt", "keep.txt", false],
  ["*\n!keep.txt", "other.txt", true],
  ["!keep.txt\n*", "keep.txt", true],
  ["# comment", "# comment", false],
  ["a.b", "aXb", false],
  ["a+b(c", "a+b(c", true],
])("%j leaves out %j: %s", (text, path, ignored) => {
  expect(parseIgnore(text)(path)).toBe(ignored);
});
