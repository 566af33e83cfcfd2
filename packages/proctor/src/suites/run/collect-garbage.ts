// Keeps the memory of a long suite small. V8 lets garbage pile up to hundreds of megabytes before it looks at the old part of its
// heap: right for a server, wrong for a command that runs beside the agents it tests.
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const MB = 1024 * 1024;
/** Heap size below which nothing is collected. */
const FREE_BYTES = 96 * MB;
/** Growth since the last collection that makes another worth its cost. */
const GROWTH_BYTES = 56 * MB;

/** Collects when the heap has grown enough since the last call that did. */
export function createGarbageCollector(): () => void {
  let limit = FREE_BYTES;
  let collect: (() => void) | undefined;
  return () => {
    if (getHeapStatistics().used_heap_size < limit) return;
    collect ??= findCollector();
    collect();
    const kept = getHeapStatistics().used_heap_size;
    limit = Math.max(FREE_BYTES, kept + Math.max(GROWTH_BYTES, kept * 0.75));
  };
}

/** What `node --expose-gc` gives a program, without a flag on its command line. */
function findCollector(): () => void {
  setFlagsFromString("--expose-gc");
  const found: unknown = runInNewContext("gc");
  setFlagsFromString("--no-expose-gc");
  return typeof found === "function" ? () => void found() : () => undefined;
}
