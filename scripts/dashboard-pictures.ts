// Makes the pictures of the dashboard in docs/images with a hub of its own, a few real runs and a real browser. Run
// `node --import tsx scripts/dashboard-pictures.ts` after a build.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { launchChromium } from "../packages/proctor/test/browser/chromium.ts";
import { startHubProcess } from "../packages/proctor/test/support/hub-process.ts";
import { calls } from "../packages/proctor/test/support/openai/scripted-model.ts";

const images = fileURLToPath(new URL("../docs/images", import.meta.url));
const agent = fileURLToPath(new URL("../packages/proctor/test/fixtures/agents/shows.mjs", import.meta.url));
const TASKS = [
  "Say hello in Norwegian",
  "fail when the quota is used up",
  "Translate the manual and keep every heading",
  "story of the quarterly report: read it, sum it up, say what changed",
];

const browser = await launchChromium();
if (typeof browser === "string") throw new Error(browser);
const folder = mkdtempSync(join(tmpdir(), "proctor-pictures-"));
const asks = calls({
  name: "ask_user",
  arguments: { question: "Oslo or Bergen? Both have a seat on Monday." },
});
// The hub also probes whether the model is reachable.
const model = createServer((request, response) => {
  if (request.method === "POST") void asks(response, { path: "", headers: {}, body: { messages: [] } });
  else response.end("{}");
});
await new Promise<void>((resolve) => model.listen(0, "127.0.0.1", resolve));
const { port } = model.address() as AddressInfo;
const hub = await startHubProcess({ folder });
try {
  const put = (name: string, address: string) => hub.send("PUT", `/agents/${name}`, { json: { address } });
  await put("writer", `atp+stdio:${process.execPath} ${agent}`);
  await put("booker", `openai+http://127.0.0.1:${port}/v1#demo`);
  const submit = (name: string, description: string) =>
    hub.post<{ id: string }>("/runs", { agent: name, task: { description } });
  let story = "";
  for (const description of [...TASKS, ...TASKS]) {
    const { id } = await submit("writer", description);
    await hub.ended(id);
    if (description.startsWith("story")) story = id;
  }
  await submit("writer", "wait for the tide");
  const { id } = await submit("booker", "Book a flight to the north");
  await hub.until(id, ({ type }) => type === "question.asked");
  const page = await browser.newPage({ viewport: { width: 1120, height: 700 } });
  await page.goto(hub.url);
  await page.locator(".charts canvas").first().waitFor();
  await page.getByText("Oslo or Bergen?").first().waitFor();
  await page.screenshot({ path: join(images, "dashboard-overview.png") });
  await page.goto(`${hub.url}/ui/runs/${story}`);
  await page.locator(".story-answer").waitFor();
  await page.screenshot({ path: join(images, "dashboard-run.png") });
} finally {
  await browser.close();
  await hub.stop();
  model.closeAllConnections();
  model.close();
  rmSync(folder, { recursive: true, force: true });
}
