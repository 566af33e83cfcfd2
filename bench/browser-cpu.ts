// What a page costs the main thread of its browser, in CPU time: other work on the machine lengthens wall time, but not CPU time.
import type { Browser, Page } from "playwright-core";

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Microseconds of CPU time that the thread used. */
  tdur?: number;
  args?: { name?: string };
}

export interface MainThread {
  /** CPU milliseconds of the most expensive task. */
  longestMs: number;
  /** CPU milliseconds of all tasks. */
  totalMs: number;
}

/** Measures the tasks of the page's main thread during `work`. */
export async function traced(
  browser: Browser,
  page: Page,
  work: () => Promise<unknown>,
): Promise<MainThread> {
  await browser.startTracing(page, { categories: ["toplevel", "devtools.timeline", "__metadata"] });
  try {
    await work();
  } catch (error) {
    await browser.stopTracing();
    throw error;
  }
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[];
  };
  const mains = new Set(
    traceEvents
      .filter(({ ph, name, args }) => ph === "M" && name === "thread_name" && args?.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = traceEvents
    .filter(({ name, pid, tid }) => name.endsWith("RunTask") && mains.has(`${pid} ${tid}`))
    .map(({ tdur = 0 }) => tdur / 1000);
  if (!tasks.some((used) => used > 0)) throw new Error("the trace has no task with its CPU time");
  return { longestMs: Math.max(...tasks), totalMs: tasks.reduce((sum, used) => sum + used, 0) };
}
