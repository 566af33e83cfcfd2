import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { firstWords } from "./first-words.ts";

it("the first words of a program are its beginning, without blanks around it", async () => {
  expect(await firstWords(Readable.from([Buffer.from(" no such "), Buffer.from("file\n")]))).toBe(
    "no such file",
  );
  expect(await firstWords(Readable.from([]))).toBe("");
});

it("the first words of a program are bounded, and the rest is still read", async () => {
  let pieces = 0;
  async function* flood(): AsyncGenerator<Buffer> {
    for (; pieces < 1000; pieces++) yield Buffer.alloc(999, "x");
  }
  expect(await firstWords(Readable.from(flood()))).toHaveLength(1000);
  expect(pieces).toBe(1000);
});
