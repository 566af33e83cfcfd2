// The list of 100,000 runs: how many requests the first rows take, how many rows are in the document while it is scrolled to the end and
// back, and what it costs to keep the whole list current.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import { traced } from "./browser-cpu.ts";
import { fillTasks } from "./fill-tasks.ts";
import { share, type Result } from "./measure.ts";
import { startBare, startHub } from "./processes.ts";
import { submit } from "./submit.ts";

const RUNS = 100_000;
const MOST_ROWS = 200;
const LONGEST_TASK_MS = 50;
/** Runs that arrive while the list is open. Each is created, queued, started and ended, which makes 200 events per second. */
const ARRIVING = 250;
const EVERY_MS = 20;

export async function longList(browser: Browser): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), "proctor-bench-"));
  await fillTasks(folder, RUNS);
  const hub = await startHub({ concurrency: 16, folder });
  const agent = await startBare("bare-agent.mjs");
  const url = `http://127.0.0.1:${hub.port}`;
  try {
    const page = await browser.newPage();
    let asked = 0;
    page.on("request", (request) => {
      if (new URL(request.url()).pathname === "/runs") asked++;
    });
    await page.goto(`${url}/ui/runs`);
    await page.locator(".run-row[data-run]").first().waitFor();
    const first = asked;
    const most = await scroll(page);
    const live = await traced(browser, page, () => arrive(url, `atp+http://127.0.0.1:${agent.port}`));
    await page.close();
    return [
      share("dashboard-list-first", `requests for the first rows of ${RUNS} runs / 2`, first, 2),
      share("dashboard-list-rows", `rows of a list of ${RUNS} runs / ${MOST_ROWS}`, most, MOST_ROWS, {
        "requests to the end": asked,
      }),
      share(
        "dashboard-list-task",
        `CPU ms of the longest task while runs arrive in a list of ${RUNS} / ${LONGEST_TASK_MS}`,
        live.longestMs,
        LONGEST_TASK_MS,
        { "all tasks ms": live.totalMs },
      ),
    ];
  } finally {
    await agent.stop();
    await hub.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Scrolls to the end, which is read page by page, and back. Resolves with the largest number of rows in the document. */
async function scroll(page: Page): Promise<number> {
  const to = (place: string) => `(() => {
    const rows = document.querySelector(".runs-rows");
    rows.scrollTop = ${place};
    return new Promise((resolve) => requestAnimationFrame(() => resolve(document.querySelectorAll(".run-row").length)));
  })()`;
  let most = 0;
  const last = page.locator(`.virtual[data-index="${RUNS - 1}"]`);
  while ((await last.count()) === 0) {
    most = Math.max(most, await page.evaluate<number>(to("rows.scrollHeight")));
  }
  for (let place = 50; place >= 0; place--) {
    most = Math.max(most, await page.evaluate<number>(to(`rows.scrollHeight * ${place / 50}`)));
  }
  await page.locator('.virtual[data-index="0"]').waitFor();
  return most;
}

async function arrive(url: string, agent: string): Promise<void> {
  for (let number = 0; number < ARRIVING; number++) {
    await Promise.all([submit(url, agent, `arriving ${number}`), pause(EVERY_MS)]);
  }
}
