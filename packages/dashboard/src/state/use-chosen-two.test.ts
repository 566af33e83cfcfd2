import { expect, it } from "vitest";
import { chooseOf } from "./use-chosen-two.ts";

it("At most two of a list are chosen: a third takes the place of the first, and each can be let go", () => {
  const two = chooseOf(chooseOf([], "a", true), "b", true);
  expect(two).toEqual(["a", "b"]);
  expect(chooseOf(two, "c", true)).toEqual(["b", "c"]);
  expect(chooseOf(two, "a", false)).toEqual(["b"]);
  expect(chooseOf(two, "b", false)).toEqual(["a"]);
});
