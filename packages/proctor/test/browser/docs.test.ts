import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Browser, Page } from "playwright-core";
import { createHarness } from "../support/server/app-harness.ts";
import { listen, type Listening } from "../../src/runtime/http/listen.ts";
import { launchChromium } from "./chromium.ts";

const launched = await launchChromium();
if (typeof launched === "string") console.warn(`skipped: ${launched}`);

/** Set to a folder to keep the pictures. */
const screenshots = process.env["PROCTOR_SCREENSHOTS"];

describe.skipIf(typeof launched === "string")("in a browser", () => {
  // Skipped above when it is a reason.
  const browser = launched as Browser;
  const { hub, app } = createHarness({
    mounts: [
      {
        path: "/test-page",
        fetch: () =>
          new Response("<!doctype html><title>t</title>", { headers: { "content-type": "text/html" } }),
      },
    ],
  });
  let server: Listening;

  beforeAll(async () => {
    server = await listen({ app, host: "127.0.0.1", port: 0 });
    if (screenshots !== undefined) await mkdir(screenshots, { recursive: true });
  });

  afterAll(async () => {
    await browser.close();
    await server.close(0);
  });

  /** A page that remembers everything that went wrong or elsewhere. */
  async function open(path: string, options: Parameters<Browser["newPage"]>[0] = {}) {
    const page = await browser.newPage(options);
    const problems: string[] = [];
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) problems.push(message.text());
    });
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(server.url) && !url.startsWith("data:")) problems.push(`asked for ${url}`);
    });
    await page.goto(`${server.url}${path}`, { waitUntil: "load" });
    return { page, problems };
  }

  async function picture(page: Page, name: string): Promise<void> {
    if (screenshots === undefined) return;
    await page.screenshot({ path: join(screenshots, `${name}.png`) });
  }

  /** How far the page is wider than the window. */
  const overflow = (page: Page) =>
    page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");

  it.each([
    ["desktop", { viewport: { width: 1280, height: 900 } }],
    ["desktop-dark", { viewport: { width: 1280, height: 900 }, colorScheme: "dark" as const }],
    ["phone", { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
    ["phone-dark", { viewport: { width: 390, height: 844 }, isMobile: true, colorScheme: "dark" as const }],
  ])("the reference reads well on a %s", async (name, options) => {
    const { page, problems } = await open("/docs", options);
    expect(await page.title()).toBe("Proctor API");
    await picture(page, `docs-${name}`);
    await page.locator("summary", { hasText: "Run a task on an agent" }).click();
    await page.getByText("Idempotency-Key").first().waitFor({ state: "visible" });
    await page.locator("summary", { hasText: "Run a task on an agent" }).scrollIntoViewIfNeeded();
    expect(await overflow(page)).toBe(0);
    await picture(page, `docs-${name}-open`);
    await page.locator("#schema-Run").scrollIntoViewIfNeeded();
    await picture(page, `docs-${name}-schemas`);
    expect(problems).toEqual([]);
    await page.close();
  });

  it("a link to an operation opens it", async () => {
    const { page, problems } = await open("/docs#registerAgent");
    await page.locator("#registerAgent").waitFor({ state: "visible" });
    await page.locator('nav a[href="#getRunEvents"]').click();
    await page.locator("#getRunEvents").waitFor({ state: "visible" });
    expect(problems).toEqual([]);
    await page.close();
  });

  it("the filter shows only what is looked for, in the contents and on the page", async () => {
    const { page, problems } = await open("/docs", { viewport: { width: 1280, height: 900 } });
    const shown = () => page.locator("details.operation:visible .path").allTextContents();
    const all = (await shown()).length;
    await page.getByLabel("Filter").fill("cancel");
    expect(await shown()).toEqual(["/runs/{id}/cancel"]);
    expect(await page.locator("nav li a[data-find]:visible").allTextContents()).toEqual(["Cancel a run"]);
    await page.getByLabel("Filter").fill("POST  artifacts");
    expect(await shown()).toEqual(["/runs/{id}/artifacts"]);
    await picture(page, "docs-filter");
    await page.getByLabel("Filter").fill("");
    expect((await shown()).length).toBe(all);
    expect(problems).toEqual([]);
    await page.close();
  });

  it("an example is copied as it stands, and asks this hub", async () => {
    const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
    const page = await context.newPage();
    await page.goto(`${server.url}/docs#cancelRun`);
    const copied = () => page.evaluate<string>("navigator.clipboard.readText()");
    await page.locator("#cancelRun button").click();
    await page.locator("#cancelRun button", { hasText: "Copied" }).waitFor();
    expect(await copied()).toMatch(/^curl -X POST "\$PROCTOR_URL\/runs\/\$ID\/cancel" \\\n/);
    await page.locator("main > pre.copy button").click();
    await page.locator("main > pre.copy button", { hasText: "Copied" }).waitFor();
    expect(await copied()).toBe(`export PROCTOR_URL=${server.url}`);
    await context.close();
  });

  it("the front page leads to the reference", async () => {
    const { page, problems } = await open("/", { viewport: { width: 390, height: 844 } });
    await picture(page, "index-phone");
    expect(await overflow(page)).toBe(0);
    await page.getByRole("link", { name: "API reference" }).click();
    await page.waitForURL(`${server.url}/docs`);
    expect(problems).toEqual([]);
    await page.close();
  });

  it("EventSource follows a run to its end, and then stops asking", async () => {
    const { id } = await hub.begin();
    const { page } = await open("/test-page");
    const answers: number[] = [];
    const stopped = new Promise<void>((resolve) => {
      page.on("response", (response) => {
        if (!response.url().endsWith("/events")) return;
        answers.push(response.status());
        if (response.status() === 204) resolve();
      });
    });
    await page.evaluate(`
      window.seen = [];
      const source = new EventSource("/runs/${id}/events");
      source.onmessage = ({ data, lastEventId }) => seen.push([lastEventId, JSON.parse(data).type]);
      window.state = () => source.readyState;
    `);
    await page.waitForFunction("seen.length === 3");
    hub.append(id, { type: "progress", payload: { percentage: 50 } });
    await page.waitForFunction("seen.length === 4");
    hub.end(id);
    await stopped;
    await page.waitForFunction("state() === 2");
    expect(await page.evaluate("seen")).toEqual([
      ["0", "run.created"],
      ["1", "run.queued"],
      ["2", "run.started"],
      ["3", "progress"],
      ["4", "run.ended"],
    ]);
    expect(answers).toEqual([200, 204]);
    await page.close();
  });

  it("a page of another site can neither read nor start anything", async () => {
    const { page } = await open("/test-page");
    // The same server under another name is another site.
    const other = server.url.replace("127.0.0.1", "localhost");
    const post = `fetch("${other}/runs", { method: "POST", headers: { "content-type": "text/plain" }, body: "{}", mode: "no-cors" })`;
    const before = hub.calls.length;
    await page.evaluate(`${post}.then(() => "sent", () => "refused")`);
    const read = await page.evaluate(`fetch("${other}/runs").then(() => "read", () => "refused")`);
    expect(read).toBe("refused");
    expect(hub.calls.length).toBe(before);
    await page.close();
  });
});
