import { expect, it } from "vitest";
import { spellOut } from "./spell-out.ts";

it("A report spells out what would reorder or hide text, and leaves the rest alone", () => {
  const given = { "a\u202eb": ["\u0085\u2066x\u2069\ufeff", "\u2028", "👩‍💻 مرحبا\tنیم‌فاصله\n\u001b[31mred"] };
  expect(JSON.parse(spellOut(JSON.stringify(given)))).toEqual({
    "a\\u202eb": ["\\u0085\\u2066x\\u2069\\ufeff", "\\u2028", "👩‍💻 مرحبا\tنیم‌فاصله\n\u001b[31mred"],
  });
});
