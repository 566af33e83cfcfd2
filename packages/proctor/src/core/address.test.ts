import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AgentSpec } from "./agent.ts";
import { formatAddress, isAddress, parseAddress } from "./address.ts";
import { anyText } from "../../test/support/any-character.ts";

const refusal = (text: string): unknown => {
  try {
    return parseAddress(text);
  } catch (error) {
    return error;
  }
};

describe("parseAddress", () => {
  test.each<[string, AgentSpec]>([
    ["atp+stdio:python3 agent.py", { protocol: "atp", transport: "stdio", command: ["python3", "agent.py"] }],
    ["term+stdio: sh -c 'a b'", { protocol: "term", transport: "stdio", command: ["sh", "-c", "a b"] }],
    ["atp+stdio:x a\\ ", { protocol: "atp", transport: "stdio", command: ["x", "a "] }],
    ["atp+http://h/p", { protocol: "atp", transport: "http", url: "http://h/p" }],
    [" atp+https://h:8/p?q=1&r#f ", { protocol: "atp", transport: "https", url: "https://h:8/p?q=1&r#f" }],
    ["atp+ws://[::1]:80/ws", { protocol: "atp", transport: "ws", url: "ws://[::1]:80/ws" }],
    ["atp+wss://h", { protocol: "atp", transport: "wss", url: "wss://h" }],
    ["atp+grpc://localhost:50051", { protocol: "atp", transport: "grpc", url: "grpc://localhost:50051" }],
    ["a2a+grpcs://localhost:443", { protocol: "a2a", transport: "grpcs", url: "grpcs://localhost:443" }],
    ["replay+file:a b/c.jsonl ", { protocol: "replay", transport: "file", url: "file:a b/c.jsonl" }],
    ["replay+file:/c.jsonl", { protocol: "replay", transport: "file", url: "file:/c.jsonl" }],
    ["replay+file:///c%20d", { protocol: "replay", transport: "file", url: "file:///c%20d" }],
    ["agent-x+HTTP://Host/P", { protocol: "agent-x", transport: "http", url: "http://Host/P" }],
  ])("reads %s", (text, spec) => {
    expect(parseAddress(text)).toEqual(spec);
  });

  test.each<[string, string, string]>([
    ["http://localhost:8000", "UNKNOWN_SCHEME", "put the agent's protocol in front: atp+http:…"],
    ["stdio:python3 agent.py", "UNKNOWN_SCHEME", "put the agent's protocol in front: atp+stdio:…"],
    ["atp:python3 agent.py", "UNKNOWN_SCHEME", "an address is protocol+transport:…"],
    ["atp+htpp://host", "UNKNOWN_SCHEME", 'unknown transport "htpp" in "atp+htpp:"\ndid you mean "http"?'],
    ["atp+pigeon:coo", "UNKNOWN_SCHEME", "known are stdio, http, https, ws, wss, grpc"],
    ["atp+constructor:x", "UNKNOWN_SCHEME", 'unknown transport "constructor"'],
    [
      "my agent",
      "INVALID_REQUEST",
      '"my agent" is not an agent\'s address\nan address is protocol+transport:…',
    ],
    ["", "INVALID_REQUEST", "an empty text is not an agent's address"],
    ["atp+stdio:", "INVALID_REQUEST", '"atp+stdio:" names no program at column 11'],
    ["atp+stdio:  ", "INVALID_REQUEST", "names no program"],
    ["atp+stdio:'' x", "INVALID_REQUEST", "names no program"],
    ["atp+stdio:sh 'x", "INVALID_REQUEST", "unclosed single quote at column 14"],
    [" atp+stdio:sh 'x", "INVALID_REQUEST", "unclosed single quote at column 15"],
    ["atp+stdio://python3 a.py", "INVALID_REQUEST", "atp+stdio:python3 a.py"],
    ["atp+http:host", "INVALID_REQUEST", "does not begin with //\nwrite atp+http://host[:port][/path]"],
    ["replay+file:", "INVALID_REQUEST", 'the path behind "replay+file:" is empty'],
    ["replay+file://host/x", "INVALID_REQUEST", "names a host, and files are on this machine"],
    ["replay+file:a\0b", "INVALID_REQUEST", "has a control character"],
    ["atp+http://", "INVALID_REQUEST", "is not valid"],
    ["atp+http:///path", "INVALID_REQUEST", "is not valid"],
    ["atp+http://h:99999", "INVALID_REQUEST", "is not valid"],
    ["atp+http://h/a b", "INVALID_REQUEST", "blank or control character at its character 6"],
    ["atp+grpc://host", "INVALID_REQUEST", "is not host:port\nwrite atp+grpc://host:port"],
    ["atp+grpc://host:1/path", "INVALID_REQUEST", "is not host:port"],
    ["atp+grpc://:50051", "INVALID_REQUEST", "is not valid"],
  ])("refuses %j with %s and says what to do", (text, code, message) => {
    expect(refusal(text)).toMatchObject({ code, message: expect.stringContaining(message) });
  });

  test("refuses a password in a URL without repeating it", () => {
    const error = refusal("atp+http://user:hunter22@host/");
    expect(error).toMatchObject({ code: "INVALID_REQUEST", message: expect.stringContaining("headers") });
    expect(String(error)).not.toContain("hunter22");
  });

  test("answers anything with a spec or a refusal", () => {
    const text = fc.oneof(
      anyText,
      fc.string().map((rest) => `atp+stdio:${rest}`),
      fc.string().map((rest) => `atp+http:${rest}`),
    );
    fc.assert(
      fc.property(text, (text) => {
        const result = refusal(text);
        if (result instanceof Error) expect(result).toHaveProperty("code");
        else expect(result).toHaveProperty("protocol");
      }),
    );
  });
});

test.each([
  ["atp+stdio:x", true],
  ["atp+http://h", true],
  ["x+y:", true],
  ["my-agent", false],
  ["http://h", false],
  ["a+b", false],
  [" atp+http://h", false],
  ["1+1:", false],
])("isAddress(%j) is %s", (text, expected) => {
  expect(isAddress(text)).toBe(expected);
});

describe("formatAddress", () => {
  test("writes what parseAddress reads, for every command line", () => {
    const word = fc
      .array(fc.oneof(fc.constantFrom(...Array.from("'\"\\ /\n$")), anyText))
      .map((parts) => parts.join(""));
    const command = fc
      .array(
        word.map((text) => text.replaceAll("\0", "")),
        { minLength: 1 },
      )
      .filter((words) => words[0] !== "");
    fc.assert(
      fc.property(command, (command) => {
        const spec = { protocol: "atp", transport: "stdio", command };
        expect(parseAddress(formatAddress(spec))).toEqual(spec);
      }),
      { examples: [[["//bin/x", "y"]], [["///"]], [["/"]], [[" "]]] },
    );
  });

  test("writes what parseAddress reads, for every URL", () => {
    for (const text of ["atp+http://h/p?q#f", "a2a+https://h:1", "atp+ws://h/x", "atp+grpc://h:50051"]) {
      expect(formatAddress(parseAddress(text))).toBe(text);
    }
  });

  test("leaves out what only the long form can say", () => {
    const spec = { protocol: "atp", transport: "stdio", command: ["a b", "c"], env: { KEY: "hunter22" } };
    expect(formatAddress(spec)).toBe("atp+stdio:'a b' c");
  });

  test("refuses an agent without a command and a URL", () => {
    expect(() => formatAddress({ protocol: "atp", transport: "http" })).toThrow(
      "neither a command nor a url",
    );
  });
});
