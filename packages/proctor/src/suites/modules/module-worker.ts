// A worker that runs the checks of one module, one call at a time. Only a thread of its own can be stopped while it is busy.
import { Worker } from "node:worker_threads";

export interface ModuleCall {
  /** The subject, which is data only. */
  subject: object;
  /** The name of the export to call. */
  name: string;
  timeoutMs: number;
  readArtifact: (id: string) => Promise<Uint8Array>;
  signal: AbortSignal;
}

/** The value that the function returned or the error that it threw, and what it wrote to the console. */
export type ModuleAnswer =
  | { threw?: undefined; value: unknown; output: string }
  | { threw: string; output: string };

export interface ModuleWorker {
  /** Throws at the time limit, and when the worker ends. The worker cannot be used after that. */
  call(call: ModuleCall): Promise<ModuleAnswer>;
  usable(): boolean;
  close(): Promise<void>;
}

type FromWorker =
  | { kind: "read"; id: number; artifact: string }
  | { kind: "done"; value: unknown; output: string }
  | { kind: "failed"; message: string; output: string };

const PROGRAM = new URL("./worker-program.js", import.meta.url);
const MAX_OUTPUT_CHARS = 64 * 1024;
/** A worker that grows beyond this is ended; one that does so in a single allocation of many megabytes ends the program. */
const MAX_HEAP_MB = 1024;

export function openModuleWorker(url: string, maxHeapMb = MAX_HEAP_MB): ModuleWorker {
  const worker = new Worker(PROGRAM, {
    workerData: { url, maxOutputChars: MAX_OUTPUT_CHARS },
    // Our flags (a loader, say) are not for it.
    execArgv: [],
    // Its streams are not ours, and nothing of them is ever read.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
  let usable = true;
  const send = (message: object): void => {
    // A thread has no origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    worker.postMessage(message);
  };
  // A caller gets the error of its call; without a call there is no one to report to.
  worker.on("error", () => (usable = false));
  worker.on("exit", () => (usable = false));

  function call({ subject, name, timeoutMs, readArtifact, signal }: ModuleCall): Promise<ModuleAnswer> {
    worker.ref();
    return new Promise<ModuleAnswer>((resolve, reject) => {
      const stop = (reason: string): void => {
        usable = false;
        void worker.terminate();
        finish(() => reject(new Error(reason)));
      };
      const timer = setTimeout(() => stop(`it did not end within ${timeoutMs / 1000} s`), timeoutMs);
      const onAbort = (): void => stop("interrupted");
      const onError = (error: unknown): void => finish(() => reject(asError(error)));
      const onExit = (): void => stop("it ended the thread that it ran in");
      // The program is ours; the caller checks what the check returned.
      const onMessage = (message: FromWorker): void => {
        if (message.kind === "read") void serve(message, readArtifact);
        else if (message.kind === "done")
          finish(() => resolve({ value: message.value, output: message.output }));
        else finish(() => resolve({ threw: message.message, output: message.output }));
      };
      function finish(settle: () => void): void {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
        worker.off("message", onMessage).off("error", onError).off("exit", onExit);
        worker.unref();
        settle();
      }
      worker.on("message", onMessage).on("error", onError).on("exit", onExit);
      if (signal.aborted) onAbort();
      else signal.addEventListener("abort", onAbort, { once: true });
      send({ kind: "call", subject, name });
    });
  }

  async function serve(
    { id, artifact }: { id: number; artifact: string },
    readArtifact: ModuleCall["readArtifact"],
  ): Promise<void> {
    try {
      send({ kind: "content", id, bytes: await readArtifact(artifact) });
    } catch (error) {
      send({ kind: "content", id, error: asError(error).message });
    }
  }

  return {
    call,
    usable: () => usable,
    close: async () => void (await worker.terminate()),
  };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
