import { describe, expect, it } from "vitest";
import { createManualClock } from "../../../../test/support/manual-clock.ts";
import { untilLate, withTimeLimit } from "./time-limit.ts";

/** Work that only its signal ends. */
const hanging = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const end = (): void => reject(new Error("ended"));
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });

describe("the time limit of an agent behind the gateway", () => {
  it("ends work that takes longer, and says so", async () => {
    const clock = createManualClock();
    const late = untilLate({ clock, timeoutMs: 2000 }, new AbortController().signal, hanging);
    clock.advance(2000);
    await expect(late).rejects.toMatchObject({
      reason: "UNAVAILABLE",
      message: "the agent behind the gateway has not answered within 2 s",
    });
  });

  it("passes on why the work ended where the client left first, before or meanwhile", async () => {
    const clock = createManualClock();
    const client = new AbortController();
    const left = untilLate({ clock, timeoutMs: 2000 }, client.signal, hanging);
    client.abort();
    clock.advance(2000);
    await expect(left).rejects.toThrow("ended");
    await expect(untilLate({ clock, timeoutMs: 2000 }, client.signal, hanging)).rejects.toThrow("ended");
  });

  it("is over when the work is done: what goes on after it is not ended", async () => {
    const clock = createManualClock();
    const working = new AbortController();
    expect(await withTimeLimit({ clock, timeoutMs: 2000 }, working, () => Promise.resolve("open"))).toBe(
      "open",
    );
    clock.advance(5000);
    expect(working.signal.aborted).toBe(false);
  });
});
