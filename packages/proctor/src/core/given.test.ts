import { expect, it } from "vitest";
import { given } from "./given.ts";

it("an object loses the keys that are null or undefined, and no other", () => {
  const values = { absent: undefined, empty: null, zero: 0, no: false, text: "", list: [null] };
  expect(given(values)).toEqual({ zero: 0, no: false, text: "", list: [null] });
  expect(Object.keys(given(values))).toEqual(["zero", "no", "text", "list"]);
});
