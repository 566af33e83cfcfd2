// Files of an environment are held in memory, and the kernel counts them as memory of whoever wrote them. So the limit of its memory
// is raised by what its files take, a few times a second, and lowered when they are gone.
import { statfsSync } from "node:fs";

interface Balanced {
  /** A path on the file system of the environment's files. */
  files: string;
  memoryBytes: number;
  setMemory: (bytes: number) => void;
}

const EACH_MS = 200;
/** Bytes by which the limit has to change to be set again. */
const STEP_BYTES = 1024 * 1024;

const balanced = new Map<Balanced, number>();
let timer: NodeJS.Timeout | undefined;

/** Starts balancing and returns the function that ends it. */
export function balanceMemory(one: Balanced): () => void {
  balanced.set(one, 0);
  timer ??= setInterval(balance, EACH_MS).unref();
  return () => {
    balanced.delete(one);
    if (balanced.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function balance(): void {
  for (const [one, before] of balanced) {
    try {
      const { blocks, bfree, bsize } = statfsSync(one.files);
      const used = (blocks - bfree) * bsize;
      if (Math.abs(used - before) < STEP_BYTES) continue;
      one.setMemory(one.memoryBytes + used);
      balanced.set(one, used);
    } catch {
      // The group is being removed, or its use does not let the limit fall yet; the next check tries again.
    }
  }
}
