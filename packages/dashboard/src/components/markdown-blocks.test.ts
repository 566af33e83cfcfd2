import { describe, expect, it } from "vitest";
import { parseBlocks } from "./markdown-blocks.ts";

describe("Markdown of an agent", () => {
  it("is split into what it is made of", () => {
    const text =
      "# Title\n\nSome\nwords\n\n- one\n- two\n\n1. first\n\n> said\n\n```js\na < b\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n---";
    expect(parseBlocks(text)).toEqual([
      { kind: "heading", level: 1, text: "Title" },
      { kind: "paragraph", text: "Some\nwords" },
      { kind: "list", ordered: false, items: ["one", "two"] },
      { kind: "list", ordered: true, items: ["first"] },
      { kind: "quote", text: "said" },
      { kind: "code", text: "a < b" },
      {
        kind: "table",
        rows: [
          ["a", "b"],
          ["1", "2"],
        ],
      },
      { kind: "rule" },
    ]);
  });

  it("loses nothing when a fence is never closed", () => {
    expect(parseBlocks("a\n```\nb\nc")).toEqual([
      { kind: "paragraph", text: "a" },
      { kind: "code", text: "b\nc" },
    ]);
  });

  it("ends for every text, and keeps HTML as words", () => {
    for (const text of ["", "\n\n", "#", "|", ">", "-", "1.", "```", "   ", "<script>x</script>"]) {
      expect(Array.isArray(parseBlocks(text))).toBe(true);
    }
    expect(parseBlocks("<script>x</script>")).toEqual([{ kind: "paragraph", text: "<script>x</script>" }]);
  });
});
