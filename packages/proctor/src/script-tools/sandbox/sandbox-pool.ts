// Sandboxes that wait for the next script: started when one is needed, kept for a while, replaced when a script broke one. None keeps the
// program alive.
import { availableParallelism } from "node:os";
import { ProctorError } from "../../core/errors.ts";
import { createTurns } from "../take-turns.ts";
import { openSandboxWorker } from "./sandbox-worker.ts";
import type { SandboxAnswer, SandboxJob, SandboxWorker } from "./sandbox-worker.ts";

export interface Sandbox {
  /** Never rejects for anything the script does. Throws RATE_LIMITED when too many wait, and the signal's reason. */
  run(job: SandboxJob, timeMs: number, signal: AbortSignal): Promise<SandboxAnswer>;
  close(): Promise<void>;
}

/** Threads at once: more than processors, so that a script which uses all of its time does not hold up the others. */
const AT_ONCE = Math.max(4, availableParallelism());
const MAX_WAITING = 1000;
const IDLE_MS = 30_000;

export function createSandboxPool(): Sandbox {
  const turns = createTurns(AT_ONCE, MAX_WAITING);
  const idle = new Map<SandboxWorker, NodeJS.Timeout>();
  const busy = new Set<SandboxWorker>();
  let closed = false;

  function take(): SandboxWorker {
    for (const [worker, timer] of [...idle].toReversed()) {
      clearTimeout(timer);
      idle.delete(worker);
      if (worker.usable()) return worker;
    }
    return openSandboxWorker();
  }

  function give(worker: SandboxWorker): void {
    if (!worker.usable()) return;
    const timer = setTimeout(() => {
      idle.delete(worker);
      void worker.close();
    }, IDLE_MS);
    idle.set(worker, timer.unref());
  }

  function refuseClosed(): void {
    if (closed) throw new ProctorError("SHUTTING_DOWN", "the hub is stopping");
  }

  async function run(job: SandboxJob, timeMs: number, signal: AbortSignal): Promise<SandboxAnswer> {
    refuseClosed();
    const worker = take();
    busy.add(worker);
    try {
      const answer = await worker.run(job, timeMs, signal);
      // Without this, the answer would only say that the sandbox is gone.
      refuseClosed();
      return answer;
    } finally {
      busy.delete(worker);
      give(worker);
    }
  }

  return {
    run: (job, timeMs, signal) => turns.take(() => run(job, timeMs, signal), signal),
    async close() {
      closed = true;
      for (const timer of idle.values()) clearTimeout(timer);
      await Promise.all([...idle.keys(), ...busy].map((worker) => worker.close()));
      idle.clear();
    },
  };
}
