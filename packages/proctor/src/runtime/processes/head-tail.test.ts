import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createHeadTail } from "./head-tail.ts";
import { anyCharacter } from "../../../test/support/any-character.ts";

function filled(max: number, chunks: readonly Uint8Array[]) {
  const kept = createHeadTail(max);
  for (const chunk of chunks) kept.append(chunk);
  return kept;
}

describe("the beginning and the end of a stream", () => {
  it("are the first and the last bytes of it, however it is cut", () => {
    const chunks = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 });
    fc.assert(
      fc.property(chunks, fc.integer({ min: 0, max: 60 }), (parts, max) => {
        const all = Buffer.concat(parts);
        const kept = filled(max, parts);
        const head = Math.ceil(max / 2);
        const wanted =
          all.length <= max
            ? all
            : Buffer.concat([all.subarray(0, head), all.subarray(all.length - (max - head))]);
        expect(kept.bytes).toBe(all.length);
        expect(kept.truncated).toBe(all.length > max);
        expect(Buffer.concat(kept.pieces())).toEqual(wanted);
      }),
    );
  });

  it("are whole characters, and say how much is between them", () => {
    const text = fc.string({ unit: anyCharacter, maxLength: 60 }).filter((one) => one.isWellFormed());
    fc.assert(
      fc.property(
        text,
        fc.integer({ min: 0, max: 80 }),
        fc.integer({ min: 1, max: 7 }),
        (whole, max, step) => {
          const bytes = Buffer.from(whole);
          const parts = Array.from({ length: Math.ceil(bytes.length / step) }, (_, index) =>
            bytes.subarray(index * step, index * step + step),
          );
          const shown = filled(max, parts).text();
          if (bytes.length <= max) {
            expect(shown).toBe(whole);
            return;
          }
          const [, before = "", missing, after = ""] =
            /^(.*?)\n?\[\.\.\. (\d+) bytes left out \.\.\.\]\n(.*)$/s.exec(shown) ?? [];
          expect(whole.startsWith(before)).toBe(true);
          expect(whole.endsWith(after)).toBe(true);
          // At most three bytes of a character are lost at each side, and a newline that the pattern took for its own.
          expect(Number(missing)).toBeGreaterThanOrEqual(bytes.length - max);
          expect(Number(missing)).toBeLessThanOrEqual(bytes.length - max + 6);
        },
      ),
    );
  });

  it("cost no more than they hold", () => {
    const kept = createHeadTail(1000);
    const chunk = Buffer.alloc(65_536, "x");
    for (let count = 0; count < 1000; count++) kept.append(chunk);
    expect(kept.bytes).toBe(65_536_000);
    expect(Buffer.concat(kept.pieces()).length).toBe(1000);
  });
});
