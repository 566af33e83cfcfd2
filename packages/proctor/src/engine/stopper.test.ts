import { describe, expect, it } from "vitest";
import { createManualClock } from "../../test/support/manual-clock.ts";
import { failure } from "../core/failure.ts";
import { createStopper, type StopCause } from "./stopper.ts";

const timeout: StopCause = { status: "timeout", failure: failure("TIMEOUT", "late") };
const cancelled: StopCause = { status: "cancelled", failure: failure("CANCELLED", "enough") };

describe("the one deadline (invariant 4)", () => {
  it("asks at the deadline, insists after the grace, and finally gives up waiting", async () => {
    const { clock, stopper, seen } = setUp();
    clock.advance(999);
    expect(seen()).toEqual([]);
    clock.advance(1);
    expect(seen()).toEqual(["cancel"]);
    expect(stopper.cause).toBe(timeout);
    clock.advance(500);
    expect(seen()).toEqual(["cancel", "kill"]);
    clock.advance(10_000);
    await stopper.abandoned;
  });

  it("keeps the first cause", () => {
    const { clock, stopper } = setUp();
    stopper.stop(cancelled);
    clock.advance(5000);
    expect(stopper.cause).toBe(cancelled);
  });

  it("insists at once when it is asked to, even during the grace", () => {
    const { stopper, seen } = setUp();
    stopper.stop(cancelled);
    stopper.stop(timeout, 0);
    expect(seen()).toEqual(["cancel", "kill"]);
    expect(stopper.cause).toBe(cancelled);
  });

  it("stands still while the run is paused", () => {
    const { clock, stopper, seen } = setUp();
    clock.advance(600);
    stopper.pause();
    clock.advance(100_000);
    stopper.resume();
    clock.advance(399);
    expect(seen()).toEqual([]);
    clock.advance(1);
    expect(seen()).toEqual(["cancel"]);
  });

  it("leaves no timer behind when it is closed", () => {
    const { clock, stopper } = setUp();
    stopper.stop(cancelled);
    stopper.close();
    expect(clock.waiting).toBe(0);
  });

  it("leaves no timer behind when it is stopped or resumed after the end, while a workspace is removed", () => {
    const { clock, stopper, seen } = setUp();
    stopper.pause();
    stopper.close();
    stopper.stop(cancelled, 1);
    stopper.resume();
    expect(clock.waiting).toBe(0);
    expect(seen()).toEqual([]);
  });
});

function setUp() {
  const clock = createManualClock();
  const stopper = createStopper({ clock, timeoutMs: 1000, graceMs: 500, onTimeout: () => timeout });
  const { cancel, kill } = stopper.signals;
  const seen = () => [...(cancel.aborted ? ["cancel"] : []), ...(kill.aborted ? ["kill"] : [])];
  return { clock, stopper, seen };
}
