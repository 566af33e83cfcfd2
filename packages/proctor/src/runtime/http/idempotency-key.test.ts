import { expect, test } from "vitest";
import { MAX_KEY_CHARS, readIdempotencyKey } from "./idempotency-key.ts";

const request = (headers: Record<string, string>): Request => new Request("http://hub/", { headers });

test("an idempotency key is read as it was sent, and may be absent", () => {
  const longest = "k".repeat(MAX_KEY_CHARS);
  expect(readIdempotencyKey(request({}))).toBeUndefined();
  expect(readIdempotencyKey(request({ "idempotency-key": longest }))).toBe(longest);
});

test.each([0, MAX_KEY_CHARS + 1])("an idempotency key of %i characters is refused", (length) => {
  const key = "k".repeat(length);
  expect(() => readIdempotencyKey(request({ "idempotency-key": key }))).toThrow(
    "Idempotency-Key must have 1 to 255 characters",
  );
});
