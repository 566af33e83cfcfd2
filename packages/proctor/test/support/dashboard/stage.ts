// A real hub with real agents, and a browser that looks at its pages: one of each for a file.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { Run } from "../../../src/core/run.ts";
import { openBrowserPages } from "../browser-pages.ts";
import { freePort } from "../http/free-port.ts";
import { startHubProcess, type HubProcess } from "../hub-process.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const AGENT = fileURLToPath(new URL("../../fixtures/agents/shows.mjs", import.meta.url));
/** Does what the first word of its task says. */
export const SHOWS = `atp+stdio:${process.execPath} ${AGENT}`;

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

export interface Look {
  page: Page;
  /** Everything that went wrong or was asked of somebody else. */
  problems: string[];
  /** The paths that were asked of the hub, in order. */
  asked: string[];
  close: () => Promise<void>;
}

export interface DashboardStage {
  hub: () => HubProcess;
  /** Stops the hub and starts it again at the same address, with the same data. */
  restart: (signal?: NodeJS.Signals) => Promise<void>;
  stop: () => Promise<void>;
  start: () => Promise<void>;
  submit: (description: string, more?: object) => Promise<Run>;
  /** Submits, and waits for the end. */
  run: (description: string, more?: object) => Promise<Run>;
  open: (path: string, options?: BrowserContextOptions) => Promise<Look>;
  close: () => Promise<void>;
}

export async function openDashboardStage(
  browser: Browser,
  { env = {} }: { env?: Record<string, string> } = {},
): Promise<DashboardStage> {
  const folder = temporaryFolder("dashboard");
  const args = ["--port", String(await freePort())];
  let hub = await startHubProcess({ folder, env, args });

  const submit: DashboardStage["submit"] = (description, more = {}) =>
    hub.post<Run>("/runs", { agent: SHOWS, task: { description }, ...more });

  async function start(): Promise<void> {
    hub = await startHubProcess({ folder, env, args });
  }

  const pages = openBrowserPages(browser, () => `${hub.url}/healthz`);

  async function open(path: string, options: BrowserContextOptions = {}): Promise<Look> {
    const page = await pages.take({ viewport: { width: 1280, height: 800 }, ...options });
    const problems: string[] = [];
    const asked: string[] = [];
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) problems.push(message.text());
    });
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("request", (request) => {
      const url = request.url();
      if (url.startsWith(hub.url)) asked.push(url.slice(hub.url.length));
      else if (!/^(?:data|blob|about):/.test(url)) problems.push(`asked for ${url}`);
    });
    await page.goto(`${hub.url}${path}`, { waitUntil: "load" });
    return { page, problems, asked, close: () => pages.giveBack(page) };
  }

  return {
    hub: () => hub,
    start,
    stop: async () => void (await hub.stop()),
    async restart(signal = "SIGTERM") {
      await hub.stop(signal);
      await start();
    },
    submit,
    async run(description, more) {
      const { id } = await submit(description, more);
      return hub.ended(id);
    },
    open,
    async close() {
      await browser.close();
      await hub.stop();
    },
  };
}

/** The rules of axe that look at colours: all that a page can break in other colours, when it breaks none in its own. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/** What axe finds wrong with the page, in words; with `colours`, with its colours alone. */
export async function axeProblems(page: Page, part: "all" | "colours" = "all"): Promise<string[]> {
  // By the debugger, which the page's policy does not concern. A page that only changed its address has it still.
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(readFileSync(AXE, "utf8"));
  const options = {
    resultTypes: ["violations"],
    ...(part === "colours" && { runOnly: { type: "rule", values: COLOUR_RULES } }),
  };
  return page.evaluate<string[]>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ": " + html.slice(0, 200) + " " + failureSummary)))`,
  );
}

/** How far the page is wider than the window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate<number>("document.documentElement.scrollWidth - document.documentElement.clientWidth");
}

/** Keeps a picture where PROCTOR_SCREENSHOTS names a folder. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env["PROCTOR_SCREENSHOTS"];
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`) });
}
