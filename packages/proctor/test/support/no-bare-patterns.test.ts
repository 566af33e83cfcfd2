import { expect, it } from "vitest";

it("an expectation with a bare pattern in an object fails, instead of holding for any text", () => {
  expect(() => expect({ text: "a" }).toMatchObject({ text: /a/ })).toThrow("to match object");
  expect({ text: "a" }).toMatchObject({ text: expect.stringMatching(/a/) });
  expect({ pattern: /a/ }).toEqual({ pattern: /a/ });
});
