import { describe, expect, it, vi } from "vitest";
import { watchPromise } from "./watch-promise.ts";

/** Longer than any test waits. */
const NEVER_MS = 2 ** 30;

describe("a watched promise", () => {
  it("settles within any time when it is settled already, even by failing", async () => {
    const done = watchPromise(Promise.resolve());
    const failed = watchPromise(Promise.reject(new Error("broken")));
    expect(await done(NEVER_MS)).toBe(true);
    expect(await done(NEVER_MS)).toBe(true);
    expect(await failed(NEVER_MS)).toBe(true);
  });

  it("ends a wait as soon as it settles", async () => {
    let settle = (): void => undefined;
    const settlesWithin = watchPromise(new Promise<void>((resolve) => (settle = resolve)));
    const waiting = settlesWithin(NEVER_MS);
    settle();
    expect(await waiting).toBe(true);
  });

  it("is listened to once, however often it is asked about", async () => {
    const never = new Promise<void>(() => {});
    const listen = vi.spyOn(never, "then");
    const settlesWithin = watchPromise(never);
    for (let asked = 0; asked < 3; asked++) expect(await settlesWithin(1)).toBe(false);
    expect(listen).toHaveBeenCalledTimes(1);
  });
});
