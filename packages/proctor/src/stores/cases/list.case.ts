// Cases of a store: lists in pages, counts, and agents.
import { expect, it } from "vitest";
import type { Agent } from "../../core/agent.ts";
import type { RunQuery, Store, StoredAgent } from "../../core/ports/store.ts";
import { RUN_STATUSES } from "../../core/run.ts";
import {
  claimRequest,
  ended,
  newEvent,
  newRun,
  NOW,
  started,
  type RunOptions,
} from "../../../test/support/stores/fixtures.ts";

/** No run in any status. */
const none = Object.fromEntries(RUN_STATUSES.map((status) => [status, 0]));

export function listCases(use: () => Store, reopen: () => Promise<Store>): void {
  const create = (runs: RunOptions[]) => Promise.all(runs.map((run) => use().createRun(newRun(run))));
  const ids = (count: number) => Array.from({ length: count }, (_, index) => `r${index}`);

  async function pages(query: RunQuery, between?: (page: number) => Promise<unknown>): Promise<string[][]> {
    const found: string[][] = [];
    let cursor: string | null = null;
    do {
      const page = await use().listRuns({ ...query, ...(cursor !== null && { cursor }) });
      found.push(page.items.map(({ id }) => id));
      cursor = page.next_cursor;
      await between?.(found.length);
    } while (cursor !== null);
    return found;
  }

  it("lists nothing when there is nothing", async () => {
    expect(await use().listRuns({})).toEqual({ items: [], next_cursor: null });
  });

  it("lists each run once over all pages, newest or oldest first", async () => {
    await create(ids(7).map((id) => ({ id })));
    expect(await pages({ limit: 3 })).toEqual([["r6", "r5", "r4"], ["r3", "r2", "r1"], ["r0"]]);
    expect(await pages({ limit: 3, order: "oldest" })).toEqual([
      ["r0", "r1", "r2"],
      ["r3", "r4", "r5"],
      ["r6"],
    ]);
    expect(await pages({ limit: 7 })).toEqual([ids(7).toReversed()]);
  });

  it("neither repeats nor skips a run when others are created between pages", async () => {
    await create(ids(6).map((id) => ({ id })));
    const newest = await pages({ limit: 2 }, (page) => create([{ id: `new${page}` }]));
    expect(newest.flat()).toEqual(ids(6).toReversed());
    const oldest = await pages({ limit: 4, order: "oldest" }, (page) =>
      page === 1 ? create([{ id: "last" }]) : Promise.resolve(),
    );
    expect(oldest.flat()).toEqual([...ids(6), "new1", "new2", "new3", "last"]);
  });

  it("lists whole runs", async () => {
    const [made] = await create([{ id: "r1" }]);
    expect((await use().listRuns({})).items).toEqual([made?.run]);
  });

  it("filters by protocol, text, time, cost and violations, on every page, in either order", async () => {
    await create([
      { id: "r0", protocol: "a2a", description: "Write a POEM" },
      { id: "r1", alias: "Poem-2", at: NOW + 1000 },
      { id: "r2", description: "50%_off", at: NOW + 2000 },
      { id: "r3", description: `${"x".repeat(1000)} poem`, at: NOW + 2000 },
    ]);
    const violation = { type: "violation", payload: { rule: "r", message: "m" } } as const;
    for (const [id, cost_usd] of [
      ["r0", 0.5],
      ["r1", 0.25],
      ["r3", 0],
    ] as const) {
      await use().append(id, [
        newEvent({ type: "run.started", payload: { worker: "w" } }),
        newEvent(violation),
      ]);
      const end = { type: "run.ended", payload: { status: "completed", metrics: { cost_usd } } } as const;
      await use().append(id, [newEvent(end)]);
    }
    async function list(query: RunQuery): Promise<string> {
      const newest = (await pages({ limit: 1, ...query })).flat();
      const oldest = (await pages({ limit: 1, order: "oldest", ...query })).flat();
      expect(oldest).toEqual(newest.toReversed());
      return oldest.join(" ");
    }
    const at = (ms: number): string => new Date(NOW + ms).toISOString();

    expect(await list({ protocol: "a2a" })).toBe("r0");
    expect(await list({ text: "poem" })).toBe("r0 r1");
    expect(await list({ text: "R2" })).toBe("r2");
    expect(await list({ text: "%_" })).toBe("r2");
    expect(await list({ text: "nothing" })).toBe("");
    expect(await list({ created_after: at(1000) })).toBe("r1 r2 r3");
    expect(await list({ created_before: at(2000) })).toBe("r0 r1");
    expect(await list({ created_after: at(1), created_before: at(2000) })).toBe("r1");
    expect(await list({ cost_at_least: 0.1 })).toBe("r0 r1");
    expect(await list({ cost_at_least: 0.3 })).toBe("r0");
    expect(await list({ violations: true })).toBe("r0 r1 r3");
    expect(await list({ violations: true, text: "poem", status: ["completed", "failed"] })).toBe("r0 r1");
    expect(await list({ created_after: at(0), status: ["queued", "completed"] })).toBe("r0 r1 r2 r3");
    await use().deleteRun("r1");
    expect(await list({ text: "poem" })).toBe("r0");
  });

  it("lists the costliest and the slowest runs first over all pages, of those that have a cost or an end", async () => {
    const facts = [
      ["r0", 0.1, 30],
      ["r1", 0.30000000000000004, 10],
      ["r2", undefined, 20],
      ["r3", 0.3, 20],
      ["r4", undefined, 4_000_000],
      ["r5", 0.1, 0],
    ] as const;
    await create([...facts.map(([id]) => ({ id })), { id: "queued" }, { id: "never-began" }]);
    for (const [id, cost_usd, ms] of facts) {
      const metrics = cost_usd === undefined ? {} : { cost_usd };
      const end = { type: "run.ended", payload: { status: "completed", metrics } } as const;
      await use().append(id, [started(), newEvent(end, NOW + ms)]);
    }
    await use().append("never-began", [ended("cancelled")]);
    const list = async (query: RunQuery) => (await pages({ limit: 2, ...query })).flat().join(" ");
    expect(await list({ order: "costliest" })).toBe("r1 r3 r5 r0");
    expect(await list({ order: "slowest" })).toBe("r4 r0 r3 r2 r1 r5");
    const ends = { status: ["completed", "failed"] as const };
    expect(await list({ order: "slowest", ...ends, cost_at_least: 0.1 })).toBe("r0 r3 r1 r5");
    expect(await list({ order: "costliest", ...ends, text: "R3" })).toBe("r3");
    expect(await list({ order: "slowest", status: ["queued", "cancelled"] })).toBe("");
  });

  it("sums up runs since a moment", async () => {
    await create([
      { id: "r0", at: NOW },
      { id: "r1", at: NOW + 60_000 },
      { id: "r2", at: NOW + 60_001 },
    ]);
    await use().append("r1", [newEvent({ type: "run.started", payload: { worker: "w" } }, NOW + 60_000)]);
    const end = { type: "run.ended", payload: { status: "completed", metrics: { cost_usd: 0.5 } } } as const;
    await use().append("r1", [newEvent(end, NOW + 61_000)]);
    const minute = 60_000;
    const bucket = Math.floor((NOW + minute) / minute) * minute;
    expect(await use().summarizeRuns(NOW + 1, minute)).toEqual({
      statuses: { ...none, queued: 2, completed: 1 },
      runs: 2,
      cost_usd: 0.5,
      duration_ms: { runs: 1, p50: 1000, p95: 1000 },
      buckets: [{ at: bucket, runs: 2, cost_usd: 0.5, duration_ms: 1000 }],
    });
    const [before, after] = (await use().summarizeRuns(NOW, minute)).buckets;
    expect([before?.duration_ms, after?.duration_ms]).toEqual([null, 1000]);
    expect(await use().summarizeRuns(NOW + 1_000_000, minute)).toMatchObject({
      runs: 0,
      duration_ms: { p50: null },
      buckets: [],
    });
  });

  it("filters by what the id begins with, on every page", async () => {
    await create(["ab1", "ab2", "ac1", "b", "ab3"].map((id) => ({ id })));
    const list = async (query: RunQuery) => (await pages({ limit: 2, order: "oldest", ...query })).flat();

    expect(await list({ prefix: "ab" })).toEqual(["ab1", "ab2", "ab3"]);
    expect(await list({ prefix: "ab2" })).toEqual(["ab2"]);
    expect(await list({ prefix: "aa" })).toEqual([]);
  });

  it("filters by status and agent, on every page", async () => {
    await create(ids(9).map((id, index) => ({ id, agent: index % 3 === 0 ? "fizz" : "echo" })));
    await use().claimRuns(claimRequest({ limit: 4 }));
    await use().append("r0", [ended()]);
    const list = async (query: RunQuery) => (await pages({ limit: 2, order: "oldest", ...query })).flat();

    expect(await list({ agent: "fizz" })).toEqual(["r0", "r3", "r6"]);
    expect(await list({ agent: "nobody" })).toEqual([]);
    expect(await list({ status: ["running"] })).toEqual(["r1", "r2", "r3"]);
    expect(await list({ status: ["queued", "completed"] })).toEqual(["r0", "r4", "r5", "r6", "r7", "r8"]);
    expect(await list({ status: ["running", "completed"], agent: "fizz" })).toEqual(["r0", "r3"]);
    expect(await list({ status: ["queued", "running"], order: "newest" })).toEqual(
      ids(9).slice(1).toReversed(),
    );
    expect(await list({ status: ["paused"] })).toEqual([]);
    expect(await list({ status: [] })).toEqual(ids(9));
  });

  it("takes a cursor back only in the list that issued it", async () => {
    await create(ids(5).map((id) => ({ id })));
    await use().putAgent(stored("a"));
    await use().putAgent(stored("b"));
    const { next_cursor: cursor } = await use().listRuns({ limit: 2, status: ["queued", "running"] });
    const { next_cursor: agentCursor } = await use().listAgents({ limit: 1 });
    if (cursor === null || agentCursor === null) throw new Error("there must be more pages");

    const same = await use().listRuns({ limit: 3, status: ["running", "queued"], cursor });
    expect(same.items.map(({ id }) => id)).toEqual(["r2", "r1", "r0"]);
    const refused: RunQuery[] = [
      { cursor },
      { cursor, status: ["queued"] },
      { cursor, status: ["queued", "running"], agent: "echo" },
      { cursor, status: ["queued", "running"], order: "oldest" },
      { cursor: agentCursor },
      { cursor: "" },
      { cursor: "garbage" },
      { cursor: Buffer.from("null").toString("base64url") },
      { cursor: Buffer.from('["x",1]').toString("base64url") },
    ];
    for (const query of refused) {
      await expect(use().listRuns(query)).rejects.toMatchObject({ code: "INVALID_CURSOR" });
    }
    await expect(use().listAgents({ cursor })).rejects.toMatchObject({ code: "INVALID_CURSOR" });
  });

  it("keeps the size of a page between 1 and 1000", async () => {
    await create(ids(60).map((id) => ({ id })));
    const size = async (limit?: number) =>
      (await use().listRuns(limit === undefined ? {} : { limit })).items.length;
    expect(await size()).toBe(50);
    expect(await size(0)).toBe(1);
    expect(await size(-5)).toBe(1);
    expect(await size(Number.NaN)).toBe(1);
    expect(await size(1e12)).toBe(60);
  });

  it("counts the runs in each status", async () => {
    expect(await use().countRuns()).toEqual(Object.fromEntries(RUN_STATUSES.map((status) => [status, 0])));
    await create(ids(5).map((id) => ({ id })));
    await use().claimRuns(claimRequest({ limit: 2 }));
    await use().append("r0", [ended("timeout")]);
    expect(await use().countRuns()).toMatchObject({ created: 0, queued: 3, running: 1, timeout: 1 });
  });

  it("keeps agents with what is sealed for them", async () => {
    await use().putAgent(stored("b", "sealed"));
    expect(await use().readAgent("b")).toEqual(stored("b", "sealed"));
    expect(await use().readAgent("c")).toBeUndefined();
    expect(await (await reopen()).readAgent("b")).toEqual(stored("b", "sealed"));
  });

  it("replaces an agent only on request", async () => {
    await use().putAgent(stored("a", "first"));
    await expect(use().putAgent(stored("a", "second"))).rejects.toMatchObject({ code: "AGENT_EXISTS" });
    expect(await use().readAgent("a")).toEqual(stored("a", "first"));
    await use().putAgent(stored("a"), { replace: true });
    expect(await use().readAgent("a")).toEqual(stored("a"));
  });

  it("lists agents by name, each once", async () => {
    for (const name of ["b", "Z", "a", "a-1", "0"]) await use().putAgent(stored(name));
    const first = await use().listAgents({ limit: 2 });
    expect(first.items).toEqual([stored("0").agent, stored("Z").agent]);
    await use().putAgent(stored("A"));
    const rest = await use().listAgents({ ...(first.next_cursor !== null && { cursor: first.next_cursor }) });
    expect(rest.items.map(({ name }) => name)).toEqual(["a", "a-1", "b"]);
    expect(rest.next_cursor).toBeNull();
  });

  it("removes an agent once", async () => {
    await use().putAgent(stored("a"));
    expect(await use().removeAgent("a")).toBe(true);
    expect(await use().removeAgent("a")).toBe(false);
    expect(await use().readAgent("a")).toBeUndefined();
  });
}

function stored(name: string, sealed: string | null = null): StoredAgent {
  const agent: Agent = {
    name,
    address: `atp+stdio:${name}`,
    protocol: "atp",
    transport: "stdio",
    command: [name],
    env: { TOKEN: "***" },
    created_at: "2026-01-02T03:04:05.006Z",
  };
  return { agent, sealed };
}
