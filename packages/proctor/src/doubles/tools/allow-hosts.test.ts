import { expect, test } from "vitest";
import { allowHosts } from "./allow-hosts.ts";

const isAllowed = (entries: string[], url: string): boolean => {
  try {
    return allowHosts(entries)(url, "the tool").href !== "";
  } catch {
    return false;
  }
};

test.each<[string[], string, boolean]>([
  [[], "http://127.0.0.1:9/x", true],
  [[], "http://localhost/", true],
  [[], "http://[::1]:9/", true],
  [[], "http://127.1:9/", true],
  [[], "http://2130706433/", true],
  [[], "http://0.0.0.0/", false],
  [[], "http://evil.localhost/", false],
  [[], "http://localhost.evil.com/", false],
  [[], "http://[::ffff:10.0.0.1]/", false],
  [[], "http://10.0.0.1/", false],
  [[], "http://169.254.169.254/latest", false],
  [["api.example.com"], "https://api.example.com/x", true],
  [["API.example.com"], "https://api.EXAMPLE.com:8443/x", true],
  [["api.example.com"], "https://api.example.com.evil.com/", false],
  [["api.example.com"], "https://api.example.com@evil.com/", false],
  [["api.example.com:8443"], "https://api.example.com:8443/", true],
  [["api.example.com:8443"], "https://api.example.com/", false],
  [["api.example.com:443"], "https://api.example.com/", true],
  [["api.example.com:80"], "https://api.example.com/", false],
  [["api.example.com"], "http://127.0.0.1:9/", true],
  [["localhost:8080"], "http://127.0.0.1:8080/", true],
  [["localhost:8080"], "http://localhost:9/", false],
  [["127.0.0.1:8080", "[::1]:9"], "http://localhost:9/", true],
  [["*"], "http://10.0.0.1/", true],
  [["*"], "file:///etc/passwd", false],
  [["*"], "ftp://example.com/", false],
  [["*"], "no url", false],
])("with the tool hosts %j, %s is allowed: %s", (entries, url, expected) => {
  expect(isAllowed(entries, url)).toBe(expected);
});

test("the refusal of a tool's host names the host and what to do, not the rest of the URL", () => {
  expect(() => allowHosts([])("https://api.example.com/key/abc", "the tool search")).toThrow(
    /^the tool search goes to api\.example\.com, and .*\nadd it to PROCTOR_TOOL_HOSTS/,
  );
});
