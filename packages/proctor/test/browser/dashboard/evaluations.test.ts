// The pages of evaluations in a real browser, against a real hub: recorded by `proctor test`, and by clients that record many cases.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Browser } from "playwright-core";
import type { Evaluation } from "../../../src/core/evaluation.ts";
import type { Run } from "../../../src/core/run.ts";
import { recordEvaluation, type CaseDraft } from "../../support/dashboard/record-evaluation.ts";
import { eventually } from "../../support/eventually.ts";
import {
  axeProblems,
  openDashboardStage,
  overflow,
  picture,
  type DashboardStage,
} from "../../support/dashboard/stage.ts";
import { runProgram } from "../../support/program.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { launchChromium } from "../chromium.ts";

const launched = await launchChromium();
if (typeof launched === "string") console.warn(`skipped: ${launched}`);

const AGENT = fileURLToPath(new URL("../../fixtures/agents/shows.mjs", import.meta.url));
const LONG_NAME = `${"A name that is much longer than any table would like it to be, ".repeat(5)}مرحبا 🐝`;
const SUITE = `test_suite: shown
agents:
  - { name: shows, command: [${JSON.stringify(process.execPath)}, ${JSON.stringify(AGENT)}] }
tests:
  - id: hostile
    name: ${JSON.stringify(LONG_NAME)}
    task: { description: "hostile question <b>bold</b>" }
    assertions:
      - { type: contains, config: { pattern: "<i>never said</i>" } }
  - id: story
    name: Tells a story
    task: { description: "story of a report" }
    assertions:
      - { type: contains, config: { pattern: "Revenue" } }
`;

describe.skipIf(typeof launched === "string")("The pages of evaluations", () => {
  let stage: DashboardStage;
  let told: Evaluation;

  beforeAll(async () => {
    // Skipped above when it is a reason.
    stage = await openDashboardStage(launched as Browser);
  });

  afterAll(() => stage.close());

  it("follow an evaluation from its first case to its end, without asking again", async () => {
    const { page, problems, asked, close } = await stage.open("/ui/evaluations");
    await page.getByText("No suite has run yet").waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
    const recorded = await recordEvaluation(stage.hub(), "live one", ["ada"], 3);
    const row = page.locator(`[data-evaluation="${recorded.id}"]`);
    await row.getByText("Running").waitFor();
    await recorded.record([{ test: "first", agent: "ada", verdict: "pass" }]);
    await row.getByText("1 / 3").waitFor();
    await row.getByRole("link", { name: "live one" }).click();
    await page.getByText("Does first", { exact: true }).waitFor();
    // The last that the page asks for: what to compare with. It is not shown, because there is nothing.
    const before = await eventually(() => {
      const paths = asked.filter((path) => path.startsWith("/evaluations"));
      expect(paths.at(-1)).toContain("suite=recorded");
      return paths.length;
    });
    await recorded.record([{ test: "second", agent: "ada", verdict: "fail" }]);
    await page.getByText("Does second", { exact: true }).waitFor();
    // What failed stands first.
    expect(await page.locator(".matrix-rows [role=rowheader]").first().innerText()).toContain("second");
    await recorded.end();
    await page.locator(".page-head").getByText("Fail").waitFor();
    expect(asked.filter((path) => path.startsWith("/evaluations")).length).toBe(before);
    expect(await axeProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
    await close();
  });

  it("tell a case of proctor test: question, answer, and why a check failed", async () => {
    const folder = temporaryFolder("evaluated");
    writeFileSync(join(folder, "suite.yaml"), SUITE);
    const args = ["test", "suite.yaml", "--hub", stage.hub().url];
    const { code, stderr } = await runProgram(args, { folder });
    expect(code, stderr).toBe(1);
    const { items } = await stage.hub().get<{ items: Evaluation[] }>("/evaluations?suite=shown");
    told = items[0] as Evaluation;
    const { page, problems, close } = await stage.open(`/ui/evaluations/${told.id}`);
    await page.locator(".cell-link.tone-fail").click();
    await page.getByRole("heading", { name: "Answer" }).waitFor();
    const story = await page.locator(".run-story").innerText();
    expect(story).toContain("hostile question <b>bold</b>");
    expect(story).toContain('<img src=x onerror="window.hit=1">');
    expect(await page.locator(".check.tone-fail").innerText()).toContain("<i>never said</i>");
    expect(await page.evaluate("window.hit")).toBeUndefined();
    expect(await axeProblems(page)).toEqual([]);
    await picture(page, "case");
    expect(problems).toEqual([]);
    await close();
  });

  it("tell on the page of a run how it was judged, with the way to its case", async () => {
    const { items } = await stage.hub().get<{ items: Run[] }>(`/runs?evaluation=${told.id}`);
    const failed = items.find(({ task }) => task.description.startsWith("hostile"));
    const { page, problems, close } = await stage.open(`/ui/runs/${failed?.id}`);
    const verdicts = page.locator(".story-verdicts");
    await verdicts.getByRole("heading", { name: "Verdict Fail" }).waitFor();
    expect(await verdicts.innerText()).toContain("<i>never said</i>");
    expect(await axeProblems(page)).toEqual([]);
    await picture(page, "run-verdict");
    await verdicts.getByRole("link", { name: "To the case" }).click();
    await page.locator(".run-story").waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  it("lead through the cases with the arrows, and keep the tab", async () => {
    const { page, close } = await stage.open(`/ui/evaluations/${told.id}?order=plan`);
    await page.locator(".cell-link.tone-fail").click();
    await page.getByText("1 of 2").waitFor();
    await page.getByRole("link", { name: "History" }).click();
    await page.locator("tr[data-current]").waitFor();
    await page.keyboard.press("ArrowRight");
    await page.getByText("2 of 2").waitFor();
    expect(new URL(page.url()).search).toContain("tab=history");
    await page.keyboard.press("ArrowLeft");
    await page.getByText("1 of 2").waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".matrix-rows").waitFor();
    expect(new URL(page.url()).search).toBe("?order=plan");
    await close();
  });

  it("hold a thousand cases with a screen of rows, and the view in the address", async () => {
    const recorded = await recordEvaluation(stage.hub(), "large", ["ada", "bob"], 1000);
    await recorded.record(manyCases(500));
    await recorded.end();
    const { page, problems, close } = await stage.open(`/ui/evaluations/${recorded.id}`);
    await page.getByText("950 of 1,000 cases passed").waitFor();
    expect(await page.locator(".matrix-rows [role=row]").count()).toBeLessThan(60);
    expect(await page.locator(".matrix-rows [role=rowheader]").first().innerText()).toContain("t000");
    await page.getByRole("button", { name: "Fail 50" }).click();
    await page.getByLabel("Search tests, suites and agents").fill("t1");
    await expect.poll(() => page.locator(".matrix-rows [role=row]").count()).toBe(10);
    await page.reload();
    await expect.poll(() => page.locator(".matrix-rows [role=row]").count()).toBe(10);
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByText("1 of 10").waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  it("say what got worse from one evaluation to another, in the words of the exact test", async () => {
    const [before, after] = [
      await recordEvaluation(stage.hub(), "before", ["ada"], 2),
      await recordEvaluation(stage.hub(), "after", ["ada"], 2),
    ];
    const twenty = { agent: "ada", runs: 20 } as const;
    await before.record([
      { ...twenty, test: "steady", verdict: "pass", passed: 20 },
      { ...twenty, test: "worse", verdict: "pass", passed: 20 },
    ]);
    await after.record([
      { ...twenty, test: "steady", verdict: "pass", passed: 20 },
      { ...twenty, test: "worse", verdict: "fail", passed: 2 },
    ]);
    await before.end();
    await after.end();
    const { page, problems, close } = await stage.open(`/ui/evaluations/${before.id}/compare/${after.id}`);
    const worst = page.locator(".compared-row").first();
    await worst.getByText("Worse", { exact: true }).waitFor();
    expect(await worst.innerText()).toMatch(/Fisher’s exact test for worse: p < 0\.001/);
    expect(await page.locator(".findings li").count()).toBeGreaterThan(0);
    expect(await axeProblems(page)).toEqual([]);
    await picture(page, "comparison");
    await worst.getByRole("link").click();
    await page.getByRole("heading", { name: "Does worse" }).waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  it.each([
    ["light", 390, "all"],
    // The same in other colours.
    ["dark", 390, "colours"],
    ["dark", 900, "all"],
  ] as const)("read well in %s colours, %d pixels wide", async (colorScheme, width, part) => {
    const viewport = { width, height: 844 };
    for (const path of ["", `/${told.id}`, `/${told.id}?tab=comparison`]) {
      const { page, problems, close } = await stage.open(`/ui/evaluations${path}`, { viewport, colorScheme });
      await page.getByText("shown").first().waitFor();
      expect(await overflow(page)).toBe(0);
      expect(await axeProblems(page, part)).toEqual([]);
      await picture(page, `evaluations-${colorScheme}-${width}${path.replaceAll(/\W/g, "-")}`);
      expect(problems).toEqual([]);
      await close();
    }
  });
});

/** Every tenth test fails with one of the two agents. */
function manyCases(tests: number): CaseDraft[] {
  return Array.from({ length: tests }, (_, index) => `t${String(index).padStart(3, "0")}`).flatMap(
    (test, index): CaseDraft[] => [
      { test, agent: "ada", verdict: index % 10 === 0 ? "fail" : "pass" },
      { test, agent: "bob", verdict: "pass" },
    ],
  );
}
