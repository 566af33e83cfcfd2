// What the pages say of the hub as a whole, how runs are found, and how forms are answered, in a real browser against a real hub.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Envelope } from "../../../src/core/envelope.ts";
import type { Run } from "../../../src/core/run.ts";
import { recordEvaluation } from "../../support/dashboard/record-evaluation.ts";
import {
  axeProblems,
  openDashboardStage,
  picture,
  SHOWS,
  type DashboardStage,
} from "../../support/dashboard/stage.ts";
import { launchChromium } from "../chromium.ts";

const launched = await launchChromium();
if (typeof launched === "string") console.warn(`skipped: ${launched}`);

describe.skipIf(typeof launched === "string")("The dashboard of a hub", () => {
  let stage: DashboardStage;

  beforeAll(async () => {
    // Skipped above when it is a reason.
    stage = await openDashboardStage(launched as Browser);
  });

  afterAll(async () => {
    await stage.close();
  });

  it("draws runs, pass rate, duration and cost over time, and says how much disk is free", async () => {
    await stage.run("story of the day");
    const recorded = await recordEvaluation(stage.hub(), "daily", ["ada"], 1);
    await recorded.record([{ test: "first", agent: "ada", verdict: "pass" }]);
    await recorded.end();
    const { page, problems, close } = await stage.open("/");
    for (const label of ["Runs per minute", "Cases passed over time", "Median duration over time"])
      await page.getByRole("img", { name: label }).waitFor();
    const free = page.locator(".figures div", { hasText: "Free disk" });
    expect(await free.locator("dd").innerText()).toMatch(/^[\d.,]+ (?:M|G|T)B$/);
    expect(await axeProblems(page)).toEqual([]);
    await picture(page, "overview-charts");
    expect(problems).toEqual([]);
    await close();
  });

  it("lists the costliest runs first, keeps that in the address, and puts a new one in its place", async () => {
    const free = await stage.run("fail for nothing");
    const dear = await stage.run("story that has a price");
    const { page, problems, close } = await stage.open("/ui/runs");
    await page.locator(`[data-run="${free.id}"]`).waitFor();
    await page.getByLabel("Order").selectOption({ label: "Costliest first" });
    await page.locator(`[data-run="${free.id}"]`).waitFor({ state: "detached" });
    expect(new URL(page.url()).search).toBe("?order=costliest");
    await page.locator(`[data-run="${dear.id}"]`).waitFor();
    const later = await stage.run("story that comes later");
    await page.locator(`[data-run="${later.id}"]`).waitFor();
    await page.getByLabel("Order").selectOption({ label: "Slowest first" });
    await page.locator(`[data-run="${free.id}"]`).waitFor();
    const { items } = await stage.hub().get<{ items: Run[] }>("/runs?order=slowest");
    const rows = await page.locator("[data-run]").all();
    const shown = await Promise.all(rows.map((row) => row.getAttribute("data-run")));
    expect(shown).toEqual(items.map(({ id }) => id));
    expect(problems).toEqual([]);
    await close();
  });

  it("finds runs by protocol, cost and violations, and adds those that come to fit", async () => {
    await stage.hub().post("/agents", { name: "shower", address: SHOWS });
    const dear = await stage.run("story that costs");
    const { page, problems, close } = await stage.open("/ui/runs?cost_at_least=0.01");
    await page.locator(`[data-run="${dear.id}"]`).waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
    const later = await stage.run("story that costs as much", { agent: "shower" });
    await page.locator(`[data-run="${later.id}"]`).waitFor();
    // What changes elsewhere takes nothing out of the list.
    expect(await page.locator(`[data-run="${dear.id}"]`).count()).toBe(1);
    await page.getByLabel("Cost from $").fill("5");
    await page.getByLabel("Cost from $").press("Enter");
    await page.getByText("No run fits this filter.").waitFor();
    await page.getByRole("link", { name: "Clear filters" }).click();
    await page.getByLabel("Protocol").selectOption("atp");
    await page.locator(`[data-run="${dear.id}"]`).waitFor();
    expect(page.url()).toContain("protocol=atp");
    await page.getByRole("button", { name: "Violations" }).click();
    await page.getByText("No run fits this filter.").waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  it("answers a form with fields made from its schema", async () => {
    const hub = stage.hub();
    await hub.post("/registry/agents", { name: "clerk", capabilities: [] });
    const options = { conversation: {} };
    const { id } = await hub.post<Run>("/runs", { agent: "clerk", task: { description: "Book" }, options });
    const received = await hub.get<{ items: { envelope: Envelope }[] }>("/messages?for=clerk&wait=50");
    const schema = {
      type: "object",
      properties: { city: { type: "string" }, nights: { type: "integer" } },
      required: ["city", "nights"],
    };
    const asking = { kind: "form", text: "Where, and for how long?", schema };
    const inReplyTo = received.items[0]?.envelope.id;
    const ask = { id: "q-1", from: "clerk", to: "hub", type: "request", action: "ask", inReplyTo };
    await hub.post("/messages", { ...ask, payload: asking });
    const { page, problems, close } = await stage.open("/ui/inbox");
    await page.getByText("Where, and for how long?").waitFor();
    await page.getByLabel("city").fill("Oslo");
    await page.getByLabel("nights").fill("3");
    expect(await axeProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Answer", exact: true }).click();
    await page.getByText("Nothing waits for you.").waitFor();
    const { items } = await hub.get<{ items: { payload: unknown }[] }>(`/runs/${id}/events`);
    expect(JSON.stringify(items)).toContain(`"data":{"city":"Oslo","nights":3}`);
    expect(problems).toEqual([]);
    await close();
  });

  it("says in its settings where things are kept, and that one process does it all", async () => {
    const { page, problems, close } = await stage.open("/ui/settings");
    await page.getByText("This hub carries out its runs itself.").waitFor();
    await page.getByText("Free disk for data").waitFor();
    expect(await axeProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
    await close();
  });
});
