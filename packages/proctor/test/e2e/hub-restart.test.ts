// What a hub that is stopped leaves behind, and what the next one finds.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findMarked } from "../../src/runtime/processes/strays.ts";
import type { RunEvent } from "../../src/core/event.ts";
import type { Run } from "../../src/core/run.ts";
import { startHubProcess, type HubProcess } from "../support/hub-process.ts";
import { PROGRAM } from "../support/program.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { fixture, shellFixture } from "../support/test-hub.ts";
import { eventually } from "../support/eventually.ts";

const folder = temporaryFolder("restart");
const task = { description: "do it" };
const GRACE_SECONDS = 1;
const options = {
  folder,
  env: { PROCTOR_GRACE_SECONDS: String(GRACE_SECONDS) },
};

describe("stopped with SIGTERM and started again", () => {
  const key = { "idempotency-key": "the-first-order" };
  const order = {
    agent: fixture("file-artifact"),
    task,
    context: { environment: { API_KEY: "s3cret-value" } },
  };
  let hub: HubProcess;
  let finished: Run;
  let log: RunEvent[];

  it("lets runs in flight end within the grace, closes the rest, and leaves no process", async () => {
    hub = await startHubProcess(options);
    const { id } = await hub.post<Run>("/runs", order, key);
    finished = await hub.ended(id);
    log = await hub.events(id);

    const submit = async (agent: object): Promise<string> =>
      (await hub.post<Run>("/runs", { agent, task })).id;
    const polite = [await submit(shellFixture("sleeps")), await submit(shellFixture("sleeps"))];
    const stubborn = await submit(fixture("ignores-sigterm"));
    const family = await submit({
      ...shellFixture("ok"),
      command: ["sh", "-c", "sleep 3600 & exec sleep 3600"],
    });
    // Takes one run at a time; the first hangs, and the others wait behind it.
    const [node = "", ok = ""] = shellFixture("ok").command;
    const script = `mkdir started 2>/dev/null && exec sleep 3600; exec "${node}" "${ok}"`;
    const once = { ...shellFixture("ok"), command: ["sh", "-c", script], cwd: folder, concurrency: 1 };
    const hanging = await submit(once);
    for (const run of [family, hanging]) await hub.until(run, ({ type }) => type === "run.started");
    for (const run of [...polite, stubborn]) await hub.until(run, ({ type }) => type === "progress");
    const queued = [await submit(once), await submit(once)];
    for (const run of queued) expect((await hub.get<Run>(`/runs/${run}`)).status).toBe("queued");
    const enough = join(folder, "enough");
    const quick = await submit(shellFixture("pausable", "1000000", enough));
    await hub.until(quick, ({ type }) => type === "progress");
    const busy = [quick, ...polite, stubborn, family, hanging];

    const stopped = hub.stop();
    // What is left of it then is a moment, whatever the machine has to do besides.
    writeFileSync(enough, "");
    expect(await stopped).toBe(0);
    for (const run of busy) expect(findMarked("PROCTOR_RUN_ID", run)).toEqual([]);

    hub = await startHubProcess(options);
    expect(await hub.get<Run>(`/runs/${quick}`)).toMatchObject({ status: "completed" });
    for (const run of [...polite, stubborn, family, hanging]) {
      const closed = await hub.get<Run>(`/runs/${run}`);
      expect(closed).toMatchObject({ status: "failed", failure: { code: "INTERRUPTED" } });
    }
    for (const run of queued) expect(await hub.ended(run)).toMatchObject({ status: "completed" });
  });

  it("remembers idempotency keys", async () => {
    const again = await hub.send("POST", "/runs", { json: order, headers: key });
    expect(again.status).toBe(202);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(await again.json()).toEqual(finished);
    const other = { ...order, task: { description: "something else" } };
    const conflict = await hub.send("POST", "/runs", { json: other, headers: key });
    expect(conflict.status).toBe(409);
    expect(await conflict.json()).toMatchObject({ code: "IDEMPOTENCY_CONFLICT" });
  });

  it("has the events of a finished run", async () => {
    expect(await hub.get<Run>(`/runs/${finished.id}`)).toEqual(finished);
    expect(await hub.events(finished.id)).toEqual(log);
  });

  it("has its artifact: whole, in ranges, unchanged since, and as a download", async () => {
    const [artifact] = finished.artifacts;
    const path = `/runs/${finished.id}/artifacts/${artifact?.id}/content`;
    const content = "# Report\n\ndo it – done ✓\n";
    const whole = await hub.send("GET", path);
    const etag = whole.headers.get("etag") ?? "";
    expect(await whole.text()).toBe(content);
    expect(etag).toBe(`"${createHash("sha256").update(content).digest("hex")}"`);
    expect(whole.headers.get("content-disposition")).toMatch(/^attachment; filename="report\.md"/);
    expect(whole.headers.get("content-type")).toBe("text/markdown");
    expect(whole.headers.get("x-content-type-options")).toBe("nosniff");

    const part = await hub.send("GET", path, { headers: { range: "bytes=2-7" } });
    expect(part.status).toBe(206);
    expect(part.headers.get("content-range")).toBe(`bytes 2-7/${Buffer.byteLength(content)}`);
    expect(await part.text()).toBe("Report");

    const current = await hub.send("GET", path, { headers: { "if-none-match": etag } });
    expect(current.status).toBe(304);
    const beyond = await hub.send("GET", path, { headers: { range: "bytes=1000-" } });
    expect(beyond.status).toBe(416);
    const head = await hub.send("HEAD", path);
    expect(head.headers.get("content-length")).toBe(String(Buffer.byteLength(content)));
  });

  it("ends its streams when it stops, instead of cutting them", async () => {
    const { id } = await hub.post<Run>("/runs", { agent: shellFixture("sleeps"), task });
    await hub.until(id, ({ type }) => type === "progress");
    const headers = { accept: "text/event-stream" };
    const stream = await hub.send("GET", `/runs/${id}/events`, { headers });
    const read = stream.text();
    expect(await hub.stop()).toBe(0);
    expect(await read).toMatch(/"type":"progress"/);
  });
});

describe("started by npm, whose shell passes no signal on", () => {
  it("stops when that shell is gone", async () => {
    const shell = spawn("sh", ["-c", `"${process.execPath}" "${PROGRAM}" up --port 0; true`], {
      cwd: temporaryFolder("npm"),
      env: { ...process.env, npm_lifecycle_event: "start", NO_COLOR: "1" },
      stdio: ["ignore", "pipe", "ignore"],
    });
    let printed = "";
    shell.stdout.setEncoding("utf8").on("data", (chunk: string) => (printed += chunk));
    await eventually(() => expect(printed).toContain("is up"));
    shell.kill("SIGKILL");
    await eventually(() => expect(printed).toMatch(/stopped\n$/));
  });
});
