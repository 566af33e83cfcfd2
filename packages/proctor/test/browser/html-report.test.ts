// The HTML report in a real Chromium: opened from disk, read, filtered and searched the way people do it.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import type { Browser, Page } from "playwright-core";
import {
  caseResult,
  check,
  played,
  report,
  summaryOf,
  testOf,
  type Played,
} from "../support/reporters/html-report.ts";
import { HOSTILE, thread } from "../support/reporters/results.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { launchChromium } from "./chromium.ts";

const launched = await launchChromium();
if (typeof launched === "string") console.warn(`skipped: ${launched}`);

/** Set to a folder to keep the pictures. */
const screenshots = process.env["PROCTOR_SCREENSHOTS"];
const folder = temporaryFolder("html-report");

const DESKTOP = { viewport: { width: 1280, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

describe.skipIf(typeof launched === "string")("the HTML report in a browser", () => {
  // Skipped above when it is a reason.
  const browser = launched as Browser;
  const agents = ["atlas", "atlas-mini", "scout-3"];
  const everything = write("everything", played({ tests: 40, agents, runs: 5, compared: true }));

  afterAll(() => browser.close());

  function write(name: string, input: Played): string {
    const file = join(folder, `${name}.html`);
    writeFileSync(file, report(input));
    return pathToFileURL(file).href;
  }

  /** A page that remembers everything that went wrong, was asked for, or popped up. */
  async function open(url: string, options: Parameters<Browser["newPage"]>[0] = DESKTOP) {
    const page = await browser.newPage(options);
    page.setDefaultTimeout(10_000);
    const problems: string[] = [];
    page.on("console", (message) => problems.push(`${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("dialog", (dialog) => {
      problems.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("request", (request) => {
      const isOwn =
        request.url().split("#")[0] === url.split("#")[0] || request.url().startsWith("data:image/svg");
      if (!isOwn) problems.push(`asked for ${request.url()}`);
    });
    await page.goto(url);
    await page.locator("#content > *").first().waitFor({ state: "attached" });
    return { page, problems };
  }

  /** To another view, until it is drawn. */
  async function go(page: Page, hash: string): Promise<void> {
    await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
    const given = new URLSearchParams(hash);
    const view = given.has("case") ? `case-${given.get("case")}` : (given.get("tab") ?? "cases");
    await page.locator(`html[data-drawn="${view}"]`).waitFor({ state: "attached" });
  }

  async function picture(page: Page, name: string): Promise<void> {
    if (screenshots === undefined) return;
    mkdirSync(screenshots, { recursive: true });
    await page.screenshot({ path: join(screenshots, `html-${name}.png`) });
  }

  const overflow = (page: Page) =>
    page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
  const names = (page: Page) => page.locator(".case-link").allTextContents();

  it.each([
    ["desktop", DESKTOP],
    ["desktop-dark", { ...DESKTOP, colorScheme: "dark" as const }],
    ["phone", PHONE],
    ["phone-dark", { ...PHONE, colorScheme: "dark" as const }],
  ])("every part fits on a %s", async (name, options) => {
    const { page, problems } = await open(everything, options);
    const views = {
      cases: "",
      plots: "tab=plots",
      comparison: "tab=comparison",
      contests: "tab=contests",
      case: "case=4&against=2",
    };
    for (const [view, hash] of Object.entries(views)) {
      await go(page, hash);
      expect(await overflow(page), view).toBe(0);
      await picture(page, `${name}-${view}`);
    }
    expect(problems).toEqual([]);
    await page.close();
  });

  it("says what came out, and lists the worst first", async () => {
    const { page, problems } = await open(everything);
    expect(await page.title()).toMatch(/^support desk, billing: \d+ failed.* of 120 cases/);
    expect(await page.locator("header").innerText()).toMatch(/Runs passed\s+91%\s+88–93%, Wilson 95%/);
    expect(await page.locator("header").innerText()).toMatch(
      /\d+ of 600 runs were not made now: \d+ cached\./,
    );
    expect(await page.locator(".cases tbody tr").first().innerText()).toContain("Failed");
    expect(problems).toEqual([]);
    await page.close();
  });

  it("filters, sorts and pages, and a link opens the same view", async () => {
    const { page, problems } = await open(everything);
    await page.getByRole("searchbox").fill("refund policy");
    await page.getByLabel("Agent", { exact: true }).selectOption("scout-3");
    await page.getByRole("button", { name: "p95" }).click();
    const shown = await names(page);
    expect(shown.length).toBeGreaterThan(0);
    expect(new Set(shown)).toEqual(new Set(["refund: cites the policy"]));
    expect(new Set(await page.locator("td.agent").allTextContents())).toEqual(new Set(["scout-3"]));
    const sorted = await page.locator("td.p95").allTextContents();
    expect(sorted.map(Number.parseFloat)).toEqual(sorted.map(Number.parseFloat).sort((a, b) => b - a));
    const linked = await open(page.url());
    expect(await names(linked.page)).toEqual(shown);
    expect(await linked.page.getByRole("searchbox").inputValue()).toBe("refund policy");
    await page.getByRole("button", { name: "Reset" }).click();
    expect(await names(page)).toHaveLength(50);
    await page.getByRole("button", { name: "Next" }).click();
    expect(await page.locator(".pager").innerText()).toContain("51–100 of 120");
    await page.getByRole("button", { name: /^Failed/ }).click();
    expect(new Set(await page.locator("td.outcome").allTextContents())).toEqual(new Set(["Failed"]));
    expect([...problems, ...linked.problems]).toEqual([]);
    await page.close();
    await linked.page.close();
  });

  it("shows a case: checks, differences, timeline, artifacts, another run, the baseline", async () => {
    const { page, problems } = await open(everything);
    await page.locator(".case-link").first().click();
    await page.getByRole("heading", { level: 2 }).waitFor();
    expect(await page.locator(".check.fail").first().innerText()).toMatch(
      /json_subset[^]*suites\/support-desk\.yaml:\d+:9/,
    );
    expect(await page.locator(".check.fail .change-line.removed").first().innerText()).toContain("refund");
    expect(await page.locator(".check.fail .change-line.added").first().innerText()).toContain("credit");
    expect(await page.locator("#baseline").innerText()).toMatch(
      /regressed[^]*Before[^]*100%[^]*Now[^]*p worse, adjusted\s+0\.031/,
    );
    expect(await page.getByText("pass^k").count()).toBe(1);

    await page.locator(".event-bar.tool").first().hover();
    expect(await page.getByRole("tooltip").innerText()).toMatch(/tool_call[^]*took \d+ ms[^]*"tool":/);
    await page.locator(".event-bar.tool").first().click();
    const opened = page.locator("details.event[open]");
    expect(await opened.locator("pre").innerText()).toMatch(/"tool": "\w+"/);

    await page.locator(".artifact summary", { hasText: "answer.md" }).click();
    expect(await page.locator(".artifact[open] .line").first().innerText()).toContain("# Answer");

    await page.getByRole("button", { name: /^Run 2/ }).click();
    await page.getByLabel("Compare with run").selectOption("3");
    const diff = page.locator("#run-diff");
    expect(await diff.innerText()).toMatch(/Run 2[^]*Run 3[^]*Sequence of events[^]*Artifacts[^]*answer\.md/);
    expect(await diff.locator(".change-line.added").count()).toBeGreaterThan(0);
    expect(page.url()).toMatch(/case=\d+&run=2&against=3/);
    expect(problems).toEqual([]);
    await page.close();
  });

  it("shows a conversation turn by turn, with what was asked, answered and found", async () => {
    const input = played({ tests: 1, runs: 1 });
    const results = input.results.map((one) => ({
      ...one,
      attempts: one.attempts.map((attempt) => ({ ...attempt, thread: thread("<b>the blue one</b>") })),
    }));
    const { page, problems } = await open(write("conversation", { ...input, results }));
    await go(page, "case=1");
    const turns = page.locator(".turn");
    expect(await turns.count()).toBe(2);
    expect(await turns.first().locator(".said").allInnerTexts()).toEqual([
      expect.stringMatching(/^user\s+<b>the blue one<\/b>$/),
      expect.stringMatching(/^agent asks \(input\)\s+which <b>/),
      expect.stringMatching(/^user answers\s+this <b>/),
    ]);
    expect(await turns.nth(1).innerText()).toMatch(/^Turn 2\s+failed[^]*3 more lines not in this report/i);
    await picture(page, "conversation");
    expect(problems).toEqual([]);
  });

  it("is read with the keyboard alone", async () => {
    const { page, problems } = await open(everything);
    await page.keyboard.press("/");
    await page.keyboard.type("warranty");
    await page.keyboard.press("Tab");
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    const second = await page.evaluate<string>("document.activeElement.textContent");
    expect(second).toBe((await names(page))[1]);
    await page.keyboard.press("Enter");
    await page.locator("#case-title").waitFor();
    const first = page.url();
    await page.keyboard.press("j");
    await page.waitForURL((url) => url.href !== first);
    await page.keyboard.press("Escape");
    await page.locator(".cases").waitFor();
    expect(await page.getByRole("searchbox").inputValue()).toBe("warranty");
    expect(problems).toEqual([]);
    await page.close();
  });

  it("switches its colours, and prints in light ones", async () => {
    const { page, problems } = await open(everything);
    const ground = () => page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
    expect(await ground()).toBe("rgb(255, 255, 255)");
    await page.getByRole("button", { name: "Switch to dark colours" }).click();
    expect(await ground()).toBe("rgb(18, 22, 28)");
    await page.emulateMedia({ media: "print" });
    expect(await ground()).toBe("rgb(255, 255, 255)");
    expect(await page.locator(".filters").isVisible()).toBe(false);
    expect(problems).toEqual([]);
    await page.close();
  });

  it("has enough contrast, names for what can be pressed, and landmarks", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      const { page, problems } = await open(everything, { ...DESKTOP, colorScheme });
      for (const hash of ["", "tab=plots", "tab=comparison", "case=4&against=2"]) {
        await go(page, hash);
        expect(await page.evaluate(LOW_CONTRAST), `${colorScheme} ${hash}`).toEqual([]);
        expect(await page.evaluate(NAMELESS), `${colorScheme} ${hash}`).toEqual([]);
      }
      for (const role of ["banner", "main", "contentinfo"] as const)
        expect(await page.getByRole(role).count()).toBe(1);
      expect(problems).toEqual([]);
      await page.close();
    }
  });

  it("stays usable with 1,000 cases and with 10,000", async () => {
    const thousand = played({ tests: 1000, runs: 3, events: 50 });
    for (const input of [thousand, repeated(played({ tests: 1000, runs: 1, events: 3 }), 10)]) {
      const { page, problems } = await open(write(`many-${input.results.length}`, input));
      expect(await page.locator(".cases tbody tr").count()).toBe(50);
      expect(await page.locator(".strip path").count()).toBeLessThan(5);
      await page.getByRole("searchbox").fill(`coupon-0`);
      await page.getByText(/^\d+ cases? of/).waitFor();
      await page.locator(".case-link").first().click();
      await page.locator(".checks").first().waitFor();
      expect(problems).toEqual([]);
      await page.close();
    }
  });

  it("shows what agents wrote as text: nothing runs, nothing is asked for", async () => {
    const texts = [
      ...HOSTILE,
      "<img src=http://127.0.0.1:9/x onerror=alert(1)>",
      "<svg/onload=alert(2)>",
      "javascript:alert(3)",
      "__proto__",
    ];
    const { page, problems } = await open(write("hostile", hostile(texts)));
    for (const [at, text] of texts.entries()) {
      await go(page, `case=${at + 1}&run=2&against=1`);
      await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
      await page.locator(".code").first().waitFor({ state: "attached" });
      if (text.includes("<")) expect(await page.locator("#content").innerText()).toContain(text);
    }
    for (const tab of ["cases", "plots", "comparison", "contests"]) {
      await go(page, `tab=${tab}`);
    }
    const strange =
      "#content :is(script, img, iframe, object, embed, link, base, form, style), #content [onerror], #content [onload]";
    expect(await page.locator(strange).count()).toBe(0);
    expect(problems).toEqual([]);
    await page.close();
  });

  it("says so when it cannot be unpacked, and keeps the rest readable", async () => {
    const page = await browser.newPage(DESKTOP);
    await page.addInitScript("delete globalThis.DecompressionStream");
    await page.goto(`${everything}#case=1`);
    await page.getByText("This browser cannot unpack the details").waitFor();
    await page.getByRole("link", { name: "All cases" }).click();
    expect(await names(page)).toHaveLength(50);
    await page.close();
  });
});

/** The same again and again, as other cases. */
function repeated({ plan, results }: Played, times: number): Played {
  const many = Array.from({ length: times }, () =>
    results.map((one) => ({ ...one, case: { ...one.case } })),
  ).flat();
  const cases = many.map((one) => one.case);
  return { plan: { ...plan, cases }, results: many, summary: summaryOf(many) };
}

/** Each text everywhere that others fill, in two runs. */
function hostile(texts: readonly string[]): Played {
  const suites = texts.map((text) => {
    return {
      file: text,
      name: text,
      agents: [],
      tests: [{ ...testOf(text, text, text), description: text, tags: [text] }],
    };
  });
  const cases = suites.flatMap((suite) =>
    suite.tests.map((test) => ({
      suite,
      test,
      agent: { label: test.id, target: "x" },
      constraints: {},
      options: {},
      runs: 2,
    })),
  );
  const results = cases.map((planned) => {
    const { test } = planned;
    const text = test.id;
    const attempts = [1, 2].map((number) => ({
      number,
      outcome: "fail" as const,
      source: "run" as const,
      runId: text,
      reason: text,
      failure: { code: text, message: text, details: { [text]: text } },
      checks: [
        check(text, "fail", text, test, { expected: text, actual: `${text} ${number}`, [text]: text }),
      ],
      metrics: {},
      evidence: {
        events: [
          { sequence: 0, type: text, at_ms: number, payload: { [text]: text, message: `${text}${number}` } },
        ],
        events_left_out: 0,
        artifacts: [
          {
            name: text,
            type: "file" as const,
            content_type: text,
            content_hash: `${text}${number}`,
            text: `${text}\n${number}`,
          },
        ],
        artifacts_left_out: 0,
      },
      durationMs: 5,
    }));
    return caseResult(planned, attempts);
  });
  return { plan: { suites, cases }, results, summary: summaryOf(results, texts.slice(0, 3), true) };
}

/** Texts whose contrast with what is behind them is below 4.5 (WCAG AA); 3 for large ones. In the page. */
const LOW_CONTRAST = `(() => {
  const parse = (colour) => (colour.match(/[\\d.]+/g) ?? []).map(Number);
  const light = (colour) => {
    const [r, g, b] = parse(colour).map((part) => { const share = part / 255; return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      const [, , , alpha = 1] = parse(colour);
      if (alpha > 0.9) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const found = new Set();
  for (const element of document.querySelectorAll("body *")) {
    const text = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== "");
    if (!text || !element.checkVisibility() || element.closest("script, style, noscript, svg, mark, [disabled], [aria-disabled]")) continue;
    const style = getComputedStyle(element);
    const [a, b] = [light(style.color), light(behind(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < (parseFloat(style.fontSize) >= 24 ? 3 : 4.5)) found.add(element.className + ": " + element.textContent.slice(0, 30) + " " + ratio.toFixed(2));
  }
  return [...found];
})()`;

/** Controls without a name. In the page. */
const NAMELESS = `[...document.querySelectorAll("button, a, input, select, [role=img], [role=region]")]
  .filter((element) => element.checkVisibility() && !(element.getAttribute("aria-label") || element.textContent.trim()))
  .map((element) => element.outerHTML.slice(0, 120))`;
