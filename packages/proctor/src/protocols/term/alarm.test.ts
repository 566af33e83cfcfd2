import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createAlarm, type Alarm } from "./alarm.ts";

let rung: number;
let alarm: Alarm;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  rung = 0;
  alarm = createAlarm("agent_response", 1000, () => rung++);
});
afterEach(() => {
  alarm.close();
  vi.useRealTimers();
});

describe("an alarm of a terminal run", () => {
  it("rings once, after its limit from the last start", () => {
    alarm.start();
    vi.advanceTimersByTime(900);
    alarm.stop();
    alarm.start();
    vi.advanceTimersByTime(900);
    expect(rung).toBe(0);
    vi.advanceTimersByTime(150);
    expect(rung).toBe(1);
    vi.advanceTimersByTime(5000);
    expect(rung).toBe(1);
  });

  it("has one timer, however often it is started", () => {
    for (let index = 0; index < 1000; index++) {
      alarm.start();
      alarm.stop();
    }
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(5000);
    expect(rung).toBe(0);
  });

  it("stands still while it is held", () => {
    alarm.start();
    vi.advanceTimersByTime(600);
    alarm.hold();
    vi.advanceTimersByTime(60_000);
    alarm.release();
    vi.advanceTimersByTime(390);
    expect(rung).toBe(0);
    vi.advanceTimersByTime(20);
    expect(rung).toBe(1);
  });

  it("leaves no timer behind", () => {
    alarm.start();
    alarm.close();
    expect(vi.getTimerCount()).toBe(0);
  });
});
