import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPieceSplitter } from "./split-pieces.ts";

describe("text that is taken as it comes", () => {
  it("is the same however its bytes are cut", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 5 }), (text, size) => {
        const bytes = Buffer.from(text);
        const splitter = createPieceSplitter();
        const pieces = [];
        for (let at = 0; at < bytes.length; at += size)
          pieces.push(...splitter.push(bytes.subarray(at, at + size)));
        pieces.push(...splitter.end());
        const texts = pieces.map((piece) => (piece.kind === "line" ? piece.text : ""));
        expect(texts.join("")).toBe(bytes.toString());
        expect(pieces.every((piece) => piece.kind === "line" && !piece.invalidUtf8)).toBe(true);
      }),
    );
  });

  it("says so when it ends inside a character", () => {
    const splitter = createPieceSplitter();
    expect(splitter.push(Buffer.of(0x61, 0xe2, 0x82))).toMatchObject([{ text: "a", invalidUtf8: false }]);
    expect(splitter.end()).toMatchObject([{ text: "\uFFFD", invalidUtf8: true }]);
  });
});
