import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ATP_JSON, EVENT_STREAM, negotiate, parseMediaType, PLAIN_JSON } from "./media.ts";

describe("a media type", () => {
  it("is read with its parameters", () => {
    expect(parseMediaType('Application/JSON ; Charset=UTF-8;x="a;\\"b"')).toEqual({
      name: "application/json",
      parameters: new Map([
        ["charset", "UTF-8"],
        ["x", 'a;"b'],
      ]),
    });
    expect(parseMediaType("text/event-stream;")?.name).toBe("text/event-stream");
  });

  it("is nothing when it is malformed", () => {
    for (const text of [null, undefined, "", "json", "a/b/c", "a/ b", "a/b; c", 'a/b; c="', "a/b, c/d"]) {
      expect(parseMediaType(text)).toBeUndefined();
    }
  });
});

describe("negotiation of media types", () => {
  const offers = [ATP_JSON, PLAIN_JSON] as const;

  it.each([
    [null, ATP_JSON],
    ["", ATP_JSON],
    ["*/*", ATP_JSON],
    ["application/*", ATP_JSON],
    ["application/json", PLAIN_JSON],
    ["APPLICATION/JSON;charset=utf-8", PLAIN_JSON],
    ["application/vnd.atp.v1+json;q=0.5, application/json", PLAIN_JSON],
    ["application/json;q=0.8, */*;q=0.1", PLAIN_JSON],
    ["application/json;q=0, */*", ATP_JSON],
    ["application/vnd.atp.v2+json, */*;q=0.1", ATP_JSON],
    ["nonsense, application/json", PLAIN_JSON],
    ["application/json;q=2, application/vnd.atp.v1+json;q=0.1", ATP_JSON],
  ])("of %s gives %s", (accept, expected) => {
    expect(negotiate(accept, offers)).toBe(expected);
  });

  it.each([
    "application/vnd.atp.v2+json",
    "text/html",
    "*/*;q=0",
    "nonsense",
    "application/json;q=0",
    "text/*",
    ",",
  ])("of %s gives nothing", (accept) => {
    expect(negotiate(accept, offers)).toBeUndefined();
  });

  it("takes any text without harm, and only what was offered", () => {
    const part = fc.constantFrom(...offers, EVENT_STREAM, "*/*", "q=0.5", ";", ",", '"', "\\", " ", "a/b");
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(part).map((parts) => parts.join("")),
        ),
        (accept) => {
          expect([...offers, undefined]).toContain(negotiate(accept, offers));
          parseMediaType(accept);
        },
      ),
    );
  });
});
