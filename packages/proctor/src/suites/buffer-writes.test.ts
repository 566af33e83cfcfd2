import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { bufferWrites } from "./buffer-writes.ts";

test("buffered writes of one turn are written together, in order, at the end of the turn", async () => {
  const calls: string[] = [];
  const { write } = bufferWrites((text) => void calls.push(text));
  for (const text of ["a", "b", "c"]) write(text);
  expect(calls).toEqual([]);
  await turn();
  expect(calls).toEqual(["abc"]);
});

test("buffered writes do not wait once there is much of them, nor when they are flushed", () => {
  const calls: string[] = [];
  const { write, flush } = bufferWrites((text) => void calls.push(text));
  write("x".repeat(100_000));
  write("y");
  flush();
  flush();
  expect(calls.map(({ length }) => length)).toEqual([100_000, 1]);
});

test("buffered writes report what could not be written to the next writer, and at the end", async () => {
  const { write, flush } = bufferWrites(() => {
    throw new Error("disk full");
  });
  write("a");
  await turn();
  expect(() => write("b")).toThrow("disk full");
  expect(flush).toThrow("disk full");
});
