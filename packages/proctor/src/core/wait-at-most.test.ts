import { describe, expect, it } from "vitest";
import { createManualClock } from "../../test/support/manual-clock.ts";
import { waitAtMost } from "./wait-at-most.ts";

describe("waiting with a limit", () => {
  it("ends with the promise, and calls its timer off", async () => {
    const clock = createManualClock();
    await waitAtMost(clock, 50, Promise.resolve());
    expect(clock.waiting).toBe(0);
  });

  it("ends at the limit when the promise does not", async () => {
    const clock = createManualClock();
    const over = waitAtMost(clock, 50, new Promise(() => {}));
    clock.advance(50);
    await over;
    expect(clock.waiting).toBe(0);
  });

  it("fails with the promise, and calls its timer off", async () => {
    const clock = createManualClock();
    await expect(waitAtMost(clock, 50, Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    expect(clock.waiting).toBe(0);
  });
});
