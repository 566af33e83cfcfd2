import { describe, expect, it } from "vitest";
import { digestOf, mintToken, tokenIdOf } from "./token-text.ts";

describe("the text of a token", () => {
  it("has its kind, its id, a secret of 256 bits and a checksum", () => {
    for (const kind of ["api", "enrol", "agent"] as const) {
      const { id, text } = mintToken(kind);
      expect(text).toMatch(new RegExp(`^hub_${kind}_${id}_[0-9A-Za-z]{43}[0-9A-Za-z]{6}$`));
      expect(tokenIdOf(text)).toBe(id);
    }
  });

  it("is never the same twice, and keeps its id when it is minted anew", () => {
    const first = mintToken("api");
    const second = mintToken("api", first.id);
    expect(second.id).toBe(first.id);
    expect(second.text).not.toBe(first.text);
    expect(digestOf(second.text)).not.toBe(digestOf(first.text));
    expect(new Set(Array.from({ length: 200 }, () => mintToken("api").text)).size).toBe(200);
  });

  it("shows a typo in any of its characters without a look at the database", () => {
    const { text } = mintToken("api");
    for (let index = 0; index < text.length; index++) {
      const other = text[index] === "x" ? "y" : "x";
      expect(tokenIdOf(text.slice(0, index) + other + text.slice(index + 1))).toBeUndefined();
    }
  });

  it("is not mistaken in what is longer, shorter, or something else", () => {
    const { text } = mintToken("api");
    for (const wrong of [
      "",
      "hub_",
      ` ${text}`,
      `${text} `,
      `${text}x`,
      text.slice(1),
      text.toUpperCase(),
      "Bearer",
    ])
      expect(tokenIdOf(wrong)).toBeUndefined();
  });

  it("uses all characters about equally often", () => {
    const counts = new Map<string, number>();
    for (let index = 0; index < 500; index++)
      for (const char of mintToken("api").text.split("_")[3]?.slice(0, 43) ?? "")
        counts.set(char, (counts.get(char) ?? 0) + 1);
    expect(counts.size).toBe(62);
    // 21,500 characters: about 347 of each.
    expect(Math.min(...counts.values())).toBeGreaterThan(200);
  });
});
