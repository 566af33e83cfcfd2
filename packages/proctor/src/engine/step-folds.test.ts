import { expect, it } from "vitest";
import { NOW, newRun } from "../../test/support/stores/fixtures.ts";
import type { EventRecord, Store } from "../core/ports/store.ts";
import { createStepFolds } from "./step-folds.ts";

it("the cache of steps folds a long log a page at a time, with a turn for others between them", async () => {
  const [created] = newRun().events;
  const record = (sequence: number): EventRecord => ({
    run_id: "r",
    sequence,
    timestamp: NOW,
    type: sequence === 0 ? "run.created" : "log",
    payload: sequence === 0 ? (created?.payload ?? "") : '{"stream":"stdout","text":"x"}',
    origin: null,
  });
  const pages: number[] = [];
  let turns = 0;
  const store: Pick<Store, "readEvents"> = {
    async readEvents(_runId, after, limit) {
      pages.push(turns);
      const count = Math.min(limit, 20_000 - after - 1);
      return Array.from({ length: count }, (_, index) => record(after + 1 + index));
    },
  };
  let done = false;
  setImmediate(function turn() {
    turns++;
    if (!done) setImmediate(turn);
  });
  const { sequence } = await createStepFolds(store as Store).read("r");
  done = true;
  expect(sequence).toBe(19_999);
  expect(pages.length).toBeGreaterThan(20);
  expect(new Set(pages).size).toBe(pages.length);
});
