import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createOtlpExporter } from "./exporter.ts";
import { parseOtlpHeaders } from "./parse-otlp-headers.ts";
import { retryAfter } from "./retry-after.ts";
import { shortened } from "./text.ts";
import { tracesUrl } from "./traces-url.ts";

describe("the collector's address", () => {
  it.each([
    ["http://localhost:4318", "http://localhost:4318/v1/traces"],
    ["https://otel.example/", "https://otel.example/v1/traces"],
    ["http://h:1/otlp/v1/traces", "http://h:1/otlp/v1/traces"],
    ["http://h:1?key=abc#x", "http://h:1/v1/traces?key=abc"],
  ])("%s becomes %s", (text, url) => {
    expect(tracesUrl(text).url.href).toBe(url);
  });

  it("is shown without what may be a key", () => {
    expect(tracesUrl("http://h:1?key=abc").shown).toBe("http://h:1/v1/traces");
  });

  it.each(["", "localhost:4318", "grpc://h:4317", "file:///etc/passwd"])(
    "is refused when it is %j",
    (url) => {
      expect(() => createOtlpExporter({ url })).toThrow(/is not an http:\/\/ or https:\/\/ URL/);
    },
  );

  it("is refused with a password in it, which is not repeated", () => {
    expect(() => tracesUrl("http://me:hunter2@h:1")).toThrow(/^(?!.*hunter2).*send them as a header/);
  });
});

describe("OTLP headers", () => {
  it.each([
    ["", {}],
    ["k=v,k2=v2", { k: "v", k2: "v2" }],
    [" authorization = Basic%20YTpi== , x=, ", { authorization: "Basic YTpi==", x: "" }],
    ["k=1,k=2", { k: "2" }],
  ])("%j are read", (text, headers) => {
    expect(parseOtlpHeaders(text)).toEqual(headers);
  });

  it.each([
    ["k=v,secret", /number 2 is not of the form key=value/],
    ["=secret", /number 1 is not/],
    ["a b=secret", /"a b" is not the name of a header/],
    ["k=secret%", /the value of "k" has a % that starts no escape/],
    ["k=secret%0d%0aevil: 1", /the value of k has a character that HTTP cannot carry/],
  ])("%j are refused, without repeating a value", (text, message) => {
    expect(() => parseOtlpHeaders(text)).toThrow(message);
    expect(() => parseOtlpHeaders(text)).not.toThrow(/secret/);
  });

  it("are checked wherever they come from", () => {
    const headers = { k: "a\nb" };
    expect(() => createOtlpExporter({ url: "http://h:1", headers })).toThrow(/the value of k/);
  });
});

describe("Retry-After", () => {
  const nowMs = Date.parse("2026-03-01T10:00:00Z");
  it.each([
    ["7", 7000],
    ["Sun, 01 Mar 2026 10:00:30 GMT", 30_000],
    ["Sun, 01 Mar 2026 09:00:00 GMT", 0],
    ["-1", undefined],
    ["1.5", undefined],
    ["soon", undefined],
    [null, undefined],
  ])("%j is %s ms", (header, delayMs) => {
    expect(retryAfter(header, nowMs)).toBe(delayMs);
  });
});

describe("shortened text", () => {
  it("is the beginning of the text in whole characters, within the limit of bytes", () => {
    const text = fc
      .array(fc.oneof(fc.constantFrom("a", "ü", "€", "😀", "\ud83d", "\ude00"), fc.string()), {
        maxLength: 30,
      })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, fc.integer({ min: 3, max: 40 }), (input, maxBytes) => {
        const output = shortened(input, maxBytes);
        expect(Buffer.byteLength(output)).toBeLessThanOrEqual(maxBytes);
        expect(Buffer.from(output).toString()).toBe(output);
        if (Buffer.byteLength(input) <= maxBytes) expect(output).toBe(input.toWellFormed());
        else expect(input.toWellFormed().startsWith(output.slice(0, -1))).toBe(true);
      }),
    );
  });
});
