import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalHost, formatTarget, parseAllowList, parseTarget } from "./allow-list.ts";

describe("a list of hosts", () => {
  const list = parseAllowList([
    "pypi.org",
    "Files.Example.com:8443",
    "*.below.org",
    "*.deep.org:99",
    "10.0.0.5",
    "[::1]:80",
  ]);

  it.each([
    ["pypi.org", 443, "named"],
    ["pypi.org", 80, "named"],
    ["pypi.org", 22, undefined],
    ["files.example.com", 8443, "named"],
    ["files.example.com", 443, undefined],
    ["evil-pypi.org", 443, undefined],
    ["pypi.org.evil.com", 443, undefined],
    ["www.pypi.org", 443, undefined],
    ["a.below.org", 443, "below"],
    ["a.b.below.org", 80, "below"],
    ["below.org", 443, undefined],
    ["notbelow.org", 443, undefined],
    ["a.deep.org", 99, "below"],
    ["a.deep.org", 443, undefined],
    ["10.0.0.5", 443, "named"],
    ["10.0.0.50", 443, undefined],
    ["::1", 80, "named"],
    ["::1", 443, undefined],
  ])("says of %s at port %i: %s", (host, port, answer) => {
    expect(list.find({ host, port })).toBe(answer);
  });

  it("prefers the entry that names the host", () => {
    expect(parseAllowList(["*.a.org", "b.a.org"]).find({ host: "b.a.org", port: 443 })).toBe("named");
  });

  it.each([
    "",
    "*",
    "*.",
    "*.10.0.0.1",
    "http://a.org",
    "a.org/path",
    "a.org:0",
    "a.org:99999",
    "a b",
    "a@b.org",
    "**.a.org",
  ])("refuses the entry %j", (entry) => {
    expect(() => parseAllowList([entry])).toThrow(/names no host.*\nwrite host/);
  });

  it("lets nothing through that is neither named nor below a name", () => {
    fc.assert(
      fc.property(fc.domain(), fc.integer({ min: 1, max: 65_535 }), (host, port) => {
        fc.pre(host !== "pypi.org" && !/\.(?:below|deep)\.org$/.test(host) && host !== "files.example.com");
        expect(list.find({ host, port })).toBeUndefined();
      }),
    );
  });
});

describe("a host", () => {
  it.each([
    ["EXAMPLE.com.", "example.com"],
    ["127.1", "127.0.0.1"],
    ["0x7f000001", "127.0.0.1"],
    ["2130706433", "127.0.0.1"],
    ["[::FFFF:127.0.0.1]", "::ffff:7f00:1"],
    ["::1", "::1"],
    ["bücher.example", "xn--bcher-kva.example"],
    ["a@b", undefined],
    ["a/b", undefined],
    ["a%2eb", undefined],
    ["a:80", undefined],
    ["", undefined],
    ["[::1", undefined],
  ])("%j is %j", (text, host) => {
    expect(canonicalHost(text)).toBe(host);
  });

  it.each([
    ["example.com:443", "example.com:443"],
    ["[::1]:80", "[::1]:80"],
    ["example.com", undefined],
    ["example.com:0", undefined],
    ["example.com:70000", undefined],
    [":443", undefined],
    ["a:b:443", undefined],
    ["::1:443", undefined],
    ["/path", undefined],
  ])("with its port, %j is %j", (text, shown) => {
    const target = parseTarget(text);
    expect(target && formatTarget(target)).toBe(shown);
  });
});
