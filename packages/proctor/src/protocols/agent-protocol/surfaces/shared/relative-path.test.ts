import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ProctorError } from "../../../../core/errors.ts";
import { checkFileName, MAX_NAME_BYTES, MAX_PATH_BYTES, normalizePath, placeFile } from "./relative-path.ts";
import { propertyRuns } from "../../../../../test/support/property-runs.ts";

const refusal = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    if (ProctorError.is(error) && error.code === "INVALID_REQUEST") return error.message;
    throw error;
  }
  throw new Error("it was accepted");
};

describe("a relative path of an upload", () => {
  it.each([
    ["output/output.txt", "output/output.txt"],
    ["./workspace", "workspace"],
    ["a//b/./c/", "a/b/c"],
    ["", ""],
    [".", ""],
    ["报告/销售 2024.pdf", "报告/销售 2024.pdf"],
    ["...", "..."],
    ["a..b/..c", "a..b/..c"],
  ])("is normalised from %j to %j", (given, normal) => {
    expect(normalizePath(given, "relative_path")).toBe(normal);
  });

  it.each([
    ["/etc/passwd", "absolute"],
    ["//server/share", "absolute"],
    ["../x", ".."],
    ["a/../../x", ".."],
    ["a/..", ".."],
    ["a\0b", "control"],
    ["a\nb", "control"],
    ["a\\..\\b", "backslash"],
    ["C:/x", "drive letter"],
    ["c:x", "drive letter"],
    ["./C:/x", "drive letter"],
    ["x/".repeat(MAX_PATH_BYTES), "longer"],
    ["ü".repeat(MAX_NAME_BYTES / 2 + 1), "longer"],
  ])("is refused when it is %j", (given, why) => {
    expect(refusal(() => normalizePath(given, "relative_path"))).toContain(why);
  });

  it("never leads out of its folder, whatever a client sends", () => {
    const part = fc.oneof(fc.constantFrom("..", ".", "/", "\\", "C:", "\0", "a", " "), fc.string());
    fc.assert(
      fc.property(fc.array(part), fc.boolean(), (parts, slashes) => {
        let path;
        try {
          path = normalizePath(parts.join(slashes ? "/" : ""), "relative_path");
        } catch (error) {
          expect(ProctorError.is(error)).toBe(true);
          return;
        }
        // Relative to a folder, it stays below it.
        const { pathname } = new URL(
          `file:///root/${encodeURI(path.toWellFormed()).replaceAll(/[?#]/g, "_")}`,
        );
        expect(pathname.startsWith("/root/")).toBe(true);
        expect(normalizePath(path, "relative_path")).toBe(path);
      }),
      { numRuns: propertyRuns(500) },
    );
  });
});

describe("the path of an uploaded file", () => {
  it.each([
    [undefined, "a.txt", "a.txt"],
    ["", "a.txt", "a.txt"],
    ["reports/a.txt", "a.txt", "reports/a.txt"],
    ["a.txt", "a.txt", "a.txt"],
    ["reports", "a.txt", "reports/a.txt"],
    ["reports/", "a.txt", "reports/a.txt"],
    // A folder that is called as the file is.
    ["a.txt/", "a.txt", "a.txt/a.txt"],
    ["./x/./a.txt", "a.txt", "x/a.txt"],
  ])("is, with the path %j and the name %j, %j", (path, name, place) => {
    expect(placeFile(path, name)).toBe(place);
  });

  it("is refused when folder and name together are too long", () => {
    const folder = `${"d".repeat(200)}/`.repeat(5);
    expect(refusal(() => placeFile(folder, "f".repeat(200)))).toContain("longer");
  });
});

describe("the name of an uploaded file", () => {
  it("may have quotes, blanks and any script", () => {
    for (const name of ['he said "hi".txt', "报告.pdf", "a b.txt", "x".repeat(255)])
      expect(checkFileName(name)).toBe(name);
  });

  it.each(["x".repeat(256), "é".repeat(128), "a\0b", "a\rb", "..", ".", "a/b", "a\\b", "C:x"])(
    "is refused when it is %j",
    (name) => {
      expect(refusal(() => checkFileName(name))).toMatch(/^file /);
    },
  );
});
