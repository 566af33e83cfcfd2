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

  it("the front page of a hub without a dashboard links the doors, and so does the place of the reference", async () => {
    for (const path of ["/", "/docs"]) {
      const { page, problems } = await open(path, { viewport: { width: 390, height: 844 } });
      await picture(page, "index-phone");
      expect(await overflow(page)).toBe(0);
      await page.getByText("npm run build").waitFor();
      await page.getByRole("link", { name: "OpenAPI document" }).click();
      await page.waitForURL(`${server.url}/openapi.json`);
      expect(problems).toEqual([]);
      await page.close();
    }
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
