// What an open dashboard costs the hub while 1,000 events per second are written: the hub's CPU time for the same events with a page and
// without one, in turns.
import type { Browser, Page } from "playwright-core";
import { median, share, type Result } from "./measure.ts";
import { cpuSeconds, startBare, startHub, type Server } from "./processes.ts";
import { ended, submit } from "./submit.ts";

const RUNS = 5;
const EVENTS = 1000;
const EVERY_MS = 5;
const ROUNDS = 5;
const WARM_UPS = 1;
/** Largest share of a core that an open page may add. */
const MOST = 0.1;

type Opened = (browser: Browser, url: string, run: string) => Promise<Page>;

const PAGES: Record<string, Opened | undefined> = {
  none: undefined,
  overview: async (browser, url) => shown(browser, `${url}/`, ".figures"),
  run: async (browser, url, run) => shown(browser, `${url}/ui/runs/${run}`, ".story"),
};

export async function watchedHub(browser: Browser): Promise<Result[]> {
  const hub = await startHub({ concurrency: RUNS });
  const agent = await startBare("ticking-agent.mjs", [String(RUNS), String(EVENTS), String(EVERY_MS)]);
  try {
    const used: Record<string, number[]> = { none: [], overview: [], run: [] };
    for (let round = -WARM_UPS; round < ROUNDS; round++) {
      for (const [name, open] of Object.entries(PAGES)) {
        const seconds = await write(hub, agent, (url, run) => open?.(browser, url, run));
        // CPU seconds for 1,000 events, the number that is written per second.
        if (round >= 0) used[name]?.push((seconds * 1000) / (RUNS * EVENTS));
      }
    }
    const bare = median(used["none"] ?? []);
    return ["overview", "run"].map((name) => {
      const open = median(used[name] ?? []);
      return share(
        `dashboard-hub-${name}`,
        `share of a core that an open page (${name}) adds to the hub at 1,000 events/s / ${MOST}`,
        open - bare,
        MOST,
        { "without a page": bare, "with one": open },
      );
    });
  } finally {
    await agent.stop();
    await hub.stop();
  }
}

/** Resolves with the CPU seconds of the hub from the first event to the last. The agent begins when it has all of its tasks. */
async function write(
  hub: Server,
  agent: Server,
  open: (url: string, run: string) => Promise<Page> | undefined,
): Promise<number> {
  const url = `http://127.0.0.1:${hub.port}`;
  const address = `atp+http://127.0.0.1:${agent.port}`;
  const ids: string[] = [];
  while (ids.length < RUNS - 1) ids.push(await submit(url, address, `write ${ids.length}`));
  const page = await open(url, ids[0] ?? "");
  const before = cpuSeconds(hub.pid);
  ids.push(await submit(url, address, "the last one"));
  await Promise.all(ids.map((id) => ended(url, id)));
  const after = cpuSeconds(hub.pid);
  await page?.close();
  return after - before;
}

async function shown(browser: Browser, url: string, part: string): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(url);
  await page.locator(part).first().waitFor();
  await page.waitForLoadState("load");
  return page;
}
