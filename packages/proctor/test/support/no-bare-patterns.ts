// `expect({ text }).toMatchObject({ text: /pattern/ })` holds for any text, because a pattern has no keys of its own that could differ. It
// fails here; `expect.stringMatching(/pattern/)` is what such a test means.
import { expect } from "vitest";

expect.addEqualityTesters([
  (actual, expected) => (expected instanceof RegExp && !(actual instanceof RegExp) ? false : undefined),
]);
