// What agents and tokens bring to the pages cannot harm them: no script, no request, no leak; and nothing is too long for them.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Browser, Page } from "playwright-core";
import type { Run } from "../../../src/core/run.ts";
import { openDashboardStage, type DashboardStage } from "../../support/dashboard/stage.ts";
import { serveHttp } from "../../support/http/servers.ts";
import { belowPath } from "../../support/dashboard/below-path.ts";
import { launchChromium } from "../chromium.ts";

const launched = await launchChromium();
if (typeof launched === "string") console.warn(`skipped: ${launched}`);

const TOKEN = "a-token-of-the-test-that-is-long-enough";
const MANY_EVENTS = 20_000;

describe.skipIf(typeof launched === "string")("The dashboard of a closed hub", () => {
  let stage: DashboardStage;
  let hostile: Run;

  beforeAll(async () => {
    // Skipped above when it is a reason.
    stage = await openDashboardStage(launched as Browser, { env: { PROCTOR_TOKEN: TOKEN } });
    hostile = await stage.run(`hostile <img src=x onerror="window.hit=1">`);
  });

  afterAll(() => stage.close());

  async function logIn(page: Page, token = TOKEN): Promise<void> {
    await page.getByLabel("Token").fill(token);
    await page.getByRole("button", { name: "Use it" }).click();
  }

  /** Before the token was given the hub answered 401, which a browser reports. */
  const isUnexpected = (problem: string): boolean => !problem.includes("status of 401");

  it("shows nothing without a token, takes one for this tab, and writes it into no address", async () => {
    const { page, asked, close } = await stage.open("/ui/runs");
    await page.getByRole("heading", { name: "This hub needs a token" }).waitFor();
    await logIn(page, "not-the-token");
    await page.getByText("the token is not valid").waitFor();
    await logIn(page);
    await page.locator(`[data-run="${hostile.id}"]`).waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
    expect(asked.filter((path) => path.includes("token"))).toEqual([]);
    expect(page.url()).not.toContain(TOKEN);
    await page.reload();
    await page.locator(`[data-run="${hostile.id}"]`).waitFor();
    expect(await page.evaluate("Object.values(localStorage).join()")).not.toContain(TOKEN);
    const other = await stage.open("/ui/runs");
    await other.page.getByRole("heading", { name: "This hub needs a token" }).waitFor();
    await other.close();
    await close();
  });

  it("says why a token is refused, whichever request was refused last", async () => {
    const { page, close } = await stage.open("/ui/runs");
    await page.getByRole("heading", { name: "This hub needs a token" }).waitFor();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route("**/events?**", async (route) => {
      const response = await route.fetch();
      await held;
      await route.fulfill({ response });
    });
    const last = page.waitForResponse(
      (response) => response.url().includes("/events?") && "authorization" in response.request().headers(),
    );
    await logIn(page, "not-the-token");
    await page.getByText("the token is not valid").waitFor();
    release();
    await last;
    // Until this is answered, the page has made of the other answer what it makes of it.
    await page.evaluate("fetch('/healthz').then((response) => response.text())");
    expect(await page.getByText("the token is not valid").isVisible()).toBe(true);
    await close();
  });

  it("runs no script and asks nobody, whatever an agent says, names, prints or leaves", async () => {
    const { page, problems, close } = await stage.open("/ui/runs");
    await logIn(page);
    await page.locator(`[data-run="${hostile.id}"]`).waitFor();
    const tabs = [
      "",
      "messages",
      "timeline",
      "log",
      "tools",
      "artifacts",
      "violations",
      "environment",
      "events",
    ];
    for (const tab of tabs) {
      await page.goto(`${stage.hub().url}/ui/runs/${hostile.id}?tab=${tab}`);
      await page.locator("h1", { hasText: "onerror" }).waitFor();
      await page
        .locator(".story, .messages, .waterfall, .event, table, .artifacts, section, p")
        .first()
        .waitFor();
      expect([tab, await page.evaluate("window.hit")]).toEqual([tab, undefined]);
      expect([tab, await page.locator('a[href^="javascript:"]').count()]).toEqual([tab, 0]);
    }
    expect(problems.filter(isUnexpected)).toEqual([]);
    await close();
  });

  it("shows a page of an agent without its scripts, and a picture as a picture", async () => {
    let reached = 0;
    const elsewhere = await serveHttp((_, response) => {
      reached++;
      response.end();
    });
    const run = await stage.run(`hostile ${elsewhere.url}/leak`);
    const { page, close } = await stage.open("/ui/runs");
    await logIn(page);
    await page.locator(`[data-run="${run.id}"]`).waitFor();
    const shown = (name: string) => run.artifacts.find(({ path }) => path === name)?.id ?? "";
    const artifact = (name: string) =>
      page.goto(`${stage.hub().url}/ui/runs/${run.id}?tab=artifacts&artifact=${shown(name)}`);
    await artifact("page.html");
    await page.frameLocator("iframe").getByText("Page of an agent").waitFor();
    expect(await page.locator("iframe").getAttribute("sandbox")).toBe("");
    await artifact("picture.svg");
    await expect
      .poll(() => page.evaluate("document.querySelector('.preview-image')?.naturalWidth > 0"))
      .toBe(true);
    await artifact("notes.md");
    await page.getByText("javascript:window.hit=1").first().waitFor();
    expect(await page.locator(".artifact-preview img").count()).toBe(0);
    expect(await page.evaluate("window.hit")).toBeUndefined();
    expect(page.url()).toContain("/ui/runs/");
    expect(reached).toBe(0);
    await close();
  });

  it("has a policy that forbids whatever the build did not make", async () => {
    const { headers } = await stage.hub().send("GET", "/ui/runs", { token: null });
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'self'");
    expect(policy).not.toContain("unsafe-inline");
    expect(policy).not.toContain("'unsafe-eval'");
    expect(policy).toContain("frame-ancestors 'none'");
    const { page, close } = await stage.open("/");
    const ran = page.evaluate(`
      const script = document.createElement("script");
      script.textContent = "window.hit = 1";
      document.head.append(script);
      window.hit`);
    expect(await ran).toBeUndefined();
    await close();
  });

  it("keeps files for ever by their names, compresses them, and answers a reload with nothing", async () => {
    const html = await (await stage.hub().send("GET", "/", { token: null })).text();
    const [, script = ""] = /src="(ui\/assets\/[^"]+\.js)"/.exec(html) ?? [];
    const get = (headers: Record<string, string>) =>
      stage.hub().send("GET", `/${script}`, { token: null, headers });
    const first = await get({ "accept-encoding": "br" });
    expect(first.headers.get("cache-control")).toContain("immutable");
    expect(first.headers.get("content-encoding")).toBe("br");
    expect((await get({ "accept-encoding": "gzip, br;q=0" })).headers.get("content-encoding")).toBe("gzip");
    expect((await get({ "accept-encoding": "identity" })).headers.get("content-encoding")).toBeNull();
    const etag = first.headers.get("etag") ?? "";
    expect((await get({ "accept-encoding": "br", "if-none-match": etag })).status).toBe(304);
    const missing = await stage.hub().send("GET", "/ui/assets/gone-1234.js", { token: null });
    expect(missing.status).toBe(404);
    expect(
      (await stage.hub().send("GET", "/ui/..%2f..%2fpackage.json", { token: null })).headers.get(
        "content-type",
      ),
    ).toContain("text/html");
    expect((await stage.hub().send("POST", "/ui/runs", { token: null })).status).toBe(405);
  });

  it("works behind a proxy that puts the hub below a path", async () => {
    const below = await belowPath(stage.hub().url);
    const { page, close } = await stage.open("/");
    await page.goto(`${below}/ui/runs`);
    await logIn(page);
    await page.locator(`[data-run="${hostile.id}"] a`).click();
    await page.waitForURL(`**/some/place/ui/runs/${hostile.id}`);
    await page.reload();
    await page.locator("h1", { hasText: "onerror" }).waitFor();
    await page.getByRole("link", { name: "Overview" }).click();
    await page.waitForURL("**/some/place/");
    await page.locator(".figures").waitFor();
    await close();
  });

  it(`opens a run of ${MANY_EVENTS} events with three requests, a megabyte and few rows, and finds its way in it`, async () => {
    const { id } = await stage.run(`many ${MANY_EVENTS}`);
    const { page, asked, close } = await stage.open("/ui/runs");
    await logIn(page);
    await page.locator(`[data-run="${id}"]`).waitFor();
    const sizes: Promise<number>[] = [];
    page.on("response", (response) => {
      if (response.url().includes(`/runs/${id}`) && !response.url().includes("/ui/"))
        sizes.push(response.body().then((body) => body.length));
    });
    asked.length = 0;
    await page.goto(`${stage.hub().url}/ui/runs/${id}`);
    await page.locator(".story-answer").waitFor();
    expect(asked.filter((path) => path.startsWith("/runs/")).length).toBeLessThanOrEqual(3);
    expect((await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)).toBeLessThan(1_000_000);
    await page.goto(`${stage.hub().url}/ui/runs/${id}?tab=log`);
    await page.locator(".event").first().waitFor();
    expect(await page.locator(".event").count()).toBeLessThan(200);
    await expect
      .poll(async () => {
        await page.evaluate(`document.querySelector(".log-rows").scrollTop = ${10_000 * 28}`);
        return page.locator(".event-number", { hasText: /^10\d{3}$/ }).count();
      })
      .toBeGreaterThan(0);
    expect(await page.locator(".event").count()).toBeLessThan(200);
    await close();
  });

  it("creates, rotates and revokes tokens, and shows each secret once", async () => {
    const { page, problems, close } = await stage.open("/ui/settings");
    await logIn(page);
    await page.getByRole("button", { name: "Create a token" }).click();
    await page.getByLabel("Name").fill("reader of runs");
    await page.getByRole("dialog").getByRole("button", { name: "Create a token" }).click();
    const secret = await page.getByRole("dialog").locator(".command code").innerText();
    expect((await stage.hub().send("GET", "/runs", { token: secret })).status).toBe(200);
    await page.getByRole("button", { name: "Close" }).click();
    const row = page.locator("tr", { hasText: "reader of runs" });
    await row.getByRole("button", { name: "Rotate" }).click();
    expect(await page.getByRole("dialog").locator(".command code").innerText()).not.toBe(secret);
    await page.getByRole("button", { name: "Close" }).click();
    await row.getByRole("button", { name: "Revoke" }).click();
    await row.getByText("Revoked").waitFor();
    expect((await stage.hub().send("GET", "/runs", { token: secret })).status).toBe(401);
    expect(problems.filter(isUnexpected)).toEqual([]);
    await page.getByRole("button", { name: "Forget it now" }).click();
    await page.getByRole("heading", { name: "This hub needs a token" }).waitFor();
    await close();
  });
});
