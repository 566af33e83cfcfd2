// A thread with a sandbox, for one script at a time. A script that used up its CPU time is asked to stop, which QuickJS does between two
// steps; where one step takes too long, the thread is ended.
import { Worker } from "node:worker_threads";
import type { ScriptFailure } from "../../core/script-tool.ts";
import { cpuMsOfThread } from "../../runtime/thread-cpu.ts";

export interface SandboxJob {
  source: string;
  /** The input as JSON. Without it the script is loaded and not called. */
  input?: string;
  memoryBytes: number;
  outputBytes: number;
}

export type SandboxAnswer = (
  | { ok: true; output: string }
  | {
      ok: false;
      code: ScriptFailure;
      /** The message of the failure; empty where the code says enough. */
      message: string;
    }
) & {
  log: string[];
  /** Size in bytes of the memory that the sandbox has grown to. */
  heapBytes: number;
  /** True when the sandbox cannot be used again. */
  broken?: true;
};

export interface SandboxWorker {
  /** Never rejects for anything the script does. Rejects with the signal's reason when that stops it. */
  run(job: SandboxJob, timeMs: number, signal: AbortSignal): Promise<SandboxAnswer>;
  usable(): boolean;
  close(): Promise<void>;
}

const PROGRAM = new URL("./sandbox-program.js", import.meta.url);
/** Megabytes of the thread's stack, which holds the stack of QuickJS and needs several times its size. */
const STACK_MB = 16;
/** Megabytes of the thread's own heap, which holds little: inputs, outputs and logs. */
const HEAP_MB = 256;
/** CPU milliseconds for a script to notice that its time is up. */
const GRACE_MS = 250;
const SHORTEST_WAIT_MS = 10;
/** Bytes above which a sandbox is replaced, because it never gives memory back. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;

const GONE: SandboxAnswer = {
  ok: false,
  code: "SCRIPT_FAILED",
  message: "the script broke its sandbox, which was replaced",
  log: [],
  heapBytes: 0,
  broken: true,
};
const STUCK: SandboxAnswer = { ...GONE, code: "TOO_SLOW", message: "" };

export function openSandboxWorker(): SandboxWorker {
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(PROGRAM, {
    workerData: { stop },
    // The thread gets none of this process's flags (such as a loader) and variables.
    execArgv: [],
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { stackSizeMb: STACK_MB, maxOldGenerationSizeMb: HEAP_MB },
  });
  let usable = true;
  const fail = (): void => void (usable = false);
  worker.on("error", fail).on("exit", fail);
  // The first message says that the sandbox is loaded, and by which number the system knows the thread.
  const ready = new Promise<number | undefined>((resolve) => {
    worker.once("message", ({ thread }: { thread?: number }) => resolve(thread));
    worker.once("exit", () => resolve(undefined));
  });

  async function run(job: SandboxJob, timeMs: number, signal: AbortSignal): Promise<SandboxAnswer> {
    worker.ref();
    try {
      const thread = await ready;
      signal.throwIfAborted();
      if (!usable) return GONE;
      return await answerOf(job, { thread, timeMs, signal });
    } finally {
      worker.unref();
    }
  }

  function answerOf(
    job: SandboxJob,
    { thread, timeMs, signal }: { thread: number | undefined; timeMs: number; signal: AbortSignal },
  ): Promise<SandboxAnswer> {
    Atomics.store(stop, 0, 0);
    const startedAt = cpuMsOfThread(thread);
    return new Promise((resolve, reject) => {
      // CPU time never runs faster than the clock, so no earlier check is needed.
      let timer = setTimeout(look, timeMs);
      function look(): void {
        const usedMs = cpuMsOfThread(thread) - startedAt;
        if (usedMs >= timeMs + GRACE_MS) return end(() => resolve(STUCK));
        if (usedMs >= timeMs) Atomics.store(stop, 0, 1);
        const leftMs = (usedMs >= timeMs ? timeMs + GRACE_MS : timeMs) - usedMs;
        timer = setTimeout(look, Math.max(SHORTEST_WAIT_MS, leftMs));
      }
      const onAbort = (): void => end(() => reject(asError(signal.reason)));
      const onExit = (): void => end(() => resolve(GONE));
      const onMessage = (answer: SandboxAnswer): void => {
        if (answer.broken === true || answer.heapBytes > MAX_KEPT_BYTES) return end(() => resolve(answer));
        finish();
        resolve(answer);
      };
      function end(settle: () => void): void {
        usable = false;
        finish();
        void worker.terminate().then(settle);
      }
      function finish(): void {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
        worker.off("message", onMessage).off("exit", onExit);
      }
      worker.on("message", onMessage).on("exit", onExit);
      signal.addEventListener("abort", onAbort, { once: true });
      // A thread has no origin.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      worker.postMessage(job);
    });
  }

  return { run, usable: () => usable, close: async () => void (await worker.terminate()) };
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
