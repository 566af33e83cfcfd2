import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createEndFinder } from "./find-end.ts";

const MARKER = "abcDEF012_-xyz99";

/** What was handed on, with each end where it was found. */
function feed(
  stream: Buffer,
  cuts: readonly number[],
  marker = MARKER,
): { before: Buffer; after: Buffer; ends: string[] } {
  const before: Buffer[] = [];
  const after: Buffer[] = [];
  const ends: string[] = [];
  const finder = createEndFinder({
    onOutput: (bytes) => void (ends.length === 0 ? before : after).push(Buffer.from(bytes)),
    onEnd: ({ code, cwd }) => void ends.push(`${code} ${cwd}`),
  });
  finder.expect(marker);
  let at = 0;
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    finder.push(stream.subarray(at, cut));
    at = Math.max(at, cut);
  }
  finder.push(stream.subarray(at));
  finder.flush();
  return { before: Buffer.concat(before), after: Buffer.concat(after), ends };
}

/** Bytes that look like the beginning of an end as often as not. */
const noise = fc
  .array(
    fc.oneof(
      fc.constant("\u001e"),
      fc.constant(`\u001e${MARKER}`),
      fc.constant("\0"),
      fc.string({ maxLength: 5 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => Buffer.from(parts.join("").replaceAll(`\u001e${MARKER} `, "")));

describe("the end of a command in the output of a shell", () => {
  it("is found wherever the stream is cut, and nothing else is lost", () => {
    fc.assert(
      fc.property(noise, noise, fc.array(fc.nat(200), { maxLength: 6 }), (first, last, cuts) => {
        const stream = Buffer.concat([first, Buffer.from(`\u001e${MARKER} 7 /a b\n\0`), last]);
        const found = feed(
          stream,
          cuts.map((cut) => cut % (stream.length + 1)),
        );
        expect(found).toEqual({ before: first, after: last, ends: ["7 /a b\n"] });
      }),
    );
  });

  it("is found cut at every byte", () => {
    const stream = Buffer.from(`out\u001e${MARKER} 0 /é\0late`);
    const every = Array.from({ length: stream.length }, (_, index) => index);
    expect(feed(stream, every)).toEqual({
      before: Buffer.from("out"),
      after: Buffer.from("late"),
      ends: ["0 /é"],
    });
    for (const cut of every) expect(feed(stream, [cut]).ends).toEqual(["0 /é"]);
  });

  it("is not what only looks like it", () => {
    const stream = Buffer.from(`\u001eabc 0 /\0\u001e${MARKER.slice(0, -1)}X 0 /\0\u001e${MARKER}`);
    expect(feed(stream, [5, 20])).toEqual({ before: stream, after: Buffer.alloc(0), ends: [] });
  });
});
