// Invariant 2: acknowledged means on disk. The hub is killed with -9, again and again, in the middle of its work.
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { listPids, readEnvironment } from "../../src/runtime/processes/proc.ts";
import type { RunEvent } from "../../src/core/event.ts";
import type { Page } from "../../src/core/page.ts";
import type { Run } from "../../src/core/run.ts";
import { costlyRounds } from "../support/property-runs.ts";
import { startHubProcess, type HubProcess } from "../support/hub-process.ts";

const ROUNDS = costlyRounds(20);
const RUNS = 50;
const folder = mkdtempSync(join(tmpdir(), "proctor-crash-"));
const script = new URL("../fixtures/agents/burst.sh", import.meta.url).pathname;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a client was told, and must find again. */
interface Acknowledged {
  runs: Set<string>;
  events: Map<string, RunEvent[]>;
  artifacts: Map<string, { runId: string; hash: string }>;
}

describe("kill -9 of the hub in the middle of 50 runs", () => {
  it(`loses nothing acknowledged, ${ROUNDS} times in a row`, async () => {
    const told: Acknowledged = { runs: new Set(), events: new Map(), artifacts: new Map() };
    let hub = await startHubProcess({ folder, args: ["--concurrency", String(RUNS)] });
    for (let round = 0; round < ROUNDS; round++) {
      const ids = await submitAll(hub, told);
      await waitUntilBusy(hub, ids, told);
      // More is being submitted and written at the moment of the kill; what is not answered is not acknowledged.
      const unfinished = Promise.allSettled(Array.from({ length: 10 }, () => submit(hub, "answer", told)));
      await hub.stop("SIGKILL");
      await unfinished;
      hub = await startHubProcess({ folder, args: ["--concurrency", String(RUNS)] });
      await verify(hub, ids, told);
    }
    expect(await hub.stop()).toBe(0);
  });
});

async function submit(hub: HubProcess, end: "answer" | "hang", told: Acknowledged): Promise<string> {
  const agent = { protocol: "atp", transport: "stdio", command: [script, "5", end] };
  const { id } = await hub.post<Run>("/runs", { agent, task: { description: "burst" } });
  told.runs.add(id);
  return id;
}

function submitAll(hub: HubProcess, told: Acknowledged): Promise<string[]> {
  return Promise.all(
    Array.from({ length: RUNS }, (_, index) => submit(hub, index % 5 === 0 ? "answer" : "hang", told)),
  );
}

/** Until every run has shown events to us; what they showed is acknowledged. */
async function waitUntilBusy(hub: HubProcess, ids: readonly string[], told: Acknowledged): Promise<void> {
  for (const [index, id] of ids.entries()) {
    const wanted = index % 5 === 0 ? "run.ended" : "progress";
    await hub.until(id, ({ type }) => type === wanted);
    const { items } = await hub.get<Page<RunEvent>>(`/runs/${id}/events?limit=100`);
    told.events.set(id, items);
    const { artifacts } = await hub.get<Run>(`/runs/${id}`);
    for (const artifact of artifacts) {
      told.artifacts.set(artifact.id, { runId: id, hash: artifact.content_hash ?? "" });
    }
  }
}

async function verify(hub: HubProcess, ids: readonly string[], told: Acknowledged): Promise<void> {
  const survivors = listPids().filter((pid) => ids.includes(runOf(pid)));
  expect(survivors, "an agent survived the crash").toEqual([]);
  for (const id of ids) {
    const { items } = await hub.get<Page<RunEvent>>(`/runs/${id}/events?limit=100`);
    const before = told.events.get(id) ?? [];
    expect(items.slice(0, before.length)).toEqual(before);
    expect(items.map(({ sequence }) => sequence)).toEqual(items.map((_, index) => index));
    const run = await hub.get<Run>(`/runs/${id}`);
    expect(["completed", "failed"]).toContain(run.status);
    if (run.status === "failed") expect(run.failure?.code).toBe("INTERRUPTED");
  }
  for (const [id, { runId, hash }] of told.artifacts) {
    const response = await fetch(`${hub.url}/runs/${runId}/artifacts/${id}/content`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect(`sha256:${createHash("sha256").update(bytes).digest("hex")}`).toBe(hash);
  }
  const running = await hub.get<Page<Run>>("/runs?status=running&limit=1000");
  // Runs that were queued at the kill may be running now, under the new hub; none of the old ones are.
  expect(running.items.filter(({ id }) => ids.includes(id))).toEqual([]);
  told.artifacts.clear();
  told.events.clear();
}

/** Whose agent the process is; empty for any other process. */
function runOf(pid: number): string {
  return /(?:^|\0)PROCTOR_RUN_ID=([^\0]*)/.exec(readEnvironment(pid) ?? "")?.[1] ?? "";
}
