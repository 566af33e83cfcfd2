import { expect, test } from "vitest";
import { nearestText } from "./nearest-text.ts";

const filler = Array.from({ length: 40 }, (_, index) => `filler line ${index}`);

test("shows a short text as it is, and says that there is none", () => {
  expect(nearestText("Hello, Bob!\n", "Hello, Ada!")).toBe(String.raw`"Hello, Bob!\n"`);
  expect(nearestText("", "Hello")).toBe("it is empty");
});

test("shows the line of a long text that is most like the words, case aside, and the first of equals", () => {
  const text = [...filler, "hello, adam!", "Hello, Bob!", "hello, adam!"].join("\n");
  expect(nearestText(text, "Hello, Ada!")).toBe('line 41 is nearest: "hello, adam!"');
});

test("shows the beginning of a long text that has nothing like the words, or where an expression was looked for", () => {
  const text = filler.join("\n");
  expect(nearestText(text, "Quetzalcoatl")).toBe(`"${text.slice(0, 200).replaceAll("\n", String.raw`\n`)}…"`);
  expect(nearestText(text)).toMatch(/^"filler line 0/);
});

test("shows of a long line the part that is meant, and not more than people read", () => {
  const text = `${"x".repeat(5000)} the total is 41 euros ${"y".repeat(5000)}`;
  const shown = nearestText(text, "the total is 42 euros");
  expect(shown).toContain("the total is 41 euros");
  expect(shown.length).toBeLessThan(300);
});

test("looks at whatever an agent wrote without taking long", () => {
  for (const text of ["\n".repeat(2_000_000), "a".repeat(2_000_000), "ab\n".repeat(700_000)])
    expect(nearestText(text, "abc".repeat(1000)).length).toBeLessThan(500);
});
