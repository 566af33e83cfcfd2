// The pages of goals and agents in a real browser, against a real hub with the agents of the example.
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Browser } from "playwright-core";
import type { Goal } from "../../../src/core/goal.ts";
import type { Run } from "../../../src/core/run.ts";
import {
  axeProblems,
  openDashboardStage,
  overflow,
  picture,
  SHOWS,
  type DashboardStage,
} from "../../support/dashboard/stage.ts";
import { launchChromium } from "../chromium.ts";

const launched = await launchChromium();
if (typeof launched === "string") console.warn(`skipped: ${launched}`);

const example = (file: string): string =>
  fileURLToPath(new URL(`../../../../../examples/three-agents/${file}`, import.meta.url));
const agent = (role: string): string => `atp+stdio:${process.execPath} ${example("agent.mjs")} ${role}`;

const PARAMETERS = {
  type: "object",
  properties: {
    about: { type: "string", description: "What to look at" },
    depth: { type: "integer", minimum: 1, default: 2 },
    language: { enum: ["en", "العربية"] },
    strict: { type: "boolean" },
    sources: { type: "array", items: { type: "string" } },
    range: { type: "object", properties: { from: { type: "number" } }, required: ["from"] },
    "<img src=x onerror=window.hit=1>": { anyOf: [{ type: "string" }, { type: "number" }] },
  },
  required: ["about"],
};

const AGENTS = [
  { name: "planner", address: agent("plan"), capabilities: [{ name: "plan" }] },
  {
    name: "researcher",
    address: agent("research"),
    capabilities: [{ name: "research", idempotent: true, parameters: PARAMETERS }],
  },
  { name: "reviewer", address: agent("review"), capabilities: [{ name: "review" }] },
  {
    name: "writer",
    address: `text+stdio:${process.execPath} ${example("writer.mjs")}`,
    capabilities: [{ name: "write" }],
  },
  { name: "shows", address: SHOWS, capabilities: [{ name: "show" }] },
];

const CONFORMANCE = {
  protocol: "atp",
  title: "ATP 1.0",
  transport: "stdio",
  proctor_version: "1.0.0",
  checked_at: "2026-01-01T00:00:00.000Z",
  strict: false,
  reachable: true,
  verdict: "fail",
  counts: { passed: 31, failed: 1, warnings: 0, advice: 1, disputed: 0, unevaluated: 2 },
  broken: [
    {
      id: "atp.response.status",
      title: "the status is one of the document's",
      owner: "document",
      section: "ATP Response",
      level: "must",
      grade: "failed",
      reason:
        'status: "done" is none of completed, failed, timeout, cancelled, partial\n<img src=x onerror=window.hit=1>',
    },
    {
      id: "proctor.quiet",
      title: "nothing is printed after the answer",
      owner: "proctor",
      level: "should",
      grade: "advice",
    },
  ],
};

describe.skipIf(typeof launched === "string")("The pages of goals and agents", () => {
  let stage: DashboardStage;
  let goal: Goal;

  beforeAll(async () => {
    // Skipped above when it is a reason.
    stage = await openDashboardStage(launched as Browser);
    for (const body of AGENTS) await stage.hub().post("/agents", body);
  });

  afterAll(() => stage.close());

  it("draw a plan as it is carried out, and approve what waits for a person", async () => {
    const { page, problems, close } = await stage.open("/ui/agents");
    await page.getByText("Live", { exact: true }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("g");
    await page.getByText("Nothing was asked of several agents yet").waitFor();
    goal = await stage.hub().post<Goal>("/goals", { goal: "A report on bees <b>bold</b>" });
    await page.getByRole("link", { name: "A report on bees <b>bold</b>" }).click();
    await page.getByText("Is the output of").waitFor();
    await expect.poll(() => page.locator(".plan-node").count()).toBe(3);
    expect(await page.locator(".plan-edge").count()).toBe(2);
    expect(await axeProblems(page)).toEqual([]);
    await picture(page, "goal");
    await page.getByRole("button", { name: "Approve" }).click();
    await page.locator(".goal-head").getByText("Completed").waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  it("reach every node of a plan with the keys, and say who was asked and why", async () => {
    const { page, problems, close } = await stage.open(`/ui/goals/${goal.id}`);
    await page.locator(".plan-node").first().focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "write", exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe("?task=write");
    const panel = page.locator(".subtask");
    expect(await panel.innerText()).toContain("To be done again");
    expect(await panel.innerText()).toContain("It needs a title.");
    await panel.getByText("Chosen by score").first().click();
    await panel.locator(".candidates tr[data-current]", { hasText: "writer" }).first().waitFor();
    await panel.getByText("The size of a bee is a matter of its kind.").last().waitFor();
    await page.keyboard.press("v");
    await page.locator(".tree-row[aria-current]", { hasText: "write" }).waitFor();
    expect(await axeProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
    await close();
  });

  it("do a sub-task again with another agent, and say what differs", async () => {
    const plan = { tasks: [{ id: "tell", agent: "shows", description: "long answer" }] };
    const first = await stage.hub().post<Goal>("/goals", { goal: "Tell it", plan });
    await stage.hub().ended(first.id);
    const { page, problems, close } = await stage.open(`/ui/goals/${first.id}?task=tell`);
    await page.getByRole("button", { name: "Do again from here" }).click();
    await page.getByRole("dialog").getByLabel("Agent").selectOption("writer");
    await page.getByRole("button", { name: "Do it again" }).click();
    await page.getByRole("link", { name: "What differs from it" }).click();
    await page.getByRole("heading", { name: "Two executions of a goal" }).waitFor();
    const sides = page.locator(".diff-side");
    await expect.poll(() => sides.count()).toBe(2);
    expect(await sides.first().innerText()).toContain("shows");
    expect(await sides.last().innerText()).toContain("writer");
    expect(await axeProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
    await close();
  });

  it("cancel a goal that is at work", async () => {
    const plan = { tasks: [{ id: "wait", agent: "shows", description: "wait for the tide" }] };
    const waiting = await stage.hub().post<Goal>("/goals", { goal: "Wait", plan });
    const { page, close } = await stage.open(`/ui/goals/${waiting.id}`);
    await page.locator(".plan-node", { hasText: "Running" }).waitFor();
    await page.getByRole("button", { name: "Cancel the goal" }).click();
    await page.locator(".goal-head").getByText("Cancelled", { exact: true }).waitFor();
    await page.locator(".plan-node", { hasText: "Cancelled" }).waitFor();
    await close();
  });

  it("list agents with what their runs have shown, found by name and capability", async () => {
    const { page, problems, close } = await stage.open("/ui/agents");
    const row = page.locator('[data-agent="researcher"]');
    await row.getByText("Online").waitFor();
    expect(await row.innerText()).toContain("100 %");
    await page.getByLabel("Search names and capabilities").fill("rese");
    await expect.poll(() => page.locator("[data-agent]").count()).toBe(1);
    await page.reload();
    await expect.poll(() => page.locator("[data-agent]").count()).toBe(1);
    expect(await axeProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
    await close();
  });

  it("try an agent with a form made from its schema", async () => {
    const { page, problems, close } = await stage.open("/ui/agents/researcher");
    await page.getByLabel("about").fill("the colour");
    await page.getByLabel("language").selectOption("العربية");
    await page.getByLabel("strict").selectOption("Yes");
    await page.getByRole("button", { name: "Add one" }).click();
    await page.getByLabel("1", { exact: true }).fill("a book");
    await page.getByRole("button", { name: "Give it" }).click();
    await page.getByLabel("from").fill("1.5");
    await page.getByRole("button", { name: "Try it" }).click();
    const tried = page.locator(".tried-run");
    await tried.getByText("The the colour of a bee").waitFor();
    const run = await stage.hub().get<Run>(`/runs/${await tried.getAttribute("data-run")}`);
    expect(run.task.input_data).toEqual({
      depth: 2,
      about: "the colour",
      language: "العربية",
      strict: true,
      sources: ["a book"],
      range: { from: 1.5 },
    });
    expect(await page.evaluate("window.hit")).toBeUndefined();
    expect(await axeProblems(page)).toEqual([]);
    await picture(page, "agent");
    expect(problems).toEqual([]);
    await close();
  });

  it("show what a trial of an agent's conformance found, with the sections, and the card that it is known by", async () => {
    const { page, problems, close } = await stage.open("/ui/agents/shows?tab=conformance");
    await page.getByText("Nobody has tried yet").waitFor();
    await stage.hub().send("PUT", "/agents/shows/conformance", { json: CONFORMANCE });
    await page.reload();
    await page.getByRole("heading", { name: "ATP 1.0" }).waitFor();
    await page.getByText("the status is one of the document's").waitFor();
    await page.getByText("Document: ATP Response").waitFor();
    await page.getByText("1 broken").waitFor();
    await page.getByRole("link", { name: "Addresses" }).click();
    await page.getByText("/ap/shows/v1/agent/tasks").waitFor();
    await page.getByText("Show the agent card").click();
    await page.locator(".addresses details").getByText("protocolVersion").first().waitFor();
    await picture(page, "agent-card");
    expect(problems).toEqual([]);
    await close();
  });

  it.each([
    ["light", 390],
    ["dark", 900],
  ] as const)("read well in %s colours, %d pixels wide", async (colorScheme, width) => {
    const viewport = { width, height: 844 };
    const paths = [
      ["goals", "Goals"],
      [`goals/${goal.id}?task=write&view=tree`, "Attempt 1"],
      ["agents", "researcher"],
      ["agents/researcher?tab=health", "it answered"],
      ["agents/researcher?tab=addresses", "A2A agent card"],
      ["agents/shows?tab=conformance", "ATP 1.0"],
    ] as const;
    for (const [path, text] of paths) {
      const { page, problems, close } = await stage.open(`/ui/${path}`, { viewport, colorScheme });
      await page.locator("main").getByText(text).first().waitFor();
      expect(await overflow(page)).toBe(0);
      expect(await axeProblems(page)).toEqual([]);
      await picture(page, `${path.replaceAll(/\W/g, "-").slice(0, 30)}-${colorScheme}-${width}`);
      expect(problems).toEqual([]);
      await close();
    }
  });
});
