// The hub's pages in a real browser, against a real hub with real agents: what is shown, what can be done, and that it stays live.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Browser } from "playwright-core";
import type { Run } from "../../../src/core/run.ts";
import {
  axeProblems,
  openDashboardStage,
  overflow,
  picture,
  type DashboardStage,
} from "../../support/dashboard/stage.ts";
import { calls, says, serveModel } from "../../support/openai/scripted-model.ts";
import { launchChromium } from "../chromium.ts";

const launched = await launchChromium();
if (typeof launched === "string") console.warn(`skipped: ${launched}`);

describe.skipIf(typeof launched === "string")("The dashboard", () => {
  let stage: DashboardStage;
  let made: Promise<Run> | undefined;
  /** A run that has everything a page can show; the first test wants a hub without any. */
  const storyRun = (): Promise<Run> => (made ??= stage.run("story of a report"));

  beforeAll(async () => {
    // Skipped above when it is a reason.
    stage = await openDashboardStage(launched as Browser);
  });

  afterAll(async () => {
    await stage.close();
  });

  /** A run of an agent that asks this, and then says that. */
  async function submitAsking(question: string, answer: string): Promise<Run> {
    const model = await serveModel(calls({ name: "ask_user", arguments: { question } }), says(answer));
    const agent = `openai+${model.base}#demo`;
    return stage.hub().post<Run>("/runs", { agent, task: { description: "Book it" } });
  }

  it("teaches the first three commands while nothing has run", async () => {
    const { page, problems, close } = await stage.open("/");
    await page.getByText("Nothing has run yet").waitFor();
    expect(await page.locator(".command").count()).toBe(3);
    expect(await axeProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
    await close();
  });

  it("shows a run in the list the moment it begins, and how it goes, without asking again", async () => {
    const { page, problems, asked, close } = await stage.open("/ui/runs");
    await page.getByText("Live", { exact: true }).waitFor();
    const { id } = await stage.submit("wait for the tide");
    const row = page.locator(`[data-run="${id}"]`);
    await row.getByText("Running").waitFor();
    const before = asked.filter((path) => path.startsWith("/runs")).length;
    await stage.hub().post(`/runs/${id}/cancel`);
    await row.getByText("Cancelled").waitFor();
    expect(asked.filter((path) => path.startsWith("/runs")).length).toBe(before);
    expect(problems).toEqual([]);
    await close();
  });

  it("tells the story of a run: what happened, what came of it, what it cost", async () => {
    const story = await storyRun();
    const { page, problems, asked, close } = await stage.open(`/ui/runs/${story.id}`);
    await page.getByRole("heading", { name: "Summary" }).waitFor();
    expect(await page.locator(".story-main").innerText()).toContain("Revenue grew by 12 %");
    expect(await page.locator(".story-side").innerText()).toContain("$0.012");
    expect(asked.filter((path) => path.startsWith("/runs/")).length).toBeLessThanOrEqual(3);
    expect(await axeProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
    await close();
  });

  it.each([
    ["messages", "Revenue grew"],
    ["timeline", "read_file"],
    ["log", "retrying"],
    ["tools", "permission denied"],
    ["artifacts", "report.md"],
    ["violations", "No rule was broken"],
    ["environment", "Constraints"],
    ["events", "Created"],
  ])("shows the %s of a run, at its own address", async (tab, text) => {
    const story = await storyRun();
    const { page, problems, close } = await stage.open(`/ui/runs/${story.id}?tab=${tab}`);
    await page.getByText(text).first().waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await picture(page, `run-${tab}`);
    expect(problems).toEqual([]);
    await close();
  });

  it("previews artifacts as what they are, and hands out their bytes", async () => {
    const story = await storyRun();
    const { page, close } = await stage.open(`/ui/runs/${story.id}?tab=artifacts`);
    await page.getByRole("link", { name: "change.diff" }).click();
    await page.locator(".diff .added", { hasText: "new line" }).waitFor();
    await page.getByRole("link", { name: "data.json" }).click();
    await page.locator(".json", { hasText: "Oslo" }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("data.json");
    await page.goBack();
    await page.locator(".diff").waitFor();
    await close();
  });

  it("finds and filters in the log, with the filter in the address", async () => {
    const story = await storyRun();
    const { page, close } = await stage.open(`/ui/runs/${story.id}?tab=log`);
    await page.getByRole("button", { name: "Tools" }).click();
    await expect.poll(() => page.locator(".event").count()).toBe(2);
    await page.getByLabel("Search in the log").fill("denied");
    await expect.poll(() => page.locator(".event").count()).toBe(1);
    expect(new URL(page.url()).search).toContain("kind=tool");
    await page.reload();
    await expect.poll(() => page.locator(".event").count()).toBe(1);
    await close();
  });

  it("answers a question in the inbox, and the run goes on", async () => {
    const { id } = await submitAsking("Which city?", "Oslo is booked.");
    const { page, problems, close } = await stage.open("/ui/inbox");
    await page.getByText("Which city?").waitFor();
    expect(await page.locator(".side .count").innerText()).toBe("1");
    expect(await axeProblems(page)).toEqual([]);
    await page.getByLabel("Your answer").fill("Oslo");
    await page.getByRole("button", { name: "Answer", exact: true }).click();
    await page.getByText("Nothing waits for you.").waitFor();
    expect((await stage.hub().ended(id)).status).toBe("completed");
    expect(problems).toEqual([]);
    await close();
  });

  it("answers a question on the page of the run, and shows what came of it", async () => {
    const { id } = await submitAsking("Which day?", "Monday it is.");
    const { page, close } = await stage.open(`/ui/runs/${id}`);
    await page.getByLabel("Your answer").fill("Monday");
    await page.getByRole("button", { name: "Answer", exact: true }).click();
    await page.locator(".story-answer", { hasText: "Monday it is." }).waitFor();
    await page.getByText("Completed").first().waitFor();
    await close();
  });

  it("pauses, resumes and cancels a run, and runs it again with changes", async () => {
    const { id } = await stage.submit("wait for it");
    const { page, problems, close } = await stage.open(`/ui/runs/${id}`);
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByText("Paused").first().waitFor();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByText("Running").first().waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("Cancelled").first().waitFor();
    await page.getByRole("button", { name: "Run again with changes" }).click();
    await page.getByLabel("Task").fill("Say hello");
    await page.getByRole("button", { name: "Run again", exact: true }).last().click();
    await page.getByRole("heading", { name: "Say hello" }).waitFor();
    await page.locator(".story-answer", { hasText: "Done: Say hello" }).waitFor();
    expect(page.url()).not.toContain(id);
    expect(problems).toEqual([]);
    await close();
  });

  it("plays the terminal of a run again", async () => {
    const { id } = await stage.run("terminal recording");
    const { page, problems, close } = await stage.open(`/ui/runs/${id}`);
    await page.getByRole("link", { name: "Terminal" }).click();
    await page.locator(".ap-player").waitFor();
    await page.locator(".ap-player").click();
    await page.getByText("played again").waitFor();
    await page.getByLabel("Speed").selectOption({ label: "8× speed" });
    await page.getByLabel("Jump to a step").selectOption({ label: "Step 2" });
    await page.getByText("sleep 60").waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await picture(page, "terminal");
    expect(problems).toEqual([]);
    await close();
  });

  it("makes a test of a run, which can be taken along", async () => {
    const { id } = await storyRun();
    const { page, problems, close } = await stage.open(`/ui/runs/${id}`);
    await page.getByRole("button", { name: "Make a test of it" }).click();
    await page.getByRole("dialog").getByText("story of a report").first().waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("dialog").getByRole("button", { name: "Download" }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^run-.+\.yaml$/);
    expect(problems).toEqual([]);
    await close();
  });

  it("says nothing of two runs before it has read both", async () => {
    const story = await storyRun();
    const late = await stage.run("story of a report");
    const { page, problems, close } = await stage.open("/ui/compare");
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(`**/runs/${late.id}/events**`, async (route) => {
      await held;
      await route.continue();
    });
    const isRead = page.waitForResponse((response) => response.url().includes(`/runs/${story.id}/events`));
    await page.goto(`${stage.hub().url}/ui/compare?a=${story.id}&b=${late.id}`);
    await (await isRead).finished();
    await page.evaluate("new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))");
    expect(await page.locator(".compare").innerText()).not.toMatch(/steps differ|step is the same/);
    expect(await page.locator(".aligned-row").count()).toBe(0);
    release();
    await page.locator(".aligned-row.same", { hasText: "Called search" }).waitFor();
    expect(await page.locator(".aligned-row.differs").count()).toBe(0);
    expect(problems).toEqual([]);
    await close();
  });

  it("compares two runs step by step", async () => {
    const story = await storyRun();
    const other = await stage.run("fail on purpose");
    const { page, problems, close } = await stage.open(`/ui/compare?a=${story.id}&b=${other.id}`);
    await page.locator(".aligned-row.differs", { hasText: "Called search" }).waitFor();
    expect(
      await page.locator(".aligned-row.differs", { hasText: "the model refused to answer" }).count(),
    ).toBe(1);
    expect(await page.locator(".aligned-row.same", { hasText: "Started" }).count()).toBe(1);
    expect(await axeProblems(page)).toEqual([]);
    await picture(page, "compare");
    await page.getByRole("button", { name: "Only differences" }).click();
    await expect.poll(() => page.locator(".aligned-row.same").count()).toBe(0);
    expect(problems).toEqual([]);
    await close();
  });

  it("shows a conversation as one talk", async () => {
    const story = await storyRun();
    const { page, problems, close } = await stage.open(`/ui/conversations/${story.id}`);
    await page.getByRole("heading", { name: "Summary" }).waitFor();
    expect(await axeProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
    await close();
  });

  it("is used with keys alone: j and k, Enter, slash, the sheet at ?", async () => {
    const { page, close } = await stage.open("/ui/runs");
    await page.locator(".run-row[data-run]").first().waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    const id = await page.locator("[data-current]").getAttribute("data-run");
    expect(id).toBe(await page.locator(".run-row[data-run]").first().getAttribute("data-run"));
    await page.keyboard.press("?");
    await page.getByRole("dialog").getByText("Go to the inbox").waitFor();
    await page.keyboard.press("Escape");
    // The keys are the page's again when the browser has closed the sheet.
    await expect
      .poll(async () => {
        await page.keyboard.press("/");
        return page.evaluate("document.activeElement.type");
      })
      .toBe("search");
    await page.locator("h1").click();
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/ui/runs/${id}`);
    await page.goBack();
    await page.waitForURL("**/ui/runs");
    await close();
  });

  it("cancels and removes many runs at once", async () => {
    const ids = [(await stage.submit("wait one")).id, (await stage.submit("wait two")).id];
    const { page, close } = await stage.open("/ui/runs");
    await page.getByText("Live", { exact: true }).waitFor();
    for (const id of ids) await page.locator(`[data-run="${id}"] input`).check();
    await page.getByRole("button", { name: "Cancel them" }).click();
    for (const id of ids) await page.locator(`[data-run="${id}"]`, { hasText: "Cancelled" }).waitFor();
    // The rows hear of it before the requests are answered; then nothing is selected any more.
    await page.getByRole("button", { name: "Cancel them" }).waitFor({ state: "detached" });
    for (const id of ids) await page.locator(`[data-run="${id}"] input`).check();
    await page.getByRole("button", { name: "Remove them" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    for (const id of ids) await page.locator(`[data-run="${id}"]`).waitFor({ state: "detached" });
    expect((await stage.hub().send("GET", `/runs/${ids[0]}`)).status).toBe(404);
    await close();
  });

  it("exports what the filter finds", async () => {
    const { page, close } = await stage.open("/ui/runs?status=completed");
    await page.locator(".run-row[data-run]").first().waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "CSV" }).click(),
    ]);
    const stream = await download.createReadStream();
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    const lines = Buffer.concat(chunks).toString().trim().split("\r\n");
    expect(lines[0]).toContain("id,status,agent,task");
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines.slice(1)) expect(line).toContain(",completed,");
    await close();
  });

  it("remembers a filter by name in this browser", async () => {
    const { page, close } = await stage.open("/ui/runs?status=failed");
    await page.getByRole("button", { name: "Save this filter" }).click();
    await page.getByLabel("Name of the filter").fill("Broken");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.goto(`${stage.hub().url}/ui/runs`);
    await page.getByRole("link", { name: "Broken" }).click();
    await page.waitForURL("**/ui/runs?status=failed");
    await close();
  });

  it("shows that the hub is gone, and catches up with what happened when it is back", async () => {
    const { page, close } = await stage.open("/ui/runs");
    await page.locator(".run-row[data-run]").first().waitFor();
    const before = await page.locator(".run-row[data-run]").count();
    await stage.stop();
    await page.getByText("Connection lost").waitFor();
    expect(await page.locator(".run-row[data-run]").count()).toBe(before);
    await stage.start();
    const { id } = await stage.run("Say hello again");
    await page.locator(`[data-run="${id}"]`, { hasText: "Completed" }).waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
    await close();
  });

  it.each([
    ["wide and light", { viewport: { width: 1440, height: 900 } }, "all"],
    ["narrow and dark", { viewport: { width: 900, height: 800 }, colorScheme: "dark" as const }, "all"],
    ["on a phone", { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }, "all"],
    // What was drawn on the phone before, in other colours.
    [
      "on a phone in the dark",
      { viewport: { width: 390, height: 844 }, colorScheme: "dark" as const },
      "colours",
    ],
  ] as const)("fits and can be read %s", async (name, options, part) => {
    const story = await storyRun();
    const paths = [
      "/",
      "/ui/runs",
      "/ui/inbox",
      "/ui/settings",
      `/ui/runs/${story.id}`,
      `/ui/runs/${story.id}?tab=log`,
    ];
    const { page, problems, close } = await stage.open("/", options);
    for (const path of paths) {
      await page.goto(`${stage.hub().url}${path}`);
      await page.locator("h1").first().waitFor();
      expect([path, await overflow(page)]).toEqual([path, 0]);
      expect([path, await axeProblems(page, part)]).toEqual([path, []]);
      await picture(page, `${name.replaceAll(" ", "-")}${path.replaceAll(/[/?=]/g, "-").slice(0, 20)}`);
    }
    expect(problems).toEqual([]);
    await close();
  });
});
