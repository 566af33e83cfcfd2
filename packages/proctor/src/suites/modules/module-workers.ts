// Workers that wait for the next call of their module, so that a suite of many runs does not load it for each. A changed
// module gets new ones; those that nobody calls any more are closed, and none keeps the program alive.
import { stat } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { openModuleWorker } from "./module-worker.ts";
import type { ModuleAnswer, ModuleCall, ModuleWorker } from "./module-worker.ts";

const IDLE_MS = 5000;

const idle = new Map<string, { worker: ModuleWorker; timer: NodeJS.Timeout }[]>();

/** Throws when there is no such file, and when the call does not end by itself. */
export async function callModule(path: string, call: ModuleCall): Promise<ModuleAnswer> {
  const stats = await stat(path);
  if (!stats.isFile()) throw new Error("it is no file");
  const key = JSON.stringify([path, stats.mtimeMs, stats.size]);
  const worker = take(key) ?? openModuleWorker(pathToFileURL(path).href);
  try {
    return await worker.call(call);
  } finally {
    if (worker.usable()) give(key, worker);
  }
}

function take(key: string): ModuleWorker | undefined {
  for (let found = idle.get(key)?.pop(); found; found = idle.get(key)?.pop()) {
    clearTimeout(found.timer);
    if (found.worker.usable()) return found.worker;
  }
  return undefined;
}

function give(key: string, worker: ModuleWorker): void {
  const waiting = idle.get(key) ?? [];
  idle.set(key, waiting);
  const timer = setTimeout(() => {
    const index = waiting.findIndex((entry) => entry.worker === worker);
    if (index !== -1) waiting.splice(index, 1);
    if (waiting.length === 0 && idle.get(key) === waiting) idle.delete(key);
    void worker.close();
  }, IDLE_MS);
  waiting.push({ worker, timer: timer.unref() });
}
