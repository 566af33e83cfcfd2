import { describe, expect, it } from "vitest";
import { LazyAbortController } from "./lazy-abort-controller.ts";

describe("an abort controller whose signal is made late", () => {
  it("aborts a signal that was looked at before, once and with the first reason", () => {
    const controller = new LazyAbortController();
    const { signal } = controller;
    const heard: unknown[] = [];
    signal.addEventListener("abort", () => heard.push(signal.reason));
    expect([controller.aborted, signal.aborted]).toEqual([false, false]);
    controller.abort("first");
    controller.abort("second");
    expect([controller.aborted, signal.aborted, heard]).toEqual([true, true, ["first"]]);
    expect(controller.signal).toBe(signal);
  });

  it("has an aborted signal for who looks at it afterwards, for the reason that Node gives", () => {
    const controller = new LazyAbortController();
    controller.abort();
    expect(controller.signal.aborted).toBe(true);
    const usual = AbortSignal.abort().reason as DOMException;
    expect(controller.signal.reason).toMatchObject({ name: usual.name, message: usual.message });
  });
});
