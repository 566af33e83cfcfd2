// The HTML report in a real Chromium: opened from disk, read, filtered and searched the way people do it.
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import type { Browser, CDPSession, Page } from "playwright-core";
import {
  caseResult,
  check,
  played,
  report,
  summaryOf,
  testOf,
  type Played,
} from "../support/reporters/html-report.ts";
import { LOW_CONTRAST, NAMELESS } from "../support/reporters/page-problems.ts";
import { HOSTILE, thread } from "../support/reporters/results.ts";
import { axeProblems, overflow } from "../support/dashboard/stage.ts";
import { openBrowserPages } from "../support/browser-pages.ts";
import { eventually } from "../support/eventually.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { launchChromium } from "./chromium.ts";

const launched = await launchChromium();
if (typeof launched === "string") console.warn(`skipped: ${launched}`);

/** Set to a folder to keep the pictures. */
const screenshots = process.env["PROCTOR_SCREENSHOTS"];
const folder = temporaryFolder("html-report");

const DESKTOP = { viewport: { width: 1280, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

/** Every part of the report that stands at an address of its own, and what shows that it is drawn. */
const VIEWS = {
  matrix: { hash: "/evaluations/report", drawn: ".matrix-row .cell-link" },
  cases: { hash: "/evaluations/report?tab=cases", drawn: ".case-link" },
  distributions: { hash: "/evaluations/report?tab=distributions", drawn: ".plot" },
  comparison: { hash: "/evaluations/report?tab=comparison", drawn: ".compared-row" },
  contests: { hash: "/evaluations/report?tab=contests", drawn: ".contest" },
};

/** What no text of an agent may become. */
const STRANGE =
  "#content :is(script, img, iframe, object, embed, link, base, form, style), #content [onerror], #content [onload], #content a:not([href^='#/']):not([href^='http']), #content a[href^='javascript']";

describe.skipIf(typeof launched === "string")("the HTML report in a browser", () => {
  // Skipped above when it is a reason.
  const browser = launched as Browser;
  const agents = ["atlas", "atlas-mini", "scout-3"];
  /** A report's origin without the report. */
  const quiet = pathToFileURL(join(folder, "quiet.html")).href;
  writeFileSync(fileURLToPath(quiet), "<title>nothing</title>");
  const everything = write("everything", played({ tests: 40, agents, runs: 5, compared: true }));

  const pages = openBrowserPages(browser, () => quiet);

  afterAll(() => browser.close());

  function write(name: string, input: Played): string {
    const file = join(folder, `${name}.html`);
    writeFileSync(file, report(input));
    return pathToFileURL(file).href;
  }

  /** A page that remembers everything that went wrong, was asked for, or popped up. */
  async function open(url: string, options: Parameters<Browser["newPage"]>[0] = DESKTOP) {
    const page = await pages.take(options);
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
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    await page.goto(url);
    await page.locator("#content h1").first().waitFor();
    async function close(): Promise<void> {
      await session.detach();
      await pages.giveBack(page);
    }
    return { page, problems, session, close };
  }

  /** To another view, until it is drawn. */
  async function go(page: Page, hash: string, drawn: string): Promise<void> {
    await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
    await page.locator(drawn).first().waitFor();
  }

  async function picture(page: Page, name: string): Promise<void> {
    if (screenshots === undefined) return;
    mkdirSync(screenshots, { recursive: true });
    await page.screenshot({ path: join(screenshots, `html-${name}.png`) });
  }

  const names = (page: Page) => page.locator(".case-link").allTextContents();

  /** Milliseconds of processor time that the page's script, style and layout took since it was opened. */
  async function scriptTime(session: CDPSession): Promise<number> {
    const { metrics } = await session.send("Performance.getMetrics");
    const of = (name: string): number => metrics.find((one) => one.name === name)?.value ?? 0;
    return (of("ScriptDuration") + of("LayoutDuration") + of("RecalcStyleDuration")) * 1000;
  }

  it.each([
    ["desktop", DESKTOP],
    ["desktop-dark", { ...DESKTOP, colorScheme: "dark" as const }],
    ["phone", PHONE],
    ["phone-dark", { ...PHONE, colorScheme: "dark" as const }],
  ])("every part fits on a %s, and axe finds nothing wrong with it", async (name, options) => {
    const { page, problems } = await open(everything, options);
    for (const [view, { hash, drawn }] of Object.entries(VIEWS)) {
      await go(page, hash, drawn);
      expect(await overflow(page), view).toBe(0);
      // In the dark the same is drawn in other colours.
      const part = "colorScheme" in options ? "colours" : "all";
      expect(await axeProblems(page, part), view).toEqual([]);
      expect(await page.evaluate(LOW_CONTRAST), view).toEqual([]);
      expect(await page.evaluate(NAMELESS), view).toEqual([]);
      await picture(page, `${name}-${view}`);
    }
    for (const role of ["banner", "main", "contentinfo"] as const)
      expect(await page.getByRole(role, { includeHidden: true }).count()).toBe(1);
    expect(problems).toEqual([]);
    await page.close();
  });

  it("says what came out, and lists the worst first", async () => {
    const { page, problems, close } = await open(everything);
    expect(await page.title()).toBe("support desk and 1 more · Proctor");
    const head = await page.locator(".evaluation-head").innerText();
    expect(head).toMatch(/Fail[^]*of 120 cases passed[^]*\d+ failed[^]*\d+ not evaluated/);
    expect(head).toContain("2026-03-04 10:15 UTC");
    expect(head).toMatch(/91 % of the runs passed\s+88 % to 93 %, Wilson interval of 95 %/);
    expect(head).toMatch(/\d+ of 600 runs were not made now: \d+ cached\./);
    expect(await page.locator(".matrix-rows [role=row]").first().innerText()).toMatch(/0 %[^]*Worse/);
    await page.getByRole("link", { name: /^Cases/ }).click();
    const first = page.locator(".list-rows .list-row").first();
    expect(await first.innerText()).toMatch(/Fail[^]*json_subset: \$\.ticket\.kind is not as expected/);
    expect(problems).toEqual([]);
    await close();
  });

  it("shows what was not run, what stopped it, and that agents must agree", async () => {
    const { plan, results } = played({ tests: 4 });
    const ended = results.slice(0, 3);
    const summary = {
      ...summaryOf(ended),
      total: 4,
      notRun: plan.cases.slice(3),
      stopped: "max-cost" as const,
      skipped: [{ id: "gpu-task" }] as never,
    };
    const file = write("stopped", { plan: { ...plan, differential: true }, results: ended, summary });
    const { page, problems, close } = await open(file);
    expect(await page.locator(".evaluation-head").innerText()).toMatch(
      /1 not run[^]*limit of cost was reached[^]*gpu-task[^]*cannot be run here[^]*several transports/,
    );
    await page.getByRole("button", { name: /^Not run 1/ }).click();
    await expect.poll(() => page.locator(".case-link").count()).toBe(1);
    await page.locator(".case-link").click();
    await page.locator(".page-head").getByText("Not run").waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  it("filters, sorts and searches, and a link opens the same view", async () => {
    const { page, problems, close } = await open(`${everything}#/evaluations/report?tab=cases`);
    await page.getByRole("searchbox").fill("refund policy");
    await page.getByLabel("Agent", { exact: true }).selectOption("scout-3");
    await page.getByRole("button", { name: "p95" }).click();
    await page.locator(".found").waitFor();
    await eventually(async () => {
      expect(new Set(await names(page))).toEqual(new Set(["refund: cites the policy"]));
      expect(new Set(await page.locator(".list-rows .list-agent").allInnerTexts())).toEqual(
        new Set(["scout-3"]),
      );
      const sorted = (await page.locator(".list-rows .list-p95").allInnerTexts()).map(Number.parseFloat);
      expect(sorted).toEqual(sorted.toSorted((a, b) => b - a));
    });
    const shown = await names(page);
    const linked = await open(page.url());
    await expect.poll(() => names(linked.page)).toEqual(shown);
    expect(await linked.page.getByRole("searchbox").inputValue()).toBe("refund policy");
    await page.getByRole("link", { name: "Clear" }).click();
    await page.locator(".found").waitFor({ state: "detached" });
    await page.getByRole("button", { name: /^Fail/ }).click();
    await page.locator(".found").waitFor();
    await eventually(async () => {
      const outcomes = await page.locator(".list-rows .list-outcome").allInnerTexts();
      expect(new Set(outcomes.map((text) => text.trim()))).toEqual(new Set(["Fail"]));
    });
    await page.getByLabel("Tag").selectOption("safety");
    await eventually(async () => {
      for (const tags of await page.locator(".list-rows .list-notes").allInnerTexts())
        expect(tags).toContain("safety");
    });
    await page.goBack();
    await page.waitForURL((url) => !url.href.includes("tag="));
    await expect.poll(() => page.getByLabel("Tag").inputValue()).toBe("");
    await page.goForward();
    await page.waitForURL((url) => url.href.includes("tag=safety"));
    expect([...problems, ...linked.problems]).toEqual([]);
    await close();
    await linked.close();
  });

  it("shows a case: checks, differences, timeline, artifacts, another run, the baseline", async () => {
    const { page, problems, close } = await open(`${everything}#/evaluations/report?tab=cases`);
    await page.locator(".case-link").first().click();
    const failed = page.locator(".check.tone-fail").first();
    await failed.waitFor();
    expect(await failed.innerText()).toMatch(/json_subset[^]*suites\/support-desk\.yaml:\d+:9/);
    expect(await failed.locator(".diff .removed").first().innerText()).toContain("refund");
    expect(await failed.locator(".diff .added").first().innerText()).toContain("credit");
    // The checks are there before the rest of the run has been read.
    await expect
      .poll(async () => (await page.locator(".run-story h2").allInnerTexts()).slice(0, 5))
      .toEqual(["Question", "Answer", "Checks", "Timeline", "What it did"]);
    await page.getByText("Statistics", { exact: true }).click();
    expect(await page.locator(".case-statistics").innerText()).toMatch(/pass@k[^]*pass\^k[^]*Latency/);
    await expect.poll(() => page.locator(".waterfall-rows .waterfall-row").count()).toBeGreaterThan(3);
    await page.getByText("3 more events are not in this report").waitFor();

    // Artifacts stand first among the rest.
    await expect.poll(() => page.locator(".artifact-preview").innerText()).toContain("Kind regards");
    await page.locator(".artifact-list a", { hasText: "ticket" }).click();
    await page.locator(".artifact-preview").getByText('"credit"').waitFor();
    await page.getByRole("link", { name: /^Tool calls/ }).click();
    await page.locator("table.tools").getByText("create_ticket").first().waitFor();
    await page.getByRole("link", { name: "Log", exact: true }).click();
    await page.locator(".event-line").nth(2).click();
    expect(await page.locator(".event-whole").innerText()).toMatch(/tool: "\w+"/);

    await page.getByRole("link", { name: "Comparison" }).click();
    expect(await page.locator(".case-comparison").innerText()).toMatch(
      /Worse\s+Fisher’s exact test for worse: p = 0\.031 after Holm’s correction[^]*Before[^]*After[^]*100 %[^]*0 %[^]*p = 0\.008/,
    );

    await page.getByRole("link", { name: /^Runs/ }).click();
    await page.getByRole("link", { name: /Run 2/ }).click();
    await page.waitForURL(/run=2/);
    await page.getByLabel("Compare with run").selectOption({ label: "Run 3 (Fail)" });
    await page.locator(".aligned").waitFor();
    expect(await page.locator(".compare").innerText()).toMatch(
      /Took[^]*Cost[^]*Tokens[^]*steps differ|of \d+/i,
    );
    expect(await page.locator(".aligned-row.differs").count()).toBeGreaterThan(0);
    // A link to two runs finds them in a report that was just opened.
    const linked = await open(page.url());
    await linked.page.locator(".aligned").waitFor();
    expect([...problems, ...linked.problems]).toEqual([]);
    await close();
    await linked.close();
  });

  it("shows the baseline's cases with the words of the exact test, and who won contests", async () => {
    const { page, problems, close } = await open(`${everything}#/evaluations/report?tab=comparison`);
    const rows = page.locator(".compared-rows .compared-row");
    await rows.first().waitFor();
    expect(await page.locator(".comparison-summary").innerText()).toMatch(
      /From main to now[^]*cases got worse[^]*McNemar’s exact test[^]*p = 0\.021[^]*−2\.41 \(p = 0\.044\)/,
    );
    expect(await rows.first().innerText()).toMatch(/Worse[^]*100 %[^]*3 of 3[^]*Fisher’s exact test/);
    await page.getByRole("button", { name: /^Better/ }).click();
    await page.waitForURL(/changed=improved/);
    await expect.poll(() => rows.first().innerText()).toContain("for better: p = 0.024");
    await page.getByRole("link", { name: /^Contests/ }).click();
    expect(await page.locator(".contests").innerText()).toMatch(
      /2 contests\. atlas won 1[^]*atlas did best: the best score[^]*winner[^]*94\.5[^]*No winner: the scores are equal/,
    );
    expect(problems).toEqual([]);
    await close();
  });

  it("draws how the figures of the runs are spread, and the lowest pass rates first", async () => {
    const { page, problems, close } = await open(`${everything}#/evaluations/report?tab=distributions`);
    await page.locator(".plot").first().waitFor();
    expect(await page.locator(".plot-panel h2").allInnerTexts()).toEqual([
      "Latency",
      "Cost",
      "Tokens",
      "Score",
    ]);
    expect(await page.locator(".plot-bar").count()).toBeGreaterThan(50);
    await page.locator(".plot-panel summary").first().click();
    expect(await page.locator(".plot-panel table").first().innerText()).toMatch(
      /Runs\s+Min\s+p50[^]*atlas-mini/,
    );
    expect(await page.locator(".pass-rates li").first().innerText()).toContain("0 %");
    await page.getByLabel("Agent", { exact: true }).selectOption("atlas");
    await page.waitForURL(/agent=atlas/);
    await expect
      .poll(() => page.locator(".plot-panel").first().locator(".plot-lane").allTextContents())
      .not.toContain("scout-3");
    expect(problems).toEqual([]);
    await close();
  });

  it("shows a conversation turn by turn, with what was asked, answered and found", async () => {
    const input = played({ tests: 1, runs: 1 });
    const results = input.results.map((one) => ({
      ...one,
      attempts: one.attempts.map((attempt) => ({ ...attempt, thread: thread("<b>the blue one</b>") })),
    }));
    const { page, problems, close } = await open(write("conversation", { ...input, results }));
    await page.locator(".case-link").first().click();
    const turns = page.locator(".turn");
    await turns.first().waitFor();
    expect(await turns.count()).toBe(2);
    expect(await turns.first().locator(".turn-line").allInnerTexts()).toEqual([
      expect.stringMatching(/^user\s+<b>the blue one<\/b>$/),
      expect.stringMatching(/^agent asks \(input\)\s+which <b>/),
      expect.stringMatching(/^user answers\s+this <b>/),
    ]);
    expect(await turns.nth(1).innerText()).toMatch(/^Turn 2\s+Fail[^]*3 more lines are not in this report/i);
    await picture(page, "conversation");
    expect(problems).toEqual([]);
    await close();
  });

  it("shows what an agent printed before it crashed, its notes and the rules it broke", async () => {
    const input = played({ tests: 1, runs: 1 });
    const failure = {
      code: "AGENT_CRASHED",
      message: "the program ended with code 1",
      details: { stderr: "Traceback\n  \u001b[31mKeyError: 'MODEL_KEY'\u001b[0m\n", exit_code: 1 },
    };
    const results = input.results.map((one) => ({
      ...one,
      attempts: one.attempts.map((attempt) => ({
        ...attempt,
        failure,
        status: "failed" as const,
        isolated: false as const,
        notes: ["the terminal was resized"],
        retried: ["0195-before"],
        evidence: {
          ...attempt.evidence!,
          violations: [{ rule: "atp.stdout", message: "not JSON", where: "line 3" }],
        },
      })),
    }));
    const { page, problems, close } = await open(write("crash", { ...input, results }));
    await page.locator(".case-link").first().click();
    await page.locator(".last-words").waitFor();
    expect(await page.locator(".last-words").innerText()).toMatch(
      /stderr:\s+Traceback\s+KeyError: 'MODEL_KEY'\s+agents do not inherit[^]*--env MODEL_KEY/,
    );
    const story = await page.locator(".run-story").innerText();
    expect(story).toMatch(/AGENT_CRASHED/);
    expect(story).toMatch(/none: it worked on the hub's machine itself/);
    expect(story).toMatch(/the terminal was resized/);
    expect(story).toMatch(/0195-before/);
    await page.getByText("Details of the failure").click();
    await page.getByText("exit_code").waitFor();
    await page.getByRole("link", { name: /^Violations/ }).click();
    expect(await page.locator(".wide-table").innerText()).toMatch(/atp\.stdout\s+not JSON\s+line 3/);
    expect(problems).toEqual([]);
    await close();
  });

  it("offers nothing that needs a hub", async () => {
    const { page, problems, close } = await open(everything);
    await page.locator(".cell-link").first().click();
    await page.locator(".artifact-preview").waitFor();
    for (const name of [/remove/i, /run again|rerun/i, /cancel/i, /download/i, /history/i, /open the run/i])
      expect(await page.getByRole("button", { name }).or(page.getByRole("link", { name })).count()).toBe(0);
    const links = await page
      .locator("a[href]")
      .evaluateAll((all) => all.map((one) => one.getAttribute("href")));
    expect(links.filter((href) => href?.startsWith("#/") !== true)).toEqual([]);
    expect(problems).toEqual([]);
    await close();
  });

  it("is read with the keyboard alone", async () => {
    const { page, problems, close } = await open(`${everything}#/evaluations/report?tab=cases`);
    await page.keyboard.press("/");
    await page.keyboard.type("warranty");
    await page.locator(".found").waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    const second = await page.locator(".list-row[data-current] .case-link").innerText();
    expect(second).toBe((await names(page))[1]);
    await page.keyboard.press("Enter");
    await page.locator(".case-head").waitFor();
    const first = page.url();
    const place = await page.locator(".case-nav").innerText();
    await page.keyboard.press("j");
    // The address changes before the page does, which has the keys.
    await expect.poll(() => page.locator(".case-nav").innerText()).not.toBe(place);
    await page.keyboard.press("ArrowLeft");
    await page.waitForURL(first);
    await page.keyboard.press("Escape");
    await page.locator(".case-list").waitFor();
    await expect.poll(() => page.getByRole("searchbox").inputValue()).toBe("warranty");
    await page.keyboard.press("?");
    expect(await page.locator("dialog").innerText()).toContain("Show this sheet");
    expect(problems).toEqual([]);
    await close();
  });

  it("switches its colours, and prints in light ones", async () => {
    const { page, problems } = await open(everything);
    const ground = () => page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
    expect(await ground()).toBe("rgb(255, 255, 255)");
    await page.getByRole("button", { name: "Switch to dark colours" }).click();
    await expect.poll(ground).toBe("rgb(16, 19, 23)");
    await page.emulateMedia({ media: "print" });
    expect(await ground()).toBe("rgb(255, 255, 255)");
    expect(await page.locator(".case-filters").isVisible()).toBe(false);
    // Paper does not scroll: all rows are there.
    await expect.poll(() => page.locator(".matrix-rows [role=row]").count()).toBe(40);
    expect(problems).toEqual([]);
    await page.close();
  });

  it("stays usable with 1,000 cases and with 10,000", async () => {
    const thousand = played({ tests: 1000, runs: 3, events: 50 });
    for (const input of [thousand, repeated(played({ tests: 1000, runs: 1, events: 3 }), 10)]) {
      const url = write(`many-${input.results.length}`, input);
      if (input === thousand) expect(statSync(fileURLToPath(url)).size).toBeLessThan(5e6);
      const { page, problems, session, close } = await open(url);
      await page.locator(".list-row .case-link").first().waitFor();
      const scriptMs = await scriptTime(session);
      // Processor time, which only a much slower machine or much more work takes.
      if (input === thousand) expect(scriptMs).toBeLessThan(3000);
      expect(await page.locator(".list-rows .list-row").count()).toBeLessThan(60);
      await page.getByRole("searchbox").fill("coupon-0");
      await page.locator(".found").waitFor();
      await page.locator(".case-link").first().click();
      await page.locator(".checks").first().waitFor();
      expect(problems).toEqual([]);
      await close();
    }
  });

  it("shows what agents wrote as text: nothing runs, nothing is asked for", async () => {
    const texts = [
      ...HOSTILE,
      "<img src=http://127.0.0.1:9/x onerror=alert(1)>",
      "<svg/onload=alert(2)>",
      "javascript:alert(3)",
      "__proto__",
      "مرحبا بالعالم 👩‍💻 \u202ereversed\u202c \u001b[31mred\u001b[0m",
      "![x](http://127.0.0.1:9/y.png) [link](javascript:alert(4))",
    ];
    const input = hostile(texts);
    const { page, problems } = await open(write("hostile", input), {
      // All cases are on the screen.
      viewport: { width: 1280, height: 3000 },
      offline: true,
    });
    await go(page, "/evaluations/report?tab=cases&order=plan", ".case-list");
    await expect.poll(() => page.locator(".case-link").count()).toBe(texts.length);
    const links = await page
      .locator(".case-link")
      .evaluateAll((all) => all.map((one) => one.getAttribute("href") ?? ""));
    expect(links).toHaveLength(texts.length);
    for (const [at, href] of links.entries()) {
      const text = texts[at] ?? "";
      await go(page, `${href.slice(1)}&run=2`, ".check");
      await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
      if (/^[\x20-\x7e]*<[\x20-\x7e]*$/.test(text))
        expect(await page.locator("#content").innerText()).toContain(text);
      for (const part of ["log", "artifacts", "messages", "tools", "violations"]) {
        await go(
          page,
          `${href.slice(1)}&run=2&part=${part}`,
          `[aria-current][href*="part=${part}"], .artifact-preview`,
        );
      }
      expect(await page.locator(STRANGE).count(), text).toBe(0);
      // Marks that turn text around are spelled out.
      expect(await page.locator("#content").innerText()).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    }
    for (const tab of ["matrix", "cases", "distributions", "comparison", "contests"]) {
      await go(page, `/evaluations/report?tab=${tab}`, ".evaluation-head");
      expect(await page.locator(STRANGE).count(), tab).toBe(0);
    }
    expect(await page.evaluate("({}).polluted")).toBeUndefined();
    expect(problems).toEqual([]);
    await page.close();
  });

  it("lets nothing run or load but its own script and style", async () => {
    const { page } = await open(everything);
    const policy = await page.locator("meta[http-equiv=Content-Security-Policy]").getAttribute("content");
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'sha256-[\w+/=]+'; style-src 'sha256-[\w+/=]+'; img-src data: blob:; base-uri 'none'; form-action 'none'$/,
    );
    const ran = await page.evaluate(
      `(() => {
        const script = document.createElement("script");
        script.textContent = "window.ran = true";
        document.body.append(script);
        return window.ran === true;
      })()`,
    );
    expect(ran).toBe(false);
    await page.close();
  });

  it("opens at its start for an address that leads nowhere", async () => {
    for (const hash of ["#nonsense", "#/evaluations/%E0%A4%A", "#/?tab=%00&order=by-x"]) {
      const { page, problems, close } = await open(`${everything}${hash}`);
      expect(await page.locator("h1").innerText()).toBe("support desk and 1 more");
      expect(problems).toEqual([]);
      await close();
    }
  });

  it("says so when it cannot be unpacked, and keeps the rest readable", async () => {
    const page = await browser.newPage(DESKTOP);
    await page.addInitScript("delete globalThis.DecompressionStream");
    await page.goto(`${everything}#/evaluations/report?tab=cases`);
    await page.locator(".case-link").first().click();
    await page.getByText("This browser cannot unpack the details").waitFor();
    await page.getByRole("link", { name: "support desk and 1 more" }).click();
    await expect.poll(async () => (await names(page)).length).toBeGreaterThan(10);
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
