import { describe, expect, it } from "vitest";
import { missingFrom } from "./missing-from.ts";

describe("what came out of a gateway", () => {
  const said = { text: "a", list: [{ deep: null }, 1], empty: {} };

  it("may have more than went in", () => {
    expect(
      missingFrom({ ...said, more: true, list: [{ deep: null, added: 1 }, 1] }, said, "x"),
    ).toBeUndefined();
  });

  it.each([
    ["a field that is gone", { ...said, text: undefined }, "x.text", '"a"', "missing"],
    ["another value", { ...said, list: [{ deep: 0 }, 1] }, "x.list[0].deep", "null", "0"],
    ["another length", { ...said, list: [{ deep: null }] }, "x.list", '[{"deep":null},1]', '[{"deep":null}]'],
    ["another kind", { ...said, empty: [] }, "x.empty", "{}", "[]"],
    ["nothing at all", undefined, "x", '{"text":"a","list":[{"deep":null},1],"empty":{}}', "missing"],
  ])("is found to have lost something by %s", (_, heard, path, expected, got) => {
    expect(missingFrom(heard, said, "x")).toEqual({ path, expected, got });
  });
});
