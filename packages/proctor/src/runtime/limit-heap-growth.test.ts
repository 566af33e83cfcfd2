import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { moduleLiteral, scriptArgs } from "../../test/support/source-script.ts";

/** Keeps 600,000 objects, lets garbage grow old beside them, and prints how many times of what lives the heap had at its largest. */
const PROGRAM = `
import { getHeapStatistics } from "node:v8";
import { limitHeapGrowth } from ${moduleLiteral("./limit-heap-growth.ts", import.meta.url)};
limitHeapGrowth();
const kept = Array.from({ length: 600_000 }, (_, index) => ({ index, list: [index, index + 1, index + 2] }));
const aging = Array.from({ length: 60_000 }, (_, index) => new Array(16).fill(index));
gc();
const lives = getHeapStatistics().used_heap_size;
let most = 0;
for (let round = 0; round < 80; round++) {
  for (let index = 0; index < aging.length; index++) aging[index] = new Array(16).fill(index);
  await new Promise((resolve) => setImmediate(resolve));
  most = Math.max(most, getHeapStatistics().used_heap_size);
}
console.log(kept.length > 0 && most / lives);
`;

it("a heap that is limited in its growth is searched for garbage before there is much more of it than what lives", () => {
  // The most memory that V8 plans with: then it lets the heap grow to four times what lives.
  const args = ["--expose-gc", "--max-old-space-size=4096", ...scriptArgs(PROGRAM)];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect(stderr).toBe("");
  expect(Number(stdout)).toBeLessThan(2.75);
});
