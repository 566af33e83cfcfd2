import { describe, expect, it } from "vitest";
import { whenAborted } from "./when-aborted.ts";

describe("whenAborted()", () => {
  it("resolves at once for a signal that has fired already", async () => {
    await expect(whenAborted(AbortSignal.abort())).resolves.toBeUndefined();
  });

  it("resolves when the signal fires, and not before", async () => {
    const controller = new AbortController();
    let resolved = false;
    const waiting = whenAborted(controller.signal).then(() => (resolved = true));
    await Promise.resolve();
    expect(resolved).toBe(false);

    controller.abort();

    await waiting;
    expect(resolved).toBe(true);
  });
});
