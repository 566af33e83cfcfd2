// Doubles and what was asked of them, in a real browser against a real hub.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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

const HOSTILE = `<img src=x onerror="window.hit=1"> \u202Eevil\u202C مرحبا 🐝 ${"long ".repeat(2000)}`;

describe.skipIf(typeof launched === "string")("The dashboard's doubles", () => {
  let stage: DashboardStage;
  let id: string;

  beforeAll(async () => {
    // Skipped above when it is a reason.
    stage = await openDashboardStage(launched as Browser);
  });

  afterAll(async () => {
    await stage.close();
  });

  const ask = (asked: string, unmatched: boolean) => ({
    at: new Date().toISOString(),
    asked,
    request: { text: HOSTILE },
    answered: { status: unmatched ? 404 : 200 },
    matched: unmatched ? null : "greeting",
    unmatched,
  });

  it("teach how to start one, and show it when it announces itself, with what it is asked", async () => {
    const { page, problems, close } = await stage.open("/ui/doubles");
    await page.getByText("No double has announced itself").waitFor();
    const double = {
      kind: "agent",
      name: "greets.yaml",
      address: "http://127.0.0.1:4100",
      host: "here",
      pid: 7,
    };
    ({ id } = await stage.hub().post<{ id: string }>("/doubles", double));
    await page.getByRole("link", { name: "greets.yaml" }).waitFor();
    await stage
      .hub()
      .post(`/doubles/${id}/requests`, { requests: [ask("send hello", false), ask("send what", true)] });
    await page.getByRole("link", { name: "greets.yaml" }).click();
    await page.getByText("Asked 2 times.").waitFor();
    await page.getByText("send what").click();
    await page.locator("details[open]").getByText("404").waitFor();
    expect(await page.evaluate("window.hit")).toBeUndefined();
    expect(await axeProblems(page)).toEqual([]);
    await picture(page, "double");
    await page.getByRole("button", { name: "Nothing matched" }).click();
    await page.getByText("send hello").waitFor({ state: "detached" });
    expect(page.url()).toContain("unmatched=true");
    await page.getByRole("searchbox").fill("nothing like it");
    await page.getByText("No request fits this filter.").waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  it.each([
    ["phone", { viewport: { width: 390, height: 844 }, colorScheme: "dark" as const }],
    ["small window", { viewport: { width: 900, height: 700 } }],
  ])("fit on a %s", async (name, options) => {
    for (const path of ["/ui/doubles", `/ui/doubles/${id}`]) {
      const { page, close } = await stage.open(path, options);
      await page.getByText("greets.yaml").first().waitFor();
      expect(await overflow(page)).toBe(0);
      expect(await axeProblems(page)).toEqual([]);
      await picture(page, `doubles-${name.replace(" ", "-")}-${path.length > 12 ? "one" : "list"}`);
      await close();
    }
  });
});
