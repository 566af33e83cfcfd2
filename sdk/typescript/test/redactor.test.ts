import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRedactor } from "../src/secrets/redactor.ts";

const json = (text: string): string => JSON.stringify(text).slice(1, -1);
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const ascii = (text: string): string =>
  json(text).replaceAll(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** Forms that a secret may take in a trace. */
const ENCODINGS: Record<string, (text: string) => string> = {
  plain: (text) => text,
  json,
  "json in json": (text) => json(json(text)),
  "json in json in json": (text) => json(json(json(text))),
  "json in ascii": ascii,
  url: encodeURIComponent,
  html: (text) =>
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;"),
  "url in small letters": (text) => encodeURIComponent(text).replaceAll(/%../g, (code) => code.toLowerCase()),
  form: (text) => new URLSearchParams({ a: text }).toString().slice(2),
  hex: (text) => Buffer.from(text).toString("hex"),
  "hex in capitals": (text) => Buffer.from(text).toString("hex").toUpperCase(),
  base64,
  "base64 for urls": (text) => Buffer.from(text).toString("base64url"),
  "base64 of json": (text) => base64(json(text)),
};

const secrets = fc
  .string({ unit: "grapheme", minLength: 4, maxLength: 40 })
  .filter((text) => text.trim().length >= 4 && text.trim() === text && !/[\r\n]/.test(text))
  .filter((text) => !["true", "false", "null", "none"].includes(text.toLowerCase()));

describe("a secret of a TypeScript agent", () => {
  test.for(Object.keys(ENCODINGS))("is hidden as %s", (name) => {
    const encode = ENCODINGS[name] ?? json;
    fc.assert(
      fc.property(secrets, (secret) => {
        expect(createRedactor({ KEY: secret }).text(`<${encode(secret)}>`)).toMatch(
          /^<\[redacted(?::KEY)?\]=?=?>$/,
        );
      }),
    );
  });

  test("is hidden as base64 wherever it starts in what was encoded", () => {
    fc.assert(
      fc.property(
        secrets,
        fc.string({ maxLength: 9 }),
        fc.string({ maxLength: 9 }),
        (secret, before, after) => {
          const shown = createRedactor({ KEY: secret }).text(base64(before + secret + after));
          expect(shown).toContain("[redacted");
          expect(Buffer.from(shown.replaceAll(/\[redacted[^\]]*\]/g, ""), "base64").toString()).not.toContain(
            secret,
          );
        },
      ),
    );
  });

  test("is hidden in keys, in values, and as a number, and two hidden keys stay two", () => {
    const { value } = createRedactor({ PIN: "12345678", NAME: "hunter2!" });
    expect(
      value({ a: ["x hunter2! y", 12345678, 1234567], "hunter2!": 1, "hunter2!!": { "12345678": true } }),
    ).toEqual({
      a: ["x [redacted:NAME] y", "[redacted:PIN]", 1234567],
      "[redacted:NAME]": 1,
      "[redacted:NAME]!": { "[redacted:PIN]": true },
    });
    expect(Object.keys(value({ "hunter2!": 1, "[redacted:NAME]": 2 }))).toHaveLength(2);
  });

  test("is hidden line by line, and as the strings of a JSON document", () => {
    const { text } = createRedactor({
      PEM: "-----BEGIN KEY-----\nMIIEvQIBADANB\n-----END KEY-----",
      DOC: '{"k":"deep-secret"}',
    });
    expect(text("a MIIEvQIBADANB b deep-secret c -----END KEY-----")).toBe(
      "a [redacted:PEM] b [redacted:DOC] c -----END KEY-----",
    );
  });

  test("is hidden in bytes that are no text", () => {
    const before = Buffer.concat([
      Buffer.from([0xff, 0, 0xfe]),
      Buffer.from("gr\u00fcn-secret"),
      Buffer.from([0xff]),
    ]);
    const after = Buffer.from(createRedactor({ KEY: "gr\u00fcn-secret" }).bytes(before));
    expect(after.toString("latin1")).toBe("\u00ff\0\u00fe[redacted:KEY]\u00ff");
  });
});

test("short values, ordinary words and other texts are left alone", () => {
  const { text, value } = createRedactor({ A: "abc", B: "true", C: "", D: "unrelated" });
  expect(text("abc true none")).toBe("abc true none");
  expect(value({ abc: "true", n: 1, deep: [null, false] })).toEqual({
    abc: "true",
    n: 1,
    deep: [null, false],
  });
});

test("a name that gives another secret away is not shown", () => {
  expect(createRedactor({ "hunter2!": "first-secret", B: "hunter2!" }).text("first-secret")).toBe(
    "[redacted]",
  );
});

test("overlapping secrets leave nothing of either", () => {
  expect(createRedactor({ A: "abcdef", B: "defghi" }).text("-abcdefghi-")).toBe("-[redacted:A]-");
});

test("a text that is made to be slow is redacted before the test's limit", () => {
  const long = "a".repeat(100_000);
  const { text } = createRedactor({ A: `${long}b`, B: "%".repeat(500), C: "\\".repeat(500) });
  expect(text(`${long}b`)).toBe("[redacted:A]");
  text("%25".repeat(30_000));
  text("\\".repeat(100_000));
  text(`${"a".repeat(200)}c`.repeat(2000));
});
