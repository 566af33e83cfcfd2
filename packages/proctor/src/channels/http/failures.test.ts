import { expect, test, vi } from "vitest";
import { httpError, redirected } from "./failures.ts";

const door = { name: "/execute" };

test.each([
  ["7", 7],
  [" 120 ", 120],
  ["0", 0],
  ["Thu, 01 Jan 1970 00:00:00 GMT", 0],
  ["soon", undefined],
  ["-5", undefined],
  ["1e9", undefined],
  [undefined, undefined],
])(
  'the failure of an answer with Retry-After "%s" says how long to wait, if it is valid',
  (header, seconds) => {
    const { message, details } = httpError(429, door, header);
    expect(details?.["retry_after_seconds"]).toBe(seconds);
    expect(message.includes(`asks to wait ${seconds} s`)).toBe(seconds !== undefined);
  },
);

test("a date in Retry-After becomes seconds from now", () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-01-02T03:04:05Z") });
  try {
    const { details } = httpError(503, door, "Fri, 02 Jan 2026 03:04:35 GMT");
    expect(details?.["retry_after_seconds"]).toBe(30);
  } finally {
    vi.useRealTimers();
  }
});

test.each([
  ["file:///etc/passwd", "a file: address"],
  ["javascript:alert(1)", "a javascript: address"],
  ["http://other.test/x", "http://other.test"],
  ["/else", "another path"],
  [undefined, "nowhere"],
])("a redirect to %s leads to %s", (location, where) => {
  const url = new URL("http://agent.test/execute");
  expect(redirected(302, location, { url }).message).toContain(`redirects to ${where}, `);
});
