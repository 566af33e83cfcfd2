import { expect, it } from "vitest";
import { never } from "./never.ts";

it("A signal that never aborts may be listened to by many at once without a warning of Node", async () => {
  const warnings: Error[] = [];
  const note = (warning: Error): void => void warnings.push(warning);
  process.on("warning", note);
  for (let count = 0; count < 50; count++) never.addEventListener("abort", () => expect.unreachable());
  await new Promise(setImmediate);
  process.off("warning", note);
  expect(warnings).toEqual([]);
});
