// The workers of a hub on PostgreSQL, as its pages show them.
import type { Browser } from "playwright-core";
import { describe, expect, it } from "vitest";
import { axeProblems, openDashboardStage, picture } from "../../support/dashboard/stage.ts";
import { createDatabase, lacksPostgres } from "../../support/postgres.ts";
import { launchChromium } from "../chromium.ts";

const launched = await launchChromium();
if (typeof launched === "string") console.warn(`skipped: ${launched}`);
const lacks = typeof launched === "string" || (await lacksPostgres("the workers that the dashboard lists"));
describe.skipIf(lacks)("The dashboard of many machines", () => {
  it("lists the workers, and drains one", async () => {
    const env = { DATABASE_URL: await createDatabase() };
    const stage = await openDashboardStage(launched as Browser, { env });
    const { page, problems, close } = await stage.open("/ui/settings");
    const row = page.locator("tr", { hasText: "Working" });
    await row.getByText("0 / 10").waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await picture(page, "settings-workers");
    await row.getByRole("button", { name: "Drain" }).click();
    await page.getByText("Draining").waitFor();
    expect(problems).toEqual([]);
    await close();
    await stage.close();
  });
});
