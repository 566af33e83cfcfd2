import { assert, property, string, stringMatching } from "fast-check";
import { describe, expect, test } from "vitest";
import { BadWord, splitWords, substitute } from "./substitute.ts";

const values: Record<string, string> = { HOME: "/root", EMPTY: "", V: "1.2" };
const read = (text: string): string => substitute(text, (name) => values[name]);

describe("variables in the words of a Dockerfile", () => {
  test.each([
    ["$HOME/bin", "/root/bin"],
    ["${HOME}bin", "/rootbin"],
    ["a$UNKNOWN", "a"],
    ["${V:-9}", "1.2"],
    ["${UNKNOWN:-9}", "9"],
    ["${EMPTY:-9}", "9"],
    ["${EMPTY-9}", ""],
    ["${V:+yes}", "yes"],
    ["${EMPTY:+yes}", ""],
    ["${EMPTY+yes}", "yes"],
    ["${UNKNOWN:-${V}/$HOME}", "1.2//root"],
    [String.raw`\$HOME`, "$HOME"],
    [String.raw`a\ b`, "a b"],
    ["'$HOME'", "$HOME"],
    ['"$HOME is"', "/root is"],
    [String.raw`"a\"b\$c\n"`, String.raw`a"b$c\n`],
    ["5$", "5$"],
    ["a$/b", "a$/b"],
  ])("%s is %s", (text, value) => {
    expect(read(text)).toBe(value);
  });

  test.each(["${V", "${}", "'open", '"open', "${V%.*}", "${UNKNOWN:?say which}"])("%s is refused", (text) => {
    expect(() => read(text)).toThrow(BadWord);
  });

  test("the escape character may be another one", () => {
    expect(substitute("C:\\x `$HOME", (name) => values[name], "`")).toBe("C:\\x $HOME");
  });

  test("words are split outside of quotes only, and stay as written", () => {
    expect(splitWords(String.raw`a=b c="d e" f=g\ h 'i j'`)).toEqual([
      "a=b",
      'c="d e"',
      String.raw`f=g\ h`,
      "'i j'",
    ]);
    expect(() => splitWords('a "b')).toThrow(BadWord);
  });

  test("any text is read or refused, and plain text is unchanged", () => {
    assert(
      property(string(), (text) => {
        try {
          read(text);
          splitWords(text);
        } catch (error) {
          expect(error).toBeInstanceOf(BadWord);
        }
      }),
    );
    assert(property(stringMatching(/^[^$'"\\]*$/u), (text) => read(text) === text));
  });
});
