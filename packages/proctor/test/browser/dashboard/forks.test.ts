// Forks of runs in a real browser, with a model that is really asked.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Browser } from "playwright-core";
import type { Run } from "../../../src/core/run.ts";
import { says, serveModel } from "../../support/openai/scripted-model.ts";
import {
  axeProblems,
  openDashboardStage,
  overflow,
  picture,
  type DashboardStage,
} from "../../support/dashboard/stage.ts";
import { launchChromium } from "../chromium.ts";

const launched = await launchChromium();
if (typeof launched === "string") console.warn(`skipped: ${launched}`);

describe.skipIf(typeof launched === "string")("Forks on the pages", () => {
  let stage: DashboardStage;
  let first: Run;

  beforeAll(async () => {
    // Skipped above when it is a reason.
    stage = await openDashboardStage(launched as Browser);
    const model = await serveModel(says("It is 32 miles."), says("It is 51 kilometres."));
    first = await stage.run("How far is it to Bergen?", { agent: `openai+${model.base}#demo` });
  });

  afterAll(() => stage.close());

  it("begin at what an agent said, and lead back to their run and to the comparison with it", async () => {
    const { page, problems, close } = await stage.open(`/ui/runs/${first.id}?tab=messages`);
    await page.locator(".message.agent").getByRole("button", { name: "Fork from here" }).click();
    await page.getByLabel("What is said next").fill("In kilometres, please");
    expect(await axeProblems(page)).toEqual([]);
    await picture(page, "fork-dialog");
    await page.getByRole("button", { name: "Fork", exact: true }).click();
    await page.locator("h1", { hasText: "In kilometres, please" }).waitFor();
    await page.locator(".story-answer").getByText("It is 51 kilometres.").waitFor();
    await page.getByRole("link", { name: "Forked from another run" }).click();
    await page.locator("h1", { hasText: "How far is it" }).waitFor();
    await page.getByRole("link", { name: "Messages" }).click();
    const fork = page.locator(".fork-list li");
    await fork.getByText("In kilometres, please").waitFor();
    await picture(page, "forks");
    await fork.getByRole("link", { name: "Compare" }).click();
    await page.getByText("It is 51 kilometres.").first().waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  it("are offered only where a run can be forked", async () => {
    const run = await stage.run("story of a report");
    const { page, close } = await stage.open(`/ui/runs/${run.id}?tab=messages`);
    await page.getByRole("button", { name: "Fork at its end" }).waitFor();
    expect(await page.getByRole("button", { name: "Fork from here" }).count()).toBe(0);
    const { id } = await stage.submit("wait for the tide");
    await page.goto(`${stage.hub().url}/ui/runs/${id}?tab=messages`);
    await page.getByLabel("Say something to the agent").waitFor();
    expect(await page.getByRole("button", { name: /^Fork/ }).count()).toBe(0);
    await stage.hub().post(`/runs/${id}/cancel`);
    await close();
  });

  it.each([
    { width: 900, scheme: "dark" },
    { width: 390, scheme: "light" },
  ] as const)("read well $width pixels wide in $scheme colours", async ({ width, scheme }) => {
    const { page, close } = await stage.open(`/ui/runs/${first.id}?tab=messages`, {
      viewport: { width, height: 800 },
      colorScheme: scheme,
    });
    await page.getByRole("button", { name: "Fork at its end" }).waitFor();
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    expect(await axeProblems(page)).toEqual([]);
    await picture(page, `forks-${width}-${scheme}`);
    await close();
  });
});
