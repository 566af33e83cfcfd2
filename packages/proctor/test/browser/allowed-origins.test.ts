// Pages of another origin in a real browser: what `allowed_origins` opens for them, and what stays shut without it.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Browser, Page } from "playwright-core";
import { startHubProcess, type HubProcess } from "../support/hub-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { launchChromium } from "./chromium.ts";

const launched = await launchChromium();
if (typeof launched === "string") console.warn(`skipped: ${launched}`);

const TOKEN = "a-long-random-text";

/** Defines in the page what it tries; each answers with what happened, or "refused". */
const PROGRAM = `
  window.ask = async (url, init) => {
    const sent = await fetch(url, init).catch(() => undefined);
    if (sent === undefined) return "refused";
    return { status: sent.status, trace: sent.headers.get("x-trace-id"), body: await sent.text() };
  };
  window.follow = (url) => new Promise((resolve) => {
    const types = [];
    const source = new EventSource(url);
    source.onerror = () => { source.close(); resolve(types.length === 0 ? "refused" : types); };
    source.onmessage = ({ data }) => types.push(JSON.parse(data).type);
  });
  window.connect = (url) => new Promise((resolve) => {
    const socket = new WebSocket(url);
    socket.onerror = () => resolve("refused");
    socket.onmessage = ({ data }) => { socket.close(); resolve(JSON.parse(data).type); };
  });
`;

describe.skipIf(typeof launched === "string").each([
  { name: "without a token", env: {}, token: undefined },
  { name: "with a token", env: { PROCTOR_TOKEN: TOKEN }, token: TOKEN },
])("a page of another origin, on a hub $name", ({ name, env, token }) => {
  // Skipped above when it is a reason.
  const browser = launched as Browser;
  let pages: Server;
  let port: number;
  let hub: HubProcess;

  beforeAll(async () => {
    pages = createServer((_request, response) => {
      response.setHeader("content-type", "text/html");
      response.end("<!doctype html><title>elsewhere</title>");
    });
    await new Promise<void>((resolve) => pages.listen(0, "127.0.0.1", resolve));
    // A server on a port has an address with a port.
    ({ port } = pages.address() as AddressInfo);
    hub = await startHubProcess({
      folder: temporaryFolder(`allowed-origins-${name.replaceAll(" ", "-")}`),
      env,
      args: ["--allowed-origins", `http://localhost:${port}`],
    });
  });
  afterAll(async () => {
    await new Promise((resolve) => pages.close(resolve));
    await hub.stop();
  });

  async function open(origin: string): Promise<Page> {
    const page = await browser.newPage();
    await page.goto(origin);
    await page.evaluate(PROGRAM);
    return page;
  }

  const headers = {
    "content-type": "application/json",
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  const query = token === undefined ? "" : `?access_token=${token}`;
  const post = (body: unknown): RequestInit => ({ method: "POST", headers, body: JSON.stringify(body) });
  /** What the page says, looked into freely. */
  // oxlint-disable-next-line typescript/no-explicit-any
  const call = (page: Page, what: string, ...args: unknown[]): Promise<any> =>
    page.evaluate(`${what}(${args.map((value) => JSON.stringify(value)).join(", ")})`);

  it("fetches, streams and opens a WebSocket when it is allowed", async () => {
    const page = await open(`http://localhost:${port}`);
    const created = await call(page, "ask", `${hub.url}/api/tasks`, post({ task: "asked elsewhere" }));
    expect(created).toMatchObject({ status: 200, trace: expect.stringMatching(/^[0-9a-f]{32}$/) });
    const { id } = JSON.parse(created.body).agent as { id: string };
    const { status } = await call(page, "ask", `${hub.url}/api/tasks/${id}/cancel`, post({}));
    expect(status).toBe(200);
    expect(await call(page, "follow", `${hub.url}/api/tasks/${id}/events${query}`)).toEqual([
      "task.created",
      "task.started",
      "task.cancelled",
    ]);
    expect(await call(page, "follow", `${hub.url}/runs/${id}/events${query}`)).toContain("run.ended");
    expect(await call(page, "connect", `${hub.url.replace("http", "ws")}/ws${query}`)).toBe("connected");
    const official = await call(page, "ask", `${hub.url}/ap/v1/agent/tasks`, { headers });
    expect(official).toMatchObject({ status: 200 });
    await page.close();
  });

  it("reads why it is refused", async () => {
    const page = await open(`http://localhost:${port}`);
    const large = { task: "x".repeat(2 * 1024 * 1024) };
    for (const [path, init, status] of [
      ["/runs/none", { headers }, 404],
      ["/api/tasks/none", { headers }, 404],
      ["/atp/none/execute", post({}), 400],
      ["/runs", post({}), 400],
      ["/runs", post(large), 413],
      ["/runs", {}, token === undefined ? 200 : 401],
    ] as const) {
      expect([path, await call(page, "ask", `${hub.url}${path}`, init)]).toEqual([
        path,
        expect.objectContaining({ status }),
      ]);
    }
    await page.close();
  });

  it("is let in nowhere when another origin is allowed", async () => {
    // The same server under another name is another origin.
    const page = await open(`http://127.0.0.1:${port}`);
    const { items: before } = await hub.get<{ items: unknown[] }>("/runs");
    expect(await call(page, "ask", `${hub.url}/api/tasks`, post({ task: "never" }))).toBe("refused");
    expect(await call(page, "ask", `${hub.url}/runs`, { headers })).toBe("refused");
    const [run] = before as { id: string }[];
    expect(await call(page, "follow", `${hub.url}/runs/${run?.id}/events${query}`)).toBe("refused");
    expect(await call(page, "connect", `${hub.url.replace("http", "ws")}/ws${query}`)).toBe("refused");
    expect((await hub.get<{ items: unknown[] }>("/runs")).items).toHaveLength(before.length);
    await page.close();
  });
});

afterAll(async () => {
  if (typeof launched !== "string") await launched.close();
});
