import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { bufferWrites } from "./buffer-writes.ts";

test("what is written in one turn is written at once, in order, at the turn's end", async () => {
  const calls: string[] = [];
  const { write } = bufferWrites((text) => void calls.push(text));
  for (const text of ["a", "b", "c"]) write(text);
  expect(calls).toEqual([]);
  await turn();
  expect(calls).toEqual(["abc"]);
});

test("much is not waited for, and what waits is written when it is asked for", () => {
  const calls: string[] = [];
  const { write, flush } = bufferWrites((text) => void calls.push(text));
  write("x".repeat(100_000));
  write("y");
  flush();
  flush();
  expect(calls.map(({ length }) => length)).toEqual([100_000, 1]);
});

test("what could not be written is said to whoever writes next, and at the end", async () => {
  const { write, flush } = bufferWrites(() => {
    throw new Error("disk full");
  });
  write("a");
  await turn();
  expect(() => write("b")).toThrow("disk full");
  expect(flush).toThrow("disk full");
});
