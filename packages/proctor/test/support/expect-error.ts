// A refusal that is the same from a hub in this process and from one elsewhere.
import { expect } from "vitest";
import type { ErrorCode } from "../../src/core/errors.ts";

export async function expectError(
  action: Promise<unknown>,
  code: ErrorCode,
  message: RegExp = /\w/,
): Promise<void> {
  const error: unknown = await action.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({
    name: "ProctorError",
    code,
    message: expect.stringMatching(message) as string,
  });
}
