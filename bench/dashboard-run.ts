// The page of a run that reports 200 times per second: what its longest task costs, in its story and in its log.
import type { Browser, Page } from "playwright-core";
import { traced } from "./browser-cpu.ts";
import { share, type Result } from "./measure.ts";
import { startBare, startHub } from "./processes.ts";
import { ended, submit } from "./submit.ts";

const EVENTS = 1000;
const EVERY_MS = 5;
const LONGEST_TASK_MS = 50;

export async function busyRun(browser: Browser): Promise<Result[]> {
  const hub = await startHub({ concurrency: 2 });
  // The agent begins when it has two tasks.
  const agent = await startBare("ticking-agent.mjs", ["2", String(EVENTS), String(EVERY_MS)]);
  const url = `http://127.0.0.1:${hub.port}`;
  const address = `atp+http://127.0.0.1:${agent.port}`;
  try {
    const results: Result[] = [];
    for (const tab of ["story", "messages", "log", "timeline"]) {
      const id = await submit(url, address, `watched in its ${tab}`);
      const page = await browser.newPage();
      await page.goto(`${url}/ui/runs/${id}?tab=${tab}`);
      await page.locator(".tabs [aria-current]").first().waitFor();
      await page.evaluate(COUNT_LONG_TASKS);
      const used = await traced(browser, page, async () => {
        await submit(url, address, "the other one");
        await ended(url, id);
      });
      const long = await longTasks(page);
      await page.close();
      results.push(
        share(
          `dashboard-${tab}-task`,
          `CPU ms of the longest task while ${1000 / EVERY_MS} events/s arrive / ${LONGEST_TASK_MS}`,
          used.longestMs,
          LONGEST_TASK_MS,
          { "all tasks ms": used.totalMs, "tasks over 50 ms of wall time": long },
        ),
      );
    }
    return results;
  } finally {
    await agent.stop();
    await hub.stop();
  }
}

const COUNT_LONG_TASKS = `(() => {
  window.longTasks = 0;
  new PerformanceObserver((list) => (window.longTasks += list.getEntries().length)).observe({ entryTypes: ["longtask"] });
})()`;

function longTasks(page: Page): Promise<number> {
  return page.evaluate<number>("window.longTasks");
}
