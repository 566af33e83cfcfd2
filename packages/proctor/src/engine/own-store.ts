// What an engine needs of a store that its own process has, whole: for any run, including those without an owner.
import type { BlobStore } from "../core/ports/blob-store.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { Store } from "../core/ports/store.ts";
import { runBlobs } from "../core/run-blobs.ts";
import type { EngineOptions } from "./engine.ts";
import { createSweeper } from "./sweeper.ts";
import { createTreeLimits } from "./tree-limits.ts";

export function ownStore(deps: {
  store: Store;
  blobs: BlobStore;
  clock: Clock;
  report: (problem: unknown, runId: string) => void;
  /** Called when a run waits for a worker again. */
  onQueued: () => void;
}): Pick<EngineOptions, "partsOf" | "watch" | "trees" | "sweeper"> {
  const { store } = deps;
  const parts = { store, blobs: runBlobs(deps.blobs, store) };
  return {
    partsOf: () => parts,
    watch: (listener) => store.watch(listener),
    trees: createTreeLimits(deps),
    sweeper: createSweeper(deps),
  };
}
