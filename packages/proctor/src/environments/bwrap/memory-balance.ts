// Files of an environment are held in memory, and the kernel counts them as memory of whoever wrote them. So the limit of its memory
// is raised by what its files take, a few times a second, and lowered when they are gone.
import { statfsSync } from "node:fs";

interface Balanced {
  /** A path on the file system that holds the files. */
  files: string;
  memoryBytes: number;
  setMemory: (bytes: number) => void;
}

const EACH_MS = 200;
/** Less is not worth a call. */
const STEP_BYTES = 1024 * 1024;

const balanced = new Map<Balanced, number>();
let timer: NodeJS.Timeout | undefined;

/** Returns what ends it. */
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
      // It is being destroyed, or what it holds does not let the limit fall yet: the next look will tell.
    }
  }
}
