import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeSse } from "../../runtime/http/encode-sse.ts";
import { createSseParser } from "./parse-sse.ts";
import type { SseMessage, SseParserOptions } from "./parse-sse.ts";
import { readSse } from "./read-sse.ts";
import { propertyRuns } from "../../../test/support/property-runs.ts";

function parse(chunks: Iterable<Uint8Array>, options?: SseParserOptions): SseMessage[] {
  const parser = createSseParser(options);
  const messages: SseMessage[] = [];
  for (const chunk of chunks) messages.push(...parser.push(chunk));
  messages.push(...parser.end());
  return messages;
}

const bytewise = (bytes: Uint8Array): Uint8Array[] => Array.from(bytes, (byte) => Uint8Array.of(byte));

function cut(bytes: Uint8Array, positions: readonly number[]): Uint8Array[] {
  const edges = [...new Set(positions.map((position) => position % (bytes.length + 1)))].sort(
    (a, b) => a - b,
  );
  return [0, ...edges].map((start, index) => bytes.subarray(start, edges[index] ?? bytes.length));
}

const message = (data: string, more: { event?: string; id?: string } = {}): SseMessage => ({
  kind: "message",
  event: "message",
  id: "",
  data,
  ...more,
});
const comment = (text: string): SseMessage => ({ kind: "comment", text });
const retry = (retryMs: number): SseMessage => ({ kind: "retry", retryMs });

// The examples of WHATWG HTML come first; then each rule of "Interpreting an event stream".
const CASES: Record<string, [string, SseMessage[]]> = {
  "joins data lines": ["data: YHOO\ndata: +2\ndata: 10\n\n", [message("YHOO\n+2\n10")]],
  "takes comments, ids and a lone id that resets": [
    ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
    [
      comment("test stream"),
      message("first event", { id: "1" }),
      message("second event"),
      message(" third event"),
    ],
  ],
  "dispatches empty data, and not an unfinished message": [
    "data\n\ndata\ndata\n\ndata:",
    [message(""), message("\n")],
  ],
  "strips one space only": ["data:test\n\ndata: test\n\n", [message("test"), message("test")]],
  "drops a byte order mark at the start only": [
    "\uFEFFdata: \uFEFFa\n\n\uFEFFdata: b\n\n",
    [message("\uFEFFa")],
  ],
  "takes a blank line right after the byte order mark": ["\uFEFF\ndata: a\n\n", [message("a")]],
  "accepts mixed line ends": [
    "data: a\r\rdata: b\r\n\r\ndata: c\n\ndata: d\r\n\ndata: e\n\r\ndata: f\r\n\r",
    ["a", "b", "c", "d", "e", "f"].map((data) => message(data)),
  ],
  "names events, once": [
    "event: add\ndata: 1\n\ndata: 2\n\n",
    [message("1", { event: "add" }), message("2")],
  ],
  "forgets a name without data": ["event: add\n\ndata: 1\n\n", [message("1")]],
  "keeps the id until another comes, also from a frame without data": [
    "id: 7\n\ndata: a\n\ndata: b\n\nid: 8\ndata: c\n\n",
    [message("a", { id: "7" }), message("b", { id: "7" }), message("c", { id: "8" })],
  ],
  "ignores an id with NUL": [
    "id: 1\ndata: a\n\nid: 2\0\ndata: b\n\n",
    [message("a", { id: "1" }), message("b", { id: "1" })],
  ],
  "takes digits for retry and nothing else": [
    "retry: 1500\nretry: 1.5\nretry: -1\nretry: 5s\nretry:\nretry:  7\nretry: ١\nretry: 99999999999999999999\n\n",
    [retry(1500)],
  ],
  "ignores unknown fields and spaces before a name": [
    "foo: 1\n data: 2\nDATA: 3\ndata : 4\ndata: 5\n\n",
    [message("5")],
  ],
  "keeps colons in values": ["data:: a: b\n\n", [message(": a: b")]],
  "shows comments where they came": [
    ":\n: ping\n:pong\ndata: a\n: inside\n\n",
    [comment(""), comment("ping"), comment("pong"), comment("inside"), message("a")],
  ],
  "keeps characters of several bytes": ["data: é𝕏→\n\n", [message("é𝕏→")]],
  "finds nothing in nothing": ["", []],
};

describe("the parser of event streams", () => {
  for (const [name, [text, expected]] of Object.entries(CASES)) {
    test(name, () => {
      const bytes = Buffer.from(text);
      expect(parse([bytes])).toEqual(expected);
      expect(parse(bytewise(bytes))).toEqual(expected);
    });
  }

  test("shows invalid UTF-8 as U+FFFD", () => {
    const bytes = Buffer.concat([Buffer.from("data: a"), Buffer.of(0xff, 0xc3), Buffer.from("\n\n")]);
    expect(parse([bytes])).toEqual([message("a\uFFFD\uFFFD")]);
    expect(parse(bytewise(bytes))).toEqual([message("a\uFFFD\uFFFD")]);
  });

  test("gives the same for any text at any chunking under any limit", () => {
    const pieces = fc.constantFrom(
      "data",
      ":",
      " ",
      "\n",
      "\r",
      "\r\n",
      "id: ",
      "event:",
      "retry: 1",
      "é",
      "x",
      "\0",
      "\uFEFF",
    );
    const text = fc
      .array(fc.oneof(pieces, fc.string({ maxLength: 6 })), { maxLength: 40 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(
        text,
        fc.array(fc.nat()),
        fc.integer({ min: 1, max: 60 }),
        (text, positions, maxMessageBytes) => {
          const bytes = Buffer.from(text);
          const whole = parse([bytes], { maxMessageBytes });
          expect(parse(cut(bytes, positions), { maxMessageBytes })).toEqual(whole);
          expect(parse(bytewise(bytes), { maxMessageBytes })).toEqual(whole);
        },
      ),
      { numRuns: propertyRuns(300) },
    );
  });
});

describe("a message of an event stream over the limit", () => {
  const options = { maxMessageBytes: 20 };
  const oversized: SseMessage = { kind: "oversized", event: "big", id: "3", limitBytes: 20 };

  test("is reported once, and its neighbours are not lost", () => {
    const long = "data: 0123456789\n".repeat(5);
    const text = `id: 3\ndata: before\n\nevent: big\n${long}id: 4\n\ndata: after\n\n`;
    expect(parse([Buffer.from(text)], options)).toEqual([
      message("before", { id: "3" }),
      oversized,
      message("after", { id: "3" }),
    ]);
  });

  test("may be one endless line, which costs no memory", () => {
    const parser = createSseParser();
    const chunk = Buffer.alloc(1024 * 1024, "x");
    const before = process.memoryUsage().arrayBuffers;
    const messages = parser.push(Buffer.from("data: "));
    for (let index = 0; index < 100; index++) messages.push(...parser.push(chunk));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(40 * 1024 * 1024);
    messages.push(...parser.push(Buffer.from("\n\ndata: after\n\n")));
    expect(messages.map(({ kind }) => kind)).toEqual(["oversized", "message"]);
  });

  test("is one byte more than the limit", () => {
    expect(parse([Buffer.from(`data: ${"x".repeat(14)}\n\n`)], options)).toEqual([message("x".repeat(14))]);
    expect(parse([Buffer.from(`data: ${"x".repeat(15)}\n\n`)], options).map(({ kind }) => kind)).toEqual([
      "oversized",
    ]);
  });

  test("is not made by comments that go on for ever", () => {
    expect(parse([Buffer.from(": ping\n".repeat(100) + "data: a\n\n")], options).at(-1)).toEqual(
      message("a"),
    );
  });
});

describe("the writer of event streams", () => {
  test("writes what the specification shows", () => {
    expect(encodeSse({ data: "{}" })).toBe("data: {}\n\n");
    expect(encodeSse({ id: "42", event: "response", data: "a\r\nb\rc\nd" })).toBe(
      "id: 42\nevent: response\ndata: a\ndata: b\ndata: c\ndata: d\n\n",
    );
    expect(encodeSse({ comment: "keep-alive" })).toBe(": keep-alive\n\n");
    expect(encodeSse({ retry: 1000 })).toBe("retry: 1000\n\n");
    expect(encodeSse({ data: "" })).toBe("data: \n\n");
  });

  test("lets nobody smuggle a frame into an id, a name or a comment", () => {
    const text = encodeSse({
      id: "1\ndata: x\n\n\0",
      event: "a\r\ndata: y",
      data: "z\n\nevent: forged",
      comment: "c\ndata: w\r\rdata: v",
    });
    expect(parse([Buffer.from(text)]).filter(({ kind }) => kind === "message")).toEqual([
      message("z\n\nevent: forged", { id: "1data: x", event: "adata: y" }),
    ]);
  });

  test("refuses a retry that no reader would take", () => {
    for (const value of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => encodeSse({ retry: value })).toThrow(RangeError);
  });

  test("is understood by the parser at any chunking", () => {
    const name = fc.string({ unit: "grapheme" }).map((text) => text.replace(/[\r\n\0]/g, ""));
    const data = fc
      .array(
        fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("\n", "\r", "\r\n", " ", ":", "data: ")),
      )
      .map((parts) => parts.join(""));
    const frame = fc.record({ id: name, event: name, data });
    fc.assert(
      fc.property(fc.array(frame), fc.array(fc.nat()), (frames, positions) => {
        const bytes = Buffer.from(frames.map((frame) => encodeSse(frame)).join(""));
        const expected = frames.map(({ id, event, data }) =>
          message(data.replace(/\r\n?/g, "\n"), { id, event: event || "message" }),
        );
        expect(parse(cut(bytes, positions))).toEqual(expected);
      }),
    );
  });
});

test("readSse yields messages as they come and lets go of the source when left early", async () => {
  let released = false;
  async function* source(): AsyncGenerator<Uint8Array> {
    try {
      for (let index = 0; ; index++) yield Buffer.from(`data: ${index}\n\ndata: again\n\n`);
    } finally {
      released = true;
    }
  }
  const seen: SseMessage[] = [];
  for await (const item of readSse(source())) {
    seen.push(item);
    if (seen.length === 3) break;
  }
  expect(seen).toEqual([message("0"), message("again"), message("1")]);
  expect(released).toBe(true);
});
