// The reference of the API in a real browser, against a real hub: found, read, and tried.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Browser, Page } from "playwright-core";
import type { Run } from "../../../src/core/run.ts";
import { axeProblems, openDashboardStage, overflow, picture, SHOWS } from "../../support/dashboard/stage.ts";
import type { DashboardStage } from "../../support/dashboard/stage.ts";
import { belowPath } from "../../support/dashboard/below-path.ts";
import { launchChromium } from "../chromium.ts";

const launched = await launchChromium();
if (typeof launched === "string") console.warn(`skipped: ${launched}`);

const TOKEN = "a-token-for-the-reference-that-is-long-enough";
const HOSTILE = `<img src=x onerror="window.hit=1"><script>window.hit=1</script>`;

describe.skipIf(typeof launched === "string")("The reference of the API", () => {
  let stage: DashboardStage;
  let run: Run;

  beforeAll(async () => {
    // Skipped above when it is a reason.
    stage = await openDashboardStage(launched as Browser, { env: { PROCTOR_TOKEN: TOKEN } });
    run = await stage.run("story");
  });

  afterAll(() => stage.close());

  /** Opens a page with the token of this tab in place. */
  async function open(path: string, options?: Parameters<DashboardStage["open"]>[1]) {
    const look = await stage.open("/ui/docs", options);
    await look.page.evaluate(`sessionStorage.setItem("proctor.token", "${TOKEN}")`);
    await look.page.goto(`${stage.hub().url}${path}`);
    await look.page.getByText("Live", { exact: true }).first().waitFor({ state: "attached" });
    look.problems.length = 0;
    return look;
  }

  const answer = (page: Page) => page.getByRole("region", { name: "Answer", exact: true });
  const status = (page: Page, text: string) => answer(page).locator("strong", { hasText: text }).first();
  const send = (page: Page) => page.getByRole("button", { name: "Send", exact: true }).first().click();

  it("is found at its old address, searched by words, and walked with keys", async () => {
    const { page, problems, close } = await open("/docs#registerAgent");
    await page.getByRole("heading", { name: "Register an agent" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/ui/docs");
    await page.getByRole("heading", { name: "Register an agent" }).click();
    await page.keyboard.press("/");
    await page.keyboard.type("post runs cancel");
    const list = page.locator(".operation-list");
    await list.getByText("1 operation").waitFor();
    expect(new URL(page.url()).searchParams.get("q")).toBe("post runs cancel");
    await list.getByRole("link", { name: "Cancel a run" }).click();
    await page.getByRole("heading", { name: "Cancel a run" }).waitFor();
    expect(new URL(page.url()).searchParams.get("op")).toBe("cancelRun");
    await page.reload();
    await page.getByRole("heading", { name: "Cancel a run" }).waitFor();
    await page.getByLabel("Search paths").fill("no such operation");
    await list.getByText("No operation fits these words.").waitFor();
    await page.getByLabel("Search paths").fill("agents");
    await page.getByRole("heading", { name: "Cancel a run" }).click();
    await page.keyboard.press("j");
    await page.getByRole("heading", { name: "List agents" }).waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: "Cancel a run" }).waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  it("says what an operation takes and answers, with an example, the scope and a command that asks this hub", async () => {
    const { page, problems, close } = await open("/ui/docs?op=getRunEvents", {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const text = await page.locator(".operation").innerText();
    expect(text).toContain("runs:read");
    expect(text).toContain("Last-Event-ID");
    expect(text).toContain("question.asked");
    await page.getByLabel("id required").fill("it's/one");
    const command = page.getByRole("region", { name: "Command" });
    await expect.poll(() => command.innerText()).toContain('"$PROCTOR_URL/runs/it%27s%2Fone/events"');
    await page.locator(".try .code-block button").click();
    await expect
      .poll(() => page.evaluate<string>("navigator.clipboard.readText()"))
      .toContain('-H "Authorization: Bearer $PROCTOR_TOKEN"');
    await page.goto(`${stage.hub().url}/ui/docs?op=connectTaskEvents`);
    await page.getByRole("heading", { name: "A client sends" }).waitFor();
    expect(await page.getByRole("region", { name: "From a browser" }).innerText()).toContain(
      `new WebSocket("${stage.hub().url.replace("http", "ws")}/ws?access_token=ACCESS_TOKEN")`,
    );
    expect(problems).toEqual([]);
    await close();
  });

  it("is read without a token, shows that the hub refuses, takes a token and then asks with it", async () => {
    const { page, close } = await stage.open("/ui/docs?op=listRuns");
    await page.getByText("This hub needs a token").waitFor();
    await send(page);
    await status(page, "401").waitFor();
    await answer(page).getByText("UNAUTHORIZED").first().waitFor();
    await page.getByRole("button", { name: "Give a token" }).click();
    await page.getByRole("dialog").getByLabel("Token").fill(TOKEN);
    await page.getByRole("button", { name: "Use it" }).click();
    await page.getByText("Sent with the token of this tab.").waitFor();
    await page.getByLabel("limit").fill("1");
    await send(page);
    await status(page, "200").waitFor();
    await answer(page).getByText("next_cursor").waitFor();
    await answer(page).getByText("Headers").click();
    await answer(page).getByText("x-trace-id").waitFor();
    expect(page.url()).not.toContain(TOKEN);
    await close();
  });

  it("starts a run with a form made from the schema of its body", async () => {
    const { page, problems, close } = await open("/ui/docs?op=createRun");
    const form = page.getByRole("form", { name: "Try it" });
    await form.getByLabel(/^agent required/).fill(SHOWS);
    await form.getByLabel(/^description required/).fill("story");
    await picture(page, "docs-post");
    await send(page);
    await status(page, "202").waitFor();
    await answer(page).getByRole("link", { name: "Open the run" }).click();
    await page.waitForURL("**/ui/runs/*");
    await page.locator("h1", { hasText: "story" }).waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  it("streams events while they happen, until it is told to stop", async () => {
    const { page, problems, close } = await open("/ui/docs?op=getEvents");
    await send(page);
    await answer(page).getByText("0 frames").waitFor();
    await stage.run("story");
    await answer(page).getByText("run.ended").first().waitFor();
    await picture(page, "docs-stream");
    await page.getByRole("button", { name: "Stop" }).click();
    await answer(page).getByText("Stopped.").waitFor();
    await page.goto(`${stage.hub().url}/ui/docs?op=getRunEvents`);
    await page.getByLabel("id required").fill(run.id);
    await page.getByLabel("Answer as").selectOption("true");
    await send(page);
    await answer(page).getByText("The stream has ended.").waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  it("asks before it sends what takes something away", async () => {
    const gone = await stage.run("story");
    const { page, asked, close } = await open("/ui/docs?op=deleteRun");
    expect(await page.getByRole("button", { name: "Send", exact: true }).isDisabled()).toBe(true);
    await page.getByLabel("id required").fill(gone.id);
    asked.length = 0;
    await send(page);
    const dialog = page.getByRole("dialog");
    await dialog.getByText(`Send DELETE /runs/${gone.id}?`).waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect(asked.filter((path) => path.startsWith("/runs/"))).toEqual([]);
    await send(page);
    await dialog.getByRole("button", { name: "Send" }).click();
    await status(page, "204").waitFor();
    expect((await stage.hub().send("GET", `/runs/${gone.id}`)).status).toBe(404);
    await close();
  });

  it.each([
    ["wide", { viewport: { width: 1440, height: 900 } }],
    ["dark", { viewport: { width: 900, height: 900 }, colorScheme: "dark" as const }],
    ["phone", { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
    ["dark phone", { viewport: { width: 390, height: 844 }, isMobile: true, colorScheme: "dark" as const }],
  ])("fits a %s window, and axe finds nothing wrong", async (name, options) => {
    const { page, problems, close } = await open("/ui/docs", options);
    await page.getByRole("heading", { name: "API reference" }).waitFor();
    expect(await overflow(page)).toBe(0);
    await picture(page, `docs-${name}`);
    for (const operation of ["connectEnvelopes", "getRunEvents", "createRun"]) {
      await page.goto(`${stage.hub().url}/ui/docs?op=${operation}`);
      await page.locator(".operation").waitFor();
      expect([operation, await overflow(page)]).toEqual([operation, 0]);
      await picture(page, `docs-${name}-${operation}`);
    }
    expect(await axeProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
    await close();
  });

  it("shows a hostile description as text, and asks nobody else", async () => {
    const { page, problems, close } = await open("/ui/docs");
    await page.route("**/openapi.json", (route) => route.fulfill({ json: hostileDocument() }));
    await page.goto(`${stage.hub().url}/ui/docs?op=evil`);
    await page.getByRole("heading", { name: HOSTILE, level: 1 }).waitFor();
    await send(page);
    await status(page, "404").waitFor();
    expect(await page.evaluate("window.hit")).toBeUndefined();
    expect(problems.filter((problem) => !problem.includes("404"))).toEqual([]);
    await close();
  });

  it("works where a proxy put the hub below a path", async () => {
    const below = await belowPath(stage.hub().url);
    const { page, close } = await stage.open("/");
    await page.goto(`${below}/docs#getHealth`);
    await page.waitForURL("**/some/place/ui/docs?op=getHealth");
    await send(page);
    await status(page, "200").waitFor();
    await close();
  });
});

function hostileDocument(): object {
  const media = { schema: { type: "object", properties: { [HOSTILE]: { $ref: "#/x/__proto__" } } } };
  return {
    info: { title: HOSTILE, version: HOSTILE, description: HOSTILE },
    tags: [{ name: HOSTILE, description: `[x](javascript:window.hit=1) ${HOSTILE}` }],
    paths: {
      "/https://example.com/leak": {
        get: {
          operationId: "evil",
          tags: [HOSTILE],
          summary: HOSTILE,
          description: HOSTILE,
          parameters: [null, { name: HOSTILE, in: "query", schema: { enum: [HOSTILE] } }],
          responses: { 200: { description: HOSTILE, content: { "application/json": media } }, 201: 7 },
        },
      },
    },
    components: { schemas: { loop: { $ref: "#/components/schemas/loop" } } },
  };
}
