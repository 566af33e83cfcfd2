// The HTML report of conformance in a real Chromium: it fits, it is read without scripts, and nothing an agent said comes alive.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import type { ConformDocument } from "../../src/conformance/document.ts";
import { htmlReport } from "../../src/conformance/reports/html.ts";
import { compared, documentAround } from "../support/conformance/documents.ts";
import { HOSTILE } from "../support/reporters/results.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { launchChromium } from "./chromium.ts";

const launched = await launchChromium();
if (typeof launched === "string") console.warn(`skipped: ${launched}`);

/** Set to a folder to keep the pictures. */
const screenshots = process.env["PROCTOR_SCREENSHOTS"];
const folder = temporaryFolder("conform-page");
const LONG_WORD = "x".repeat(3000);

describe.skipIf(typeof launched === "string")("the page of proctor conform in a browser", () => {
  // Skipped above when it is a reason.
  const browser = launched as Browser;
  afterAll(() => browser.close());

  async function open(document: ConformDocument, options: Parameters<Browser["newPage"]>[0]) {
    const file = join(folder, "page.html");
    writeFileSync(file, htmlReport(document));
    const page = await browser.newPage(options);
    const problems: string[] = [];
    page.on("console", (message) => problems.push(message.text()));
    page.on("dialog", (dialog) => void dialog.dismiss().then(() => problems.push("dialog")));
    const url = pathToFileURL(file).href;
    page.on("request", (request) => void (request.url() === url || problems.push(request.url())));
    await page.goto(url);
    return { page, problems };
  }

  it.each([400, 1400].flatMap((width) => (["light", "dark"] as const).map((scheme) => ({ width, scheme }))))(
    "fits into $width pixels, $scheme",
    async ({ width, scheme }) => {
      const options = { viewport: { width, height: 900 }, colorScheme: scheme };
      for (const document of [compared(), documentAround(LONG_WORD)]) {
        const { page, problems } = await open(document, options);
        const over = await page.evaluate(
          "document.documentElement.scrollWidth - document.documentElement.clientWidth",
        );
        expect({ over, problems }).toEqual({ over: 0, problems: [] });
        if (screenshots !== undefined && document.agent !== LONG_WORD) {
          mkdirSync(screenshots, { recursive: true });
          await page.screenshot({
            path: join(screenshots, `conform-${width}-${scheme}.png`),
            fullPage: true,
          });
        }
        await page.close();
      }
    },
  );

  it("gives a whole command line to one click, and evidence to whoever opens it", async () => {
    const { page } = await open(compared(), {});
    const command = page.locator(".failed .reproduce pre").first();
    await command.click();
    const selected = await page.evaluate("getSelection().toString().trim()");
    expect(selected).toBe(await command.textContent());
    const evidence = page.locator(".failed details pre").first();
    expect(await evidence.isVisible()).toBe(false);
    await page.locator(".failed summary").first().click();
    expect(await evidence.isVisible()).toBe(true);
    await page.close();
  });

  it("shows what an agent said as it was said", async () => {
    for (const said of HOSTILE) {
      const { page, problems } = await open(documentAround(said), {});
      expect(problems).toEqual([]);
      expect(await page.locator("script, img, iframe, object, a:not([href^='#x.'])").count()).toBe(0);
      if (said.includes("<")) expect(await page.locator("h1").textContent()).toBe(said);
      await page.close();
    }
  });
});
