import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { joinSignals } from "./join-signals.ts";

test("a joined signal ends with the first that ends, for its reason", () => {
  const [one, two] = [new AbortController(), new AbortController()];
  const { signal } = joinSignals([one.signal, two.signal]);
  expect(signal.aborted).toBe(false);
  two.abort(new Error("two"));
  one.abort(new Error("one"));
  expect(signal.reason).toMatchObject({ message: "two" });
});

test("a joined signal has ended when one of them has", () => {
  expect(joinSignals([AbortSignal.abort("gone")]).signal).toMatchObject({ aborted: true, reason: "gone" });
});

test("a joined signal leaves nothing behind in a signal that lives on", () => {
  const { signal } = new AbortController();
  const joined = joinSignals([signal]);
  expect(getEventListeners(signal, "abort")).toHaveLength(1);
  joined.release();
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
});
