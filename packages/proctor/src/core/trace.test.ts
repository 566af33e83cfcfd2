import * as fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { formatTraceparent, newSpanId, newTraceId, parseTraceparent } from "./trace.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

test("new trace ids have their size and differ", () => {
  expect(newTraceId()).toMatch(/^[0-9a-f]{32}$/);
  expect(newSpanId()).toMatch(/^[0-9a-f]{16}$/);
  expect(newTraceId()).not.toBe(newTraceId());
});

test("a trace id of zeros, which means none, is drawn again", () => {
  const random = vi.spyOn(crypto, "getRandomValues").mockImplementationOnce((bytes) => {
    if (bytes instanceof Uint8Array) bytes.fill(0);
    return bytes;
  });
  // Enough of them to come to the draw that yields only zeros.
  for (let count = 0; count < 300; count++) expect(newTraceId()).not.toMatch(/^0+$/);
  expect(random.mock.calls.length).toBeGreaterThan(1);
  random.mockRestore();
});

describe("parseTraceparent", () => {
  test.each([
    ["sampled", `00-${TRACE}-${SPAN}-01`, true],
    ["not sampled", `00-${TRACE}-${SPAN}-00`, false],
    ["with flags that are not known yet", `00-${TRACE}-${SPAN}-03`, true],
    ["of a later version", `cc-${TRACE}-${SPAN}-01`, true],
    ["of a later version with more fields", `cc-${TRACE}-${SPAN}-01-what-the-future-will-be`, true],
  ])("reads a header %s", (_name, header, sampled) => {
    expect(parseTraceparent(header)).toEqual({ traceId: TRACE, spanId: SPAN, sampled });
  });

  test.each([
    ["absent", undefined],
    ["empty", ""],
    ["of the forbidden version", `ff-${TRACE}-${SPAN}-01`],
    ["of version 00 with more fields", `00-${TRACE}-${SPAN}-01-extra`],
    ["of version 00 with a trailing dash", `00-${TRACE}-${SPAN}-01-`],
    ["of a later version with glued fields", `cc-${TRACE}-${SPAN}-01extra`],
    ["with a trace id of zeros", `00-${"0".repeat(32)}-${SPAN}-01`],
    ["with a span id of zeros", `00-${TRACE}-${"0".repeat(16)}-01`],
    ["in capitals", `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ["with a short trace id", `00-${TRACE.slice(1)}-${SPAN}-01`],
    ["with a long span id", `00-${TRACE}-${SPAN}0-01`],
    ["without flags", `00-${TRACE}-${SPAN}`],
    ["with blanks around", ` 00-${TRACE}-${SPAN}-01`],
    ["with a line feed at the end", `00-${TRACE}-${SPAN}-01\n`],
  ])("refuses a header %s", (_name, header) => {
    expect(parseTraceparent(header)).toBeUndefined();
  });

  test("reads what formatTraceparent writes, and nothing makes it throw", () => {
    fc.assert(
      fc.property(fc.boolean(), fc.string(), (sampled, noise) => {
        const parent = { traceId: newTraceId(), spanId: newSpanId(), sampled };
        expect(parseTraceparent(formatTraceparent(parent))).toEqual(parent);
        expect(parseTraceparent(noise)).toBeUndefined();
      }),
    );
  });
});
