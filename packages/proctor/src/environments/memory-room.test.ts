import { describe, expect, it } from "vitest";
import { createMemoryRoom } from "./memory-room.ts";

const never = new AbortController().signal;

/** Whether it has been let in by now. */
async function isIn(taking: Promise<unknown>): Promise<boolean> {
  const waits = Symbol();
  return (await Promise.race([taking, new Promise((resolve) => setImmediate(resolve, waits))])) !== waits;
}

describe("room in memory", () => {
  it("is given while there is some, and then as others leave, in order", async () => {
    const room = createMemoryRoom(100);
    const first = await room.take(60, never);
    const second = room.take(60, never);
    const third = room.take(10, never);
    expect([await isIn(second), await isIn(third)]).toEqual([false, false]);
    first();
    first();
    expect([await isIn(second), await isIn(third)]).toEqual([true, true]);
    expect(await isIn(room.take(40, never))).toBe(false);
  });

  it("is given to one that wants more than there is when nobody else is there", async () => {
    const room = createMemoryRoom(100);
    const large = await room.take(500, never);
    const small = room.take(1, never);
    expect(await isIn(small)).toBe(false);
    large();
    expect(await isIn(small)).toBe(true);
  });

  it("is waited for until the caller aborts, and an aborted request holds up no other", async () => {
    const room = createMemoryRoom(100);
    const first = await room.take(50, never);
    const abort = new AbortController();
    const second = room.take(80, abort.signal);
    const third = room.take(50, never);
    expect(await isIn(third)).toBe(false);
    abort.abort(new Error("stopped"));
    await expect(second).rejects.toThrow("stopped");
    expect(await isIn(third)).toBe(true);
    await expect(room.take(1, abort.signal)).rejects.toThrow("stopped");
    first();
  });
});
