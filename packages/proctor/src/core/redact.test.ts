import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRedactor } from "./redact.ts";
import { threadCpuMs } from "../runtime/thread-cpu.ts";
import { propertyRuns } from "../../test/support/property-runs.ts";
import { anyText } from "../../test/support/any-character.ts";

const KEY = "sk-proj-AbC123/xyz+789";
const redactor = createRedactor([{ name: "API_KEY", value: KEY }]);
const one = (value: string, name = "X") => createRedactor([{ name, value }]);
const hexPairs = (text: string) =>
  Array.from(Buffer.from(text), (byte) => byte.toString(16).padStart(2, "0"));
const entities = (text: string, radix: 10 | 16) =>
  Array.from(text, (character) => {
    const digits = (character.codePointAt(0) ?? 0).toString(radix);
    return radix === 16 ? `&#x${digits};` : `&#0${digits};`;
  }).join("");

/** As `xxd` prints it, or `hexdump -C`, or `od -tx1`. */
function dump(text: string, style: "xxd" | "hexdump" | "od"): string {
  const bytes = Buffer.from(text);
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += 16) {
    const row = bytes.subarray(at, at + 16);
    const column = row.toString("latin1").replaceAll(/[^ -~]/g, ".");
    const pairs = hexPairs(row.toString("latin1")).slice(0, row.length);
    const offset = at.toString(style === "od" ? 8 : 16);
    if (style === "xxd") {
      const words = row.toString("hex").replaceAll(/.{4}/g, "$& ").padEnd(40);
      lines.push(`${offset.padStart(8, "0")}: ${words} ${column}`);
    } else if (style === "hexdump") {
      const halves = `${pairs.slice(0, 8).join(" ").padEnd(23)}  ${pairs.slice(8).join(" ").padEnd(23)}`;
      lines.push(`${offset.padStart(8, "0")}  ${halves}  |${column}|`);
    } else lines.push(`${offset.padStart(7, "0")} ${pairs.join(" ")}`);
  }
  return `${lines.join("\n")}\n`;
}

const latin1 = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));

describe("redacting text", () => {
  test.each<[string, string]>([
    ["plain", KEY],
    ["JSON with escaped slashes", KEY.replaceAll("/", "\\/")],
    ["JSON in JSON with escaped slashes", KEY.replaceAll("/", "\\\\/")],
    ["URL", encodeURIComponent(KEY)],
    ["URL with lower-case hex", encodeURIComponent(KEY).toLowerCase().replace("proj-abc", "proj-AbC")],
    ["URL in a URL", encodeURIComponent(encodeURIComponent(KEY))],
    ["hex", Buffer.from(KEY).toString("hex")],
    ["upper-case hex", Buffer.from(KEY).toString("hex").toUpperCase()],
    ["base64", Buffer.from(KEY).toString("base64")],
    ["base64 without padding", Buffer.from(KEY).toString("base64").replace(/=+$/, "")],
    ["URL-safe base64", Buffer.from(KEY).toString("base64url")],
    ["base64 in a URL", encodeURIComponent(Buffer.from(KEY).toString("base64"))],
    ["hex with colons", hexPairs(KEY).join(":")],
    ["hex with blanks", hexPairs(KEY).join(" ")],
    [
      "hex in words of two bytes",
      Buffer.from(KEY)
        .toString("hex")
        .replaceAll(/.{4}(?=.)/g, "$& "),
    ],
    ["decimal entities", entities(KEY, 10)],
    ["hexadecimal entities", entities(KEY, 16)],
    ["entities with names", KEY.replaceAll("/", "&sol;").replaceAll("+", "&plus;")],
    ["entities that were escaped", entities(KEY, 10).replaceAll("&", "&amp;")],
  ])("hides a secret written as %s", (_name, written) => {
    expect(redactor.text(`before ${written} after`)).toBe("before [redacted:API_KEY] after");
  });

  test("hides a secret inside a longer base64 text, wherever it falls", () => {
    for (const user of ["", "a", "ab", "abc", "abcd"]) {
      const header = Buffer.from(`${user}:${KEY}:tail`).toString("base64");
      const shown = redactor.text(`Authorization: Basic ${header}`);
      expect(shown).toContain("[redacted:API_KEY]");
      expect(Buffer.from(shown.split(" ")[2] ?? "", "base64").toString()).not.toContain("proj");
    }
  });

  test.each(["xxd", "hexdump", "od"] as const)(
    "hides a secret in what %s prints, wherever it falls",
    (style) => {
      for (let before = 0; before < 20; before++) {
        const printed = dump(`${"~".repeat(before)}${KEY}~~~~~`, style);
        for (const written of [printed, JSON.stringify(printed)]) {
          const shown = redactor.text(written);
          expect(shown).toContain("[redacted:API_KEY]");
          expect(shown.endsWith(written.slice(-1))).toBe(true);
          // Neither its bytes nor the column beside them show four characters of it.
          for (let at = 0; at + 4 <= KEY.length; at++) {
            const piece = KEY.slice(at, at + 4);
            expect(shown).not.toContain(piece);
            expect(shown.replaceAll(" ", "")).not.toContain(Buffer.from(piece).toString("hex"));
          }
        }
      }
    },
  );

  test("hides a secret in base64 and hex that were encoded once more", () => {
    for (const user of ["", "a", "ab", "abc", "abcd"]) {
      const inner = Buffer.from(`${user}:${KEY}:tail`);
      for (const once of [inner.toString("base64"), inner.toString("base64url"), inner.toString("hex")]) {
        for (const encoding of ["base64", "base64url"] as const) {
          const shown = redactor.text(`x: ${Buffer.from(once).toString(encoding)}`);
          expect(shown).toContain("[redacted:API_KEY]");
          const pieces = shown.split("[redacted:API_KEY]").map((piece) => Buffer.from(piece, "base64"));
          for (const piece of pieces) expect(piece.length).toBeLessThan(20);
        }
      }
    }
  });

  test("takes no ordinary text behind a secret for a part of it", () => {
    const shown = redactor.text(`${hexPairs(KEY).join("")} and more\n73  files, 6b: 2d`);
    expect(shown).toBe("[redacted:API_KEY] and more\n73  files, 6b: 2d");
  });

  test("hides a secret in base64 that was folded into lines, also inside JSON", () => {
    const long = "0123456789".repeat(12);
    const folded = Buffer.from(long).toString("base64").replaceAll(/.{76}/g, "$&\n");
    expect(one(long).text(folded)).toBe("[redacted:X]");
    expect(one(long).text(JSON.stringify(folded.replaceAll("\n", "\r\n")))).toBe('"[redacted:X]"');
  });

  test("hides a four-byte secret in base64 although few of its digits are whole", () => {
    for (const before of ["", "x", "xy"]) {
      const shown = one("k9Z!").text(Buffer.from(`${before}k9Z!~~`).toString("base64"));
      expect(shown).toContain("[redacted:X]");
    }
  });

  test("hides a secret that was JSON in what was encoded", () => {
    const quoted = 'pass"wörd';
    const document = Buffer.from(JSON.stringify({ a: quoted })).toString("base64");
    expect(one(quoted).text(document)).toContain("[redacted:X]");
    const ascii = Buffer.from('{"a":"pass\\"w\\u00f6rd"}').toString("base64");
    expect(one(quoted).text(ascii)).toContain("[redacted:X]");
  });

  test("hides each line of a key and shows its boundaries", () => {
    const pem = "-----BEGIN KEY-----\nMIIEvQIBADANBgkq\nhkiG9w0BAQEFAASC\n-----END KEY-----\n";
    const shown = one(pem, "PEM").text("-----BEGIN KEY-----\n> hkiG9w0BAQEFAASC\n> MIIEvQIBADANBgkq");
    expect(shown).toBe("-----BEGIN KEY-----\n> [redacted:PEM]\n> [redacted:PEM]");
    expect(one(pem, "PEM").text(`${pem.replaceAll("\n", "\r\n")}.`)).toBe("[redacted:PEM]\r\n.");
  });

  test("hides the strings of a secret that is a JSON document", () => {
    const account = JSON.stringify({ user: "me", private_key: "abcdefghijkl\nmnopqrstuvwx" });
    expect(one(account).text("key: mnopqrstuvwx, user: me")).toBe("key: [redacted:X], user: me");
  });

  test("hides a value with blanks around it, with and without them", () => {
    expect(one("  hunter22\n").text("a hunter22 b\n")).toBe("a [redacted:X] b\n");
  });

  test("leaves short values and ordinary words alone", () => {
    const nothing = createRedactor(
      ["", "abc", "    ", " ab\n", "true", "False", "null", "none"].map((value) => ({ name: "N", value })),
    );
    expect(nothing.active).toBe(false);
    expect(nothing.text("abc true null none")).toBe("abc true null none");
    expect(nothing.json('{"a":"none"}')).toBeUndefined();
    expect(nothing.bytes(latin1("true"))).toBeUndefined();
    const stream = nothing.stream();
    expect(stream.push("abc") + stream.end()).toBe("abc");
  });

  test("takes the longest of several secrets and joins those that overlap", () => {
    const several = createRedactor([
      { name: "SHORT", value: "abcd" },
      { name: "LONG", value: "abcdefgh" },
      { name: "NEXT", value: "ghijkl" },
    ]);
    expect(several.text("abcdefgh")).toBe("[redacted:LONG]");
    expect(several.text("abcdX")).toBe("[redacted:SHORT]X");
    expect(several.text("abcdefghijkl.")).toBe("[redacted:LONG].");
    expect(several.text("abcdefghabcd")).toBe("[redacted:LONG][redacted:SHORT]");
  });

  test("takes the characters of a secret literally", () => {
    expect(one("a.c*(d)[e]$").text("abc a.c*(d)[e]$ axc*(d)")).toBe("abc [redacted:X] axc*(d)");
  });

  test.each<[string, string, string]>([
    ["TOKEN", "TOKEN", "[redacted]"],
    ["a name", "hunter22", "[redacted]"],
    ['"', "hunter22", "[redacted]"],
    ["X", "redacted", "[***]"],
    ["X", "dact", "[***]"],
  ])("shows a marker that holds no secret (name %j, value %j)", (name, value, marker) => {
    const redactor = one(value, name);
    expect(redactor.text(`<${value}>`)).toBe(`<${marker}>`);
    expect(redactor.text(redactor.text(`<${value}>`))).toBe(`<${marker}>`);
  });

  test("shows some marker even when the usual ones are secrets", () => {
    const values = ["redacted", "[***]", "hidden"];
    const redactor = createRedactor(values.map((value) => ({ name: "X", value })));
    expect(redactor.text("hidden redacted")).toBe("*** ***");
  });
});

describe("redacting JSON", () => {
  test("returns undefined when there is nothing to hide", () => {
    expect(redactor.json('{"a":"b","n":[1,2.5,null]}')).toBeUndefined();
  });

  test("hides in values and keys, at any depth, and keeps everything else as written", () => {
    const document = `{ "${KEY}": [{"deep":"x${KEY}y"}], "id": 12345678901234567890, "t": 1.50 }`;
    expect(redactor.json(document)).toBe(
      '{ "[redacted:API_KEY]": [{"deep":"x[redacted:API_KEY]y"}], "id": 12345678901234567890, "t": 1.50 }',
    );
  });

  test("keeps two hidden keys of one object apart", () => {
    const document = JSON.stringify({ [KEY]: 1, [encodeURIComponent(KEY)]: 2, inner: { [KEY]: 3 } });
    expect(JSON.parse(redactor.json(document) ?? "")).toEqual({
      "[redacted:API_KEY]": 1,
      "[redacted:API_KEY]~2": 2,
      inner: { "[redacted:API_KEY]": 3 },
    });
  });

  test("hides a number that equals a secret of six digits or more, and no other", () => {
    const pins = createRedactor([
      { name: "PIN", value: "4711" },
      { name: "CODE", value: "123456" },
      { name: "LONG", value: "1234567890123456789" },
    ]);
    expect(pins.value([4711, 123456, -123456, 91234567, Number("1234567890123456789")])).toEqual([
      4711,
      "[redacted:CODE]",
      "[redacted:CODE]",
      91234567,
      "[redacted:LONG]",
    ]);
    expect(pins.json('{"n":1234567890123456789,"port":4711,"text":"4711"}')).toBe(
      '{"n":"[redacted:LONG]","port":4711,"text":"[redacted:PIN]"}',
    );
    expect(pins.json('{"port":4711}')).toBeUndefined();
  });

  test("hides a secret that the document spells with its own punctuation", () => {
    const secret = '{"user":"me","pin":[1,2,3]}';
    const shown = one(secret).json(`{"a":${secret},"b":1}`) ?? "";
    expect(shown).not.toContain('"me"');
    expect(JSON.parse(shown)).toMatchObject({ b: 1 });
    expect(one("1,2,3,4").value({ a: [1, 2, 3, 4] })).toEqual({ a: Array(4).fill("[redacted:X]") });
  });

  test("survives depth, a cut document and a backslash at the end", () => {
    const deep = `${"[".repeat(100_000)}"${KEY}"${"]".repeat(100_000)}`;
    expect(redactor.json(deep)).toHaveLength(deep.length - KEY.length + "[redacted:API_KEY]".length);
    for (const cut of [`{"a":"${KEY}`, `{"a":"${KEY}\\`, `"${KEY}\\"`, KEY, `{"a":${KEY}}`]) {
      expect(redactor.json(cut)).not.toContain("AbC123");
    }
  });

  test("takes no name from the prototype for a key", () => {
    const document = `{"__proto__":{"polluted":"${KEY}"}}`;
    expect(redactor.json(document)).toBe('{"__proto__":{"polluted":"[redacted:API_KEY]"}}');
  });

  test("costs time in proportion to the hits", () => {
    const list = Array.from({ length: 10_000 }, (_, index) => (index % 2 ? 1234567 : KEY));
    const many = createRedactor([
      { name: "A", value: KEY },
      { name: "B", value: "2345" },
    ]);
    const few = cpuOf(() => many.value(list.slice(0, 1000)));
    // Ten times as many; a hundred times the work would be seen, however busy the machine is.
    expect(cpuOf(() => expect(many.value(list)).toHaveLength(10_000))).toBeLessThan(40 * few + 100);
  });
});

test("redacting a value returns the same reference when nothing is hidden", () => {
  const value = { a: ["b", 1, null], c: undefined };
  expect(redactor.value(value)).toBe(value);
  expect(redactor.value({ a: KEY, b: 1 })).toEqual({ a: "[redacted:API_KEY]", b: 1 });
});

test("redacting bytes hides in binary content and keeps every other byte", () => {
  const binary = Uint8Array.from({ length: 256 }, (_, index) => index);
  expect(redactor.bytes(binary)).toBeUndefined();
  const secret = "pässwörd😀";
  const content = Buffer.concat([binary, Buffer.from(secret), binary]);
  const shown = one(secret).bytes(new Uint8Array(content));
  expect(shown && Buffer.from(shown)).toEqual(Buffer.concat([binary, Buffer.from("[redacted:X]"), binary]));
});

describe("redacting a stream", () => {
  test("shows at once what cannot be the beginning of a secret, and holds back no more than that", () => {
    const stream = one("topsecret").stream();
    expect(stream.push("hello\n")).toBe("hello\n");
    expect(stream.push("see tops")).toBe("see ");
    expect(stream.push("oil and topsecr")).toBe("topsoil and ");
    expect(stream.push("et")).toBe("[redacted:X]");
    expect(stream.push(" top")).toBe(" ");
    expect(stream.end()).toBe("top");
  });

  test("holds no more than one secret of an endless run of them", () => {
    const stream = one("aaaa").stream();
    let shown = stream.push("aaaa");
    for (let index = 0; index < 1000; index++) shown += stream.push("a");
    expect(shown).toBe("[redacted:X]");
    expect(stream.push("b") + stream.end()).toBe("b");
  });
});

/** Milliseconds of CPU that a few tries take together. Some systems count in steps of 4 ms, between which a single one may fall. */
function cpuOf(work: () => unknown): number {
  const before = threadCpuMs();
  for (let attempt = 0; attempt < 3; attempt++) work();
  return threadCpuMs() - before;
}

test("redacting a document without secrets costs little more than parsing it", () => {
  const several = createRedactor(
    [KEY, "postgres://user:p%40ss@host/db", "ghp_16C7e42F292c6912E7710c838347Ae178B4a"].map((value) => ({
      name: "X",
      value,
    })),
  );
  const document = JSON.stringify({ tool: "read_file", output: "import x from 'y';\n".repeat(13), n: 12.5 });
  for (let index = 0; index < 2000; index++) several.json(document);
  const times = (work: () => unknown) => () => {
    for (let index = 0; index < 10_000; index++) work();
  };
  const parsing = cpuOf(times(() => JSON.parse(document)));
  expect(cpuOf(times(() => several.json(document)))).toBeLessThan(20 * parsing);
});

describe("redaction, whatever the secret is:", () => {
  const AROUND = "\ue000";
  const character = fc.oneof(
    fc.constantFrom(...Array.from("\"\\/\n\r\t %+=&<>'é😀\u0000\u007f\u2028.-_")),
    fc.integer({ min: 0, max: 0x10ffff }).map((point) => String.fromCodePoint(point)),
    fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 1 }),
    fc.constantFrom("\ud800", "\udc00"),
  );
  const secretValue = fc
    .array(character, { minLength: 4, maxLength: 30 })
    .map((characters) => characters.join("").trim())
    .filter(
      (value) =>
        value.length >= 4 &&
        !value.includes(AROUND) &&
        !/^(?:true|false|null|none|\[?redacted)$/i.test(value),
    );
  const wellFormed = (value: string) => Buffer.from(value).toString();
  const json = (value: string) => JSON.stringify(value).slice(1, -1);
  const everyUnit = (value: string, upper: boolean) =>
    Array.from({ length: value.length }, (_, index) => {
      const hex = value.charCodeAt(index).toString(16).padStart(4, "0");
      return `\\u${upper ? hex.toUpperCase() : hex}`;
    }).join("");
  const everyByte = (value: string) =>
    Array.from(Buffer.from(value), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
  const encodings: Record<string, (value: string) => string> = {
    plain: (value) => value,
    json,
    "json twice": (value) => json(json(value)),
    "json three times": (value) => json(json(json(value))),
    "json with slashes": (value) => json(value).replaceAll("/", "\\/"),
    "json in capitals": (value) => everyUnit(value, true),
    "json in ascii": (value) => json(value).replaceAll(/[\u0080-\uffff]/g, (unit) => everyUnit(unit, false)),
    "json in ascii, twice": (value) => json(everyUnit(value, false)),
    url: (value) => encodeURIComponent(wellFormed(value)),
    "url in small letters": (value) =>
      encodeURIComponent(wellFormed(value)).replaceAll(/%../g, (code) => code.toLowerCase()),
    "url, every byte": everyByte,
    "url path": (value) => encodeURI(wellFormed(value)),
    form: (value) => new URLSearchParams({ "": wellFormed(value) }).toString().slice(1),
    hex: (value) => Buffer.from(value).toString("hex"),
    "hex in capitals": (value) => Buffer.from(value).toString("hex").toUpperCase(),
    base64: (value) => Buffer.from(value).toString("base64"),
    base64url: (value) => Buffer.from(value).toString("base64url"),
    "base64 of json": (value) => Buffer.from(json(value)).toString("base64"),
    "base64 of url": (value) => Buffer.from(encodeURIComponent(wellFormed(value))).toString("base64"),
    "hex with colons": (value) => hexPairs(value).join(":"),
    "html, decimal": (value) => entities(value, 10),
    "html, hexadecimal": (value) => entities(value, 16),
    "utf-8 read as latin-1": (value) => Buffer.from(value).toString("latin1"),
  };
  const encoding = fc.constantFrom(...Object.keys(encodings));
  const encode = (name: string, value: string) => encodings[name]?.(value) ?? "";

  test("each of its encodings is replaced as a whole, and nothing else", () => {
    fc.assert(
      fc.property(secretValue, encoding, (value, name) => {
        const redactor = one(value, "NAME");
        const written = `${AROUND}${encode(name, value)}${AROUND}`;
        // Which marker shows depends on whether the usual one would hold the secret.
        const marker = redactor.text(value);
        expect(redactor.text(written)).toBe(AROUND + marker + AROUND);
        const document = redactor.json(JSON.stringify({ key: [written] })) ?? "";
        expect(JSON.parse(document)).toEqual({ key: [AROUND + marker + AROUND] });
      }),
      { numRuns: propertyRuns(1500) },
    );
  });

  test("none of its base64 digits survive inside a longer document", () => {
    fc.assert(
      fc.property(
        secretValue,
        fc.uint8Array({ maxLength: 5 }),
        fc.uint8Array({ maxLength: 5 }),
        (value, before, after) => {
          const secret = Buffer.from(value);
          const document = Buffer.concat([before, secret, after]).toString("base64");
          const whole = document.slice(
            Math.ceil((before.length * 8) / 6),
            Math.floor(((before.length + secret.length) * 8) / 6),
          );
          expect(one(value).text(document)).not.toContain(whole);
          expect(one(value).text(document.replaceAll("+", "-").replaceAll("/", "_"))).toContain("[");
        },
      ),
      { numRuns: propertyRuns(500) },
    );
  });

  test("a stream shows what text shows, wherever it is cut", () => {
    const dumped = fc.string().map((text) => dump(text, "hexdump"));
    const pieces = fc.array(fc.oneof(fc.string(), dumped, fc.tuple(encoding, fc.nat(1))), { maxLength: 6 });
    fc.assert(
      fc.property(
        fc.tuple(secretValue, secretValue),
        pieces,
        fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 8 }),
        ([first, second], pieces, sizes) => {
          const values = [first, second];
          const redactor = createRedactor(values.map((value, index) => ({ name: `N${index}`, value })));
          const whole = pieces
            .map((piece) => (typeof piece === "string" ? piece : encode(piece[0], values[piece[1]] ?? "")))
            .join("");
          const stream = redactor.stream();
          let shown = "";
          for (let at = 0, turn = 0; at < whole.length; turn++) {
            const size = sizes[turn % sizes.length] ?? 1;
            shown += stream.push(whole.slice(at, at + size));
            at += size;
          }
          expect(shown + stream.end()).toBe(redactor.text(whole));
        },
      ),
      { numRuns: propertyRuns(1000) },
    );
  });

  test("text that does not hold it is unchanged, and documents keep their meaning", () => {
    const redactor = one("\u{10ffff}never\u{10ffff}written", "X");
    fc.assert(
      fc.property(anyText, fc.jsonValue(), (text, value) => {
        expect(redactor.text(text)).toBe(text);
        expect(redactor.json(JSON.stringify(value))).toBeUndefined();
      }),
    );
  });

  test("a document that holds it still parses, and differs only there", () => {
    fc.assert(
      fc.property(secretValue, encoding, fc.jsonValue(), (value, name, other) => {
        const redactor = one(value, "NAME");
        const document = redactor.json(JSON.stringify({ [encode(name, value)]: encode(name, value), other }));
        const parsed: unknown = JSON.parse(document ?? "");
        expect(Object.keys(parsed ?? {})).toHaveLength(2);
        expect(Object.values(parsed ?? {})[0]).toBe(redactor.text(value));
      }),
      { numRuns: propertyRuns(500) },
    );
  });
});
