// Pages of a browser that tests take in turns: to load another address in one costs a third of what a new one costs.
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { HANG_MS } from "./eventually.ts";

export interface BrowserPages {
  /** A page without a past: new, or given back and cleaned. */
  take: (options: BrowserContextOptions) => Promise<Page>;
  /** What a test has changed beyond its listeners, routes, storage and permissions (its emulated media, say) is not undone: it closes its page. */
  giveBack: (page: Page) => Promise<void>;
}

/** What a test listens to. */
const EVENTS = ["console", "dialog", "pageerror", "request", "response"] as const;

/** `quiet` names an address of the origin whose pages are taken that runs nothing, so that it stores nothing after it was cleaned. */
export function openBrowserPages(browser: Browser, quiet: () => string): BrowserPages {
  const idle = new Map<string, Page[]>();
  const madeWith = new Map<Page, string>();

  async function create(options: BrowserContextOptions): Promise<Page> {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(HANG_MS);
    const page = await context.newPage();
    madeWith.set(page, JSON.stringify(options));
    return page;
  }

  /** Resolves with whether nothing is left of what a test did. */
  async function clean(page: Page): Promise<boolean> {
    const context = page.context();
    for (const event of EVENTS) page.removeAllListeners(event);
    await page.unrouteAll();
    await context.clearCookies();
    await context.clearPermissions();
    try {
      await page.goto(quiet());
      await page.evaluate("localStorage.clear(); sessionStorage.clear()");
    } catch {
      // What served it is gone.
      return false;
    }
    return context.pages().length === 1;
  }

  return {
    take: async (options) => idle.get(JSON.stringify(options))?.pop() ?? create(options),
    async giveBack(page) {
      const key = madeWith.get(page) ?? "";
      if (await clean(page)) idle.set(key, [...(idle.get(key) ?? []), page]);
      else await page.context().close();
    },
  };
}
