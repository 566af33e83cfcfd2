import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createLineSplitter, DEFAULT_MAX_LINE_BYTES, OVERLONG_HEAD_BYTES } from "./split-lines.ts";
import type { Line } from "./split-lines.ts";
import { anyCharacter } from "../../../test/support/any-character.ts";

function split(chunks: Iterable<Uint8Array>, maxLineBytes?: number): Line[] {
  const splitter = createLineSplitter(maxLineBytes === undefined ? {} : { maxLineBytes });
  const lines: Line[] = [];
  for (const chunk of chunks) lines.push(...splitter.push(chunk));
  lines.push(...splitter.end());
  return lines;
}

function cut(bytes: Uint8Array, positions: readonly number[]): Uint8Array[] {
  const edges = [...new Set(positions.map((position) => position % (bytes.length + 1)))].sort(
    (a, b) => a - b,
  );
  return [0, ...edges].map((start, index) => bytes.subarray(start, edges[index] ?? bytes.length));
}

const line = (text: string, more: Partial<Extract<Line, { kind: "line" }>> = {}): Line => ({
  kind: "line",
  text,
  terminated: true,
  invalidUtf8: false,
  ...more,
});

const text = fc
  .array(
    fc.oneof(fc.string({ unit: anyCharacter }), fc.constantFrom("\n", "\r\n", "\r", "", "é", "𝕏", "\uFEFF")),
    {
      maxLength: 20,
    },
  )
  .map((parts) => parts.join("").replace(/[\uD800-\uDFFF]/gu, "?"));

describe("splitting lines at any chunking", () => {
  test("gives the lines of the text, with a last one that is not terminated", () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat()), (text, positions) => {
        const parts = text.split("\n");
        const last = parts.pop() ?? "";
        const expected = parts.map((part) => line(part.replace(/\r$/, "")));
        if (last !== "") expected.push(line(last, { terminated: false }));
        expect(split(cut(Buffer.from(text), positions))).toEqual(expected);
      }),
    );
  });

  test("gives the same for any bytes and any limit", () => {
    const bytes = fc
      .array(
        fc.oneof(
          fc.uint8Array({ maxLength: 12 }),
          fc.constant(Uint8Array.of(10)),
          fc.constant(Buffer.from("é")),
        ),
      )
      .map((parts) => Buffer.concat(parts));
    fc.assert(
      fc.property(bytes, fc.array(fc.nat()), fc.integer({ min: 1, max: 40 }), (bytes, positions, limit) => {
        const whole = split([bytes], limit);
        expect(split(cut(bytes, positions), limit)).toEqual(whole);
        expect(
          split(
            Array.from(bytes, (byte) => Uint8Array.of(byte)),
            limit,
          ),
        ).toEqual(whole);
      }),
    );
  });
});

describe("a line over the limit", () => {
  test("is one item with its beginning and the number of bytes dropped", () => {
    const lines = split([Buffer.from("before\nabcdefghij\nafter\n")], 6);
    expect(lines).toEqual([
      line("before"),
      { kind: "overlong", head: "abcdef", droppedBytes: 4 },
      line("after"),
    ]);
  });

  test("may be as long as the limit, and not a byte longer", () => {
    expect(split([Buffer.from("12345\n123456\n")], 5).map((item) => item.kind)).toEqual(["line", "overlong"]);
    expect(split([Buffer.from("12345")], 5)).toEqual([line("12345", { terminated: false })]);
    expect(split([Buffer.from("123456")], 5).map((item) => item.kind)).toEqual(["overlong"]);
  });

  test("does not show a character that the cut went through", () => {
    expect(split([Buffer.from("aaé𝕏\n")], 3)).toEqual([{ kind: "overlong", head: "aa", droppedBytes: 6 }]);
    expect(split([Buffer.from("aaé𝕏\n")], 4)).toEqual([{ kind: "overlong", head: "aaé", droppedBytes: 4 }]);
    expect(split([Buffer.from("aaé𝕏\n")], 7)).toEqual([{ kind: "overlong", head: "aaé", droppedBytes: 4 }]);
  });

  test("has ten megabytes and a head of 64 KiB unless told otherwise, and costs no memory while it lasts", () => {
    const splitter = createLineSplitter();
    const chunk = Buffer.alloc(1024 * 1024, "x");
    const before = process.memoryUsage().arrayBuffers;
    let peak = 0;
    for (let index = 0; index < 300; index++) {
      expect(splitter.push(chunk)).toEqual([]);
      if (index > 10) peak = Math.max(peak, process.memoryUsage().arrayBuffers - before);
    }
    const [item, ...rest] = splitter.push(Buffer.from("\nnext\n"));
    expect(item).toEqual({
      kind: "overlong",
      head: "x".repeat(OVERLONG_HEAD_BYTES),
      droppedBytes: 300 * chunk.length - OVERLONG_HEAD_BYTES,
    });
    expect(rest).toEqual([line("next")]);
    expect(peak).toBeLessThan(4 * DEFAULT_MAX_LINE_BYTES);
  });

  test("fed byte by byte costs no more than the limit allows", () => {
    const splitter = createLineSplitter({ maxLineBytes: 1024 * 1024 });
    const byte = Uint8Array.of(120);
    const before = process.memoryUsage();
    for (let index = 0; index < 1024 * 1024; index++) splitter.push(byte);
    const after = process.memoryUsage();
    expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(8 * 1024 * 1024);
    expect(splitter.end()).toEqual([line("x".repeat(1024 * 1024), { terminated: false })]);
  });
});

describe("splitting odd lines", () => {
  test("keeps invalid UTF-8 visible and says so, without touching its neighbours", () => {
    const bytes = Buffer.concat([Buffer.from("good\nbad "), Buffer.of(0xff, 0xfe), Buffer.from("!\ngöod\n")]);
    expect(split([bytes])).toEqual([
      line("good"),
      line("bad \uFFFD\uFFFD!", { invalidUtf8: true }),
      line("göod"),
    ]);
  });

  test("keeps empty lines, lone carriage returns and a byte order mark", () => {
    expect(split([Buffer.from("\uFEFFa\n\n\r\nb\rc\n")])).toEqual([
      line("\uFEFFa"),
      line(""),
      line(""),
      line("b\rc"),
    ]);
  });

  test("finds nothing in nothing", () => {
    expect(split([])).toEqual([]);
    expect(split([new Uint8Array(0)])).toEqual([]);
  });
});
