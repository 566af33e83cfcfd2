import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createEventSplitter } from "./split-events.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function split(pieces: readonly Uint8Array[]): string[] {
  const splitter = createEventSplitter();
  return [...pieces.flatMap((piece) => splitter.push(piece)), ...splitter.end()];
}

test("the splitter of event streams finds the same events wherever the bytes are cut, with any line ends", () => {
  const line = fc.stringMatching(/^[a-z:ü€😀 ]{1,8}$/u);
  const event = fc.array(line, { minLength: 1, maxLength: 3 });
  const newline = fc.constantFrom("\n", "\r\n", "\r");
  fc.assert(
    fc.property(
      fc.array(event, { maxLength: 5 }),
      newline,
      fc.infiniteStream(fc.nat(5)),
      (events, end, sizes) => {
        const whole = bytes(events.map((lines) => lines.join(end) + end + end).join(""));
        const pieces: Uint8Array[] = [];
        for (let at = 0; at < whole.length;) {
          const size = sizes.next().value ?? 1;
          pieces.push(whole.slice(at, at + size));
          at += size === 0 ? 1 : size;
          if (size === 0) pieces[pieces.length - 1] = whole.slice(at - 1, at);
        }
        expect(split(pieces)).toEqual(events.map((lines) => lines.join("\n")));
      },
    ),
  );
});

test("the splitter of event streams takes more empty lines than needed, and none at the end", () => {
  expect(split([bytes("\n\n\na\n\n\n\nb\nc\n")])).toEqual(["a", "b\nc"]);
  expect(split([bytes("\r\n\r\n")])).toEqual([]);
});

test("the splitter of event streams says how much it keeps of an event that has no end yet", () => {
  const splitter = createEventSplitter();
  expect(splitter.push(bytes(`${"x".repeat(99)}\n\n`))).toHaveLength(1);
  expect(splitter.pendingChars()).toBe(0);
  for (let count = 0; count < 3; count++) splitter.push(bytes("y".repeat(50)));
  expect(splitter.pendingChars()).toBe(150);
});
