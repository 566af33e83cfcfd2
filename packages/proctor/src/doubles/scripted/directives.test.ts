import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { A2aError } from "../../protocols/a2a/errors.ts";
import { findDirectives, MAX_RESPONSES_BYTES } from "./directives.ts";

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64");

function refusalOf(...texts: string[]): string {
  try {
    findDirectives(texts);
  } catch (error) {
    expect(error).toBeInstanceOf(A2aError);
    return error instanceof A2aError ? `${error.reason}: ${error.message}` : "";
  }
  throw new Error("nothing was refused");
}

describe("a directive in a message", () => {
  it("is found wherever it stands, and not where there is none", () => {
    expect(findDirectives(["Please work."])).toEqual({});
    expect(findDirectives([])).toEqual({});
    expect(findDirectives([`a [test_case_id=x-1] b`, `[responses_json=${encode([[]])}]`])).toEqual({
      testCaseId: "x-1",
      responses: [[]],
    });
  });

  it("survives folding, wrapping and being cut into parts, at every place", () => {
    const value = [[{ kind: "task", note: "ünï ☃ 𝄞" }]];
    const text = `[test_case_id= case 1 ] [responses_json=${encode(value)}]`;
    fc.assert(
      fc.property(
        fc.integer({ min: "[test_case_id= case 1 ] [responses_json=".length, max: text.length }),
        fc.constantFrom(" ", "\n", "\r\n  ", "\t"),
        (at, blank) => {
          const found = { testCaseId: "case 1", responses: value };
          expect(findDirectives([text.slice(0, at), text.slice(at)])).toEqual(found);
          expect(findDirectives([`${text.slice(0, at)}${blank}${text.slice(at)}`])).toEqual(found);
        },
      ),
    );
  });

  it("takes base64 of either alphabet, padded or not", () => {
    const value = [[{ text: "??>>~~ÿÿ" }]];
    const padded = encode(value);
    for (const base64 of [
      padded,
      padded.replace(/=+$/, ""),
      Buffer.from(JSON.stringify(value)).toString("base64url"),
    ]) {
      expect(findDirectives([`[responses_json=${base64}]`]).responses).toEqual(value);
    }
  });

  it.each([
    ["twice", ["[test_case_id=a] [test_case_id=b]"], "test_case_id stands there twice"],
    [
      "twice in two parts",
      ["[responses_json=W10=]", "[responses_json=W10=]"],
      "responses_json stands there twice",
    ],
    ["not closed", ["[test_case_id=a"], "test_case_id is not closed"],
    ["closed only by the next one", ["[test_case_id=a [responses_json=W10=]"], "test_case_id is not closed"],
    ["without an id", ["[test_case_id= \n ]"], "test_case_id is empty"],
    [
      "with an endless id",
      [`[test_case_id=${"x".repeat(501)}]`],
      "test_case_id is longer than 500 characters",
    ],
    ["without base64", ["[responses_json=]"], "responses_json is empty"],
    [
      "with something else than base64",
      ["[responses_json=BASE64_ENCODED_JSON_HERE!]"],
      "responses_json is not base64",
    ],
    ["with a digit too many", ["[responses_json=W10=W]"], "responses_json is not base64"],
    ["with a lonely digit", ["[responses_json=W10AA]"], "responses_json is not base64"],
    ["with bytes that are no text", ["[responses_json=/////w==]"], "is not UTF-8 text"],
    ["with text that is no JSON", ["[responses_json=aGVsbG8=]"], "is base64 of something else than JSON"],
    [
      "with JSON that is nested without end",
      [`[responses_json=${Buffer.from("[".repeat(100_000)).toString("base64")}]`],
      "nested more than 200 levels deep",
    ],
  ])("that is %s is refused, and the refusal says why", (_what, texts, message) => {
    expect(refusalOf(...texts)).toContain(`INVALID_PARAMS: the directive `);
    expect(refusalOf(...texts)).toContain(message);
  });

  it("that holds more than 10 MB is refused before it is decoded", () => {
    const base64 = "A".repeat(Math.ceil(MAX_RESPONSES_BYTES / 3) * 4 + 4);
    expect(refusalOf(`[responses_json=${base64}]`)).toContain(`more than ${MAX_RESPONSES_BYTES} bytes`);
  });

  it("never throws anything but a refusal, whatever a message says", () => {
    const piece = fc.oneof(
      fc.constantFrom("[test_case_id=", "[responses_json=", "]", "=", "W10=", "\n"),
      fc.string({ maxLength: 20 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        try {
          findDirectives([pieces.join("")]);
        } catch (error) {
          expect(error).toBeInstanceOf(A2aError);
        }
      }),
    );
  });
});
