import * as fc from "fast-check";
import { expect, test } from "vitest";
import { formatCommandLine, parseCommandLine } from "./command-line.ts";
import { anyText } from "../../test/support/any-character.ts";

test.each<[string, string[]]>([
  ["python3 agent.py", ["python3", "agent.py"]],
  ["  a \t b\r\nc  ", ["a", "b", "c"]],
  ["", []],
  ["a '' \"\" b", ["a", "", "", "b"]],
  ["'a b' \"c d\" e\\ f", ["a b", "c d", "e f"]],
  [`a'b'"c"d`, ["abcd"]],
  [String.raw`'a\b' "a\b" a\b`, ["a\\b", "a\\b", "ab"]],
  ['"\\" \\\\ \\$ \\` \\n"', ['" \\ $ ` \\n']],
  [`it\\'s "it's" 'say "x"'`, ["it's", "it's", 'say "x"']],
  ["a\\\nb \"c\\\nd\" 'e\\\nf'", ["ab", "cd", "e\\\nf"]],
  ["$HOME ~ *.ts `id` $(id) a|b >c &", ["$HOME", "~", "*.ts", "`id`", "$(id)", "a|b", ">c", "&"]],
])("parseCommandLine reads %j as a POSIX shell would, expanding nothing", (line, words) => {
  expect(parseCommandLine(line)).toEqual(words);
});

test.each<[string, RegExp]>([
  ["say 'hello", /^unclosed single quote at column 5\n/],
  ['a "b\\"', /^unclosed double quote at column 3\n/],
  ["a b\\", /^a backslash with nothing behind it at column 4\n/],
  ["a\0b", /^a NUL character at column 2\n/],
  ["a '\0'", /^a NUL character at column 4\n/],
  ["a \\\0", /^a NUL character at column 4\n/],
])("parseCommandLine refuses %j and says where", (line, message) => {
  expect(() => parseCommandLine(line)).toThrow(message);
  expect(() => parseCommandLine(line)).toThrow(expect.objectContaining({ code: "INVALID_REQUEST" }));
});

test("parseCommandLine counts columns from where the command line begins", () => {
  expect(() => parseCommandLine("'", 11)).toThrow("column 11");
});

test("parseCommandLine reads back whatever words formatCommandLine wrote", () => {
  const word = fc.oneof(anyText, fc.string({ unit: fc.constantFrom(...Array.from("'\"\\ \n\t$`ab")) }));
  fc.assert(
    fc.property(fc.array(word.map((text) => text.replaceAll("\0", ""))), (words) => {
      expect(parseCommandLine(formatCommandLine(words))).toEqual(words);
    }),
  );
});
