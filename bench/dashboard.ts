// The dashboard in a real browser: what its pages weigh, how often they ask, and how many rows they hold, for a long log and a long list. Counts,
// not times.
import { readFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import { launchChromium } from "../packages/proctor/test/browser/chromium.ts";
import { FIRST_LOAD_BYTES, PAGE_BYTES, type Weights } from "../scripts/dashboard-budget.ts";
import type { Result } from "./measure.ts";
import { startHub } from "./processes.ts";

const EVENTS = 100_000;
const RUNS = 3_000;
const MOST_ROWS = 200;
const AGENT = new URL("../packages/proctor/test/fixtures/agents/shows.mjs", import.meta.url).pathname;

const count = (name: string, what: string, value: number, atMost: number, details = {}): Result => ({
  name,
  what,
  value: value / atMost,
  bound: { atMost: 1 },
  unit: "ratio",
  details: { value, "at most": atMost, ...details },
});

export async function bench(): Promise<Result[]> {
  const browser = await launchChromium();
  if (typeof browser === "string") throw new Error(browser);
  const hub = await startHub({ concurrency: 1 });
  const url = `http://127.0.0.1:${hub.port}`;
  try {
    return [...weights(), ...(await longLog(browser, url)), ...(await longList(browser, url))];
  } finally {
    await browser.close();
    await hub.stop();
  }
}

function weights(): Result[] {
  const file = new URL("../packages/proctor/dist/dashboard/weights.json", import.meta.url);
  const { first, pages } = JSON.parse(readFileSync(file, "utf8")) as Weights;
  return [
    count("dashboard-first-load", "bytes of script and style with gzip / budget", first, FIRST_LOAD_BYTES),
    count(
      "dashboard-page",
      "bytes of the heaviest page / budget",
      Math.max(...Object.values(pages)),
      PAGE_BYTES,
      pages,
    ),
  ];
}

async function submit(url: string, description: string): Promise<string> {
  const response = await fetch(`${url}/runs`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ agent: `atp+stdio:${process.execPath} ${AGENT}`, task: { description } }),
  });
  return ((await response.json()) as { id: string }).id;
}

/** A log of 100,000 events is opened. */
async function longLog(browser: Browser, url: string): Promise<Result[]> {
  const id = await submit(url, `many ${EVENTS}`);
  // The stream ends with the run.
  await (
    await fetch(`${url}/runs/${id}/events?after=2`, { headers: { accept: "text/event-stream" } })
  ).text();
  const page = await browser.newPage();
  const sizes: Promise<number>[] = [];
  page.on("response", (response) => {
    if (!new URL(response.url()).pathname.startsWith(`/runs/${id}`)) return;
    sizes.push(response.body().then((body) => body.length));
  });
  await page.goto(`${url}/ui/runs/${id}`);
  await page.locator(".story-answer").waitFor();
  const opened = await Promise.all(sizes);
  await page.goto(`${url}/ui/runs/${id}?tab=log`);
  await page.locator(".event").first().waitFor();
  const rows = await page.locator(".event").count();
  await page.close();
  const total = opened.reduce((sum, size) => sum + size, 0);
  return [
    count("dashboard-log-requests", `requests to open a run of ${EVENTS} events / 3`, opened.length, 3),
    count("dashboard-log-bytes", `bytes to open a run of ${EVENTS} events / 1 MB`, total, 1_000_000),
    count("dashboard-log-rows", `rows of a log of ${EVENTS} events / ${MOST_ROWS}`, rows, MOST_ROWS),
  ];
}

/** A list of thousands of runs is scrolled. */
async function longList(browser: Browser, url: string): Promise<Result[]> {
  for (let done = 0; done < RUNS; done += 100) {
    await Promise.all(Array.from({ length: 100 }, (_, index) => submit(url, `wait ${done + index}`)));
  }
  const page = await browser.newPage();
  await page.goto(`${url}/ui/runs`);
  await page.locator(".run-row[data-run]").first().waitFor();
  let most = 0;
  for (let place = 0; place < RUNS - 200; place += 150) {
    // Pages are read while it is scrolled: it is scrolled again until the row is there.
    const row = page.locator(`.virtual[data-index="${place}"]`);
    while ((await row.count()) === 0) {
      await page.evaluate(`document.querySelector(".runs-rows").scrollTop = ${place * 36}`);
    }
    most = Math.max(most, await page.locator(".run-row").count());
  }
  await page.close();
  return [count("dashboard-list-rows", `rows of a list of ${RUNS} runs / ${MOST_ROWS}`, most, MOST_ROWS)];
}
