// The dashboard in a real browser: the bytes, requests, rows and CPU time of its pages, for a long log, a long list and a busy hub. Other
// work on the machine does not change these numbers.
import { readFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import { launchChromium } from "../packages/proctor/test/browser/chromium.ts";
import { FIRST_LOAD_BYTES, PAGE_BYTES, type Weights } from "../scripts/dashboard-budget.ts";
import { traced } from "./browser-cpu.ts";
import { watchedHub } from "./dashboard-hub.ts";
import { longList } from "./dashboard-list.ts";
import { busyRun } from "./dashboard-run.ts";
import { ended, submit } from "./submit.ts";
import { share, type Result } from "./measure.ts";
import { FIXTURES, startHub } from "./processes.ts";

const EVENTS = 100_000;
const MOST_ROWS = 200;
const FLAME_MS = 300;

export async function bench(): Promise<Result[]> {
  const browser = await launchChromium();
  if (typeof browser === "string") throw new Error(browser);
  try {
    const log = await longLog(browser);
    return [
      ...weights(),
      ...log,
      ...(await longList(browser)),
      ...(await busyRun(browser)),
      ...(await watchedHub(browser)),
    ];
  } finally {
    await browser.close();
  }
}

function weights(): Result[] {
  const file = new URL("../packages/proctor/dist/dashboard/weights.json", import.meta.url);
  const { first, pages } = JSON.parse(readFileSync(file, "utf8")) as Weights;
  return [
    share("dashboard-first-load", "bytes of script and style with gzip / budget", first, FIRST_LOAD_BYTES),
    share(
      "dashboard-page",
      "bytes of the heaviest page / budget",
      Math.max(...Object.values(pages)),
      PAGE_BYTES,
      pages,
    ),
  ];
}

/** Opens a log of 100,000 events. */
async function longLog(browser: Browser): Promise<Result[]> {
  const hub = await startHub({ concurrency: 1 });
  try {
    const url = `http://127.0.0.1:${hub.port}`;
    const id = await submit(url, `atp+stdio:${process.execPath} ${FIXTURES}shows.mjs`, `many ${EVENTS}`);
    await ended(url, id);
    const page = await browser.newPage();
    const sizes: Promise<number>[] = [];
    page.on("response", (response) => {
      if (!new URL(response.url()).pathname.startsWith(`/runs/${id}`)) return;
      sizes.push(response.body().then((body) => body.length));
    });
    await page.goto(`${url}/ui/runs/${id}`);
    await page.locator(".story-answer").waitFor();
    const opened = await Promise.all(sizes);
    const flame = await traced(browser, page, async () => {
      await page.locator('a[href*="tab=timeline"]').click();
      await page.locator('a[href*="view=time"]').click();
      await page.locator(".flame-box").first().waitFor();
      // This button appears when the page has read everything that it reads by itself.
      await page.locator(".read-more button").waitFor();
    });
    await page.goto(`${url}/ui/runs/${id}?tab=log`);
    await page.locator(".event").first().waitFor();
    const rows = await page.locator(".event").count();
    await page.close();
    const total = opened.reduce((sum, size) => sum + size, 0);
    return [
      share("dashboard-log-requests", `requests to open a run of ${EVENTS} events / 3`, opened.length, 3),
      share("dashboard-log-bytes", `bytes to open a run of ${EVENTS} events / 1 MB`, total, 1_000_000),
      share("dashboard-log-rows", `rows of a log of ${EVENTS} events / ${MOST_ROWS}`, rows, MOST_ROWS),
      share(
        "dashboard-flame",
        `CPU ms of the main thread to show the flame of a run of ${EVENTS} events / ${FLAME_MS}`,
        flame.totalMs,
        FLAME_MS,
        { "longest task ms": flame.longestMs },
      ),
    ];
  } finally {
    await hub.stop();
  }
}
