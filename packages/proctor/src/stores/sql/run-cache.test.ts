import { expect, it } from "vitest";
import { createRunCache } from "./run-cache.ts";
import type { RunRecord } from "./run-record.ts";

function record(weight: number): RunRecord {
  const spec = { protocol: "atp", transport: "stdio" };
  // The cache looks at the weight and at nothing else.
  return { state: {} as RunRecord["state"], spec, nextSequence: 0, fence: 0, worker: null, weight };
}

it("the cache of runs lets go of the runs written longest ago when it holds too much", () => {
  const cache = createRunCache(100);
  cache.set("a", record(40));
  cache.set("b", record(40));
  cache.set("a", record(41));
  cache.set("c", record(40));
  expect(["a", "b", "c"].filter((id) => cache.get(id))).toEqual(["a", "c"]);
  cache.set("huge", record(1000));
  expect(["a", "b", "c", "huge"].filter((id) => cache.get(id))).toEqual(["huge"]);
  cache.set("d", record(1));
  expect(["huge", "d"].filter((id) => cache.get(id))).toEqual(["d"]);
});

it("the cache of runs holds as many as a hub may have in flight", () => {
  const cache = createRunCache();
  const ids = Array.from({ length: 10_000 }, (_, index) => `r${index}`);
  for (const id of ids) cache.set(id, record(0));
  expect(ids.every((id) => cache.get(id))).toBe(true);
});

it("the cache of runs holds a bounded number of runs, and none once cleared", () => {
  const cache = createRunCache(1, 256);
  const ids = Array.from({ length: 300 }, (_, index) => `r${index}`);
  for (const id of ids) cache.set(id, record(0));
  expect(ids.filter((id) => cache.get(id))).toEqual(ids.slice(44));
  cache.remove("r299");
  expect(cache.get("r299")).toBeUndefined();
  cache.clear();
  expect(ids.filter((id) => cache.get(id))).toEqual([]);
});
