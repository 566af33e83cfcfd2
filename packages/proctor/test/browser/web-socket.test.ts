// A browser's own WebSocket at `/ws`, as document 003 writes it.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Browser } from "playwright-core";
import { startHubProcess, type HubProcess } from "../support/hub-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { launchChromium } from "./chromium.ts";

const launched = await launchChromium();
if (typeof launched === "string") console.warn(`skipped: ${launched}`);

describe.skipIf(typeof launched === "string")("a browser's WebSocket", () => {
  // Skipped above when it is a reason.
  const browser = launched as Browser;
  let hub: HubProcess;
  beforeAll(async () => {
    hub = await startHubProcess({ folder: temporaryFolder("web-socket") });
  });
  afterAll(async () => {
    await browser.close();
    await hub.stop();
  });

  it("hears the events of the task it subscribed to", async () => {
    const { agent } = await hub.post<{ agent: { id: string } }>("/api/tasks", { task: "watched" });
    const page = await browser.newPage();
    // Any page of the same origin will do.
    await page.goto(`${hub.url}/healthz`);
    const heard = page.evaluate(
      ([url, id]) =>
        new Promise<string[]>((resolve) => {
          const kinds: string[] = [];
          const ws = new WebSocket(`${url}/ws`);
          ws.addEventListener("open", () => ws.send(JSON.stringify({ type: "subscribe", agentId: id })));
          ws.addEventListener("message", (event) => {
            const { type } = JSON.parse(String(event.data)) as { type: string };
            kinds.push(type);
            if (type === "subscribed") void fetch(`/api/tasks/${id}/cancel`, { method: "POST" });
            if (type === "task.cancelled") resolve(kinds);
          });
        }),
      [hub.url.replace("http", "ws"), agent.id] as const,
    );
    expect(await heard).toEqual(["connected", "subscribed", "task.cancelled"]);
    await page.close();
  });

  it("of a page from elsewhere is refused", async () => {
    const page = await browser.newPage();
    await page.goto("data:text/html,<title>elsewhere</title>");
    const opened = await page.evaluate(
      (url) =>
        new Promise<boolean>((resolve) => {
          const ws = new WebSocket(`${url}/ws`);
          ws.addEventListener("open", () => resolve(true));
          ws.addEventListener("error", () => resolve(false));
        }),
      hub.url.replace("http", "ws"),
    );
    expect(opened).toBe(false);
    await page.close();
  });
});
