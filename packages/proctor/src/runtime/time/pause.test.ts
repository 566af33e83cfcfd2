import { describe, expect, it } from "vitest";
import type { Clock } from "../../core/ports/clock.ts";
import { pause } from "./pause.ts";

describe("A pause", () => {
  it("ends when the clock says so, and leaves no listener behind", async () => {
    const { clock, pass } = handClock();
    const signal = countedSignal();
    const over = pause(clock, 50, signal.signal);
    pass();
    await over;
    expect(signal.listeners()).toBe(0);
  });

  it("ends early with the reason of the signal, and calls its timer off", async () => {
    const { clock, waiting } = handClock();
    const controller = new AbortController();
    const over = pause(clock, 50, controller.signal);
    controller.abort(new Error("nobody waits"));
    await expect(over).rejects.toThrow("nobody waits");
    expect(waiting()).toBe(0);
  });

  it("does not begin when the signal has already fired", async () => {
    const { clock, waiting } = handClock();
    await expect(pause(clock, 50, AbortSignal.abort(new Error("too late")))).rejects.toThrow("too late");
    expect(waiting()).toBe(0);
  });
});

function handClock(): { clock: Clock; pass: () => void; waiting: () => number } {
  const timers = new Set<() => void>();
  return {
    clock: {
      now: () => 0,
      after(_delayMs, callback) {
        timers.add(callback);
        return () => timers.delete(callback);
      },
    },
    pass: () => timers.forEach((callback) => callback()),
    waiting: () => timers.size,
  };
}

function countedSignal(): { signal: AbortSignal; listeners: () => number } {
  const { signal } = new AbortController();
  let count = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>): void => {
    count += 1;
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>): void => {
    count -= 1;
    remove(...args);
  };
  return { signal, listeners: () => count };
}
