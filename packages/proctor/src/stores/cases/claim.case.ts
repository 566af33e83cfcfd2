// Cases of a store: giving runs to workers.
import { expect, it } from "vitest";
import type { ClaimRequest, Store } from "../../core/ports/store.ts";
import {
  claimRequest,
  ended,
  logged,
  newEvent,
  newRun,
  NOW,
  readLog,
  type RunOptions,
} from "../../../test/support/stores/fixtures.ts";

export function claimCases(use: () => Store): void {
  const create = async (...runs: RunOptions[]): Promise<void> => {
    for (const run of runs) await use().createRun(newRun(run));
  };
  const claim = async (request: Partial<ClaimRequest> = {}): Promise<string[]> =>
    (await use().claimRuns(claimRequest(request))).claimed.map(({ run }) => run.id);

  it("moves a queued run to running and gives what is needed to run it", async () => {
    await create({ id: "r1", sealed: "secret", concurrency: 3 });
    const { claimed, nextDueAt } = await use().claimRuns(claimRequest({ worker: "host:1" }));

    expect(claimed).toMatchObject([
      { run: { id: "r1", status: "running" }, sealed: "secret", fence: 1, spec: { concurrency: 3 } },
    ]);
    expect(nextDueAt).toBeNull();
    expect(claimed[0]?.run).toEqual(await use().readRun("r1"));
    expect((await readLog(use(), "r1")).at(-1)).toEqual({
      run_id: "r1",
      sequence: 2,
      timestamp: new Date(NOW).toISOString(),
      type: "run.started",
      payload: { worker: "host:1" },
    });
    expect(await claim()).toEqual([]);
  });

  it("takes the oldest first and no more than asked for", async () => {
    await create({ id: "c" }, { id: "a" }, { id: "b" }, { id: "d" });
    expect(await claim({ limit: 0 })).toEqual([]);
    expect(await claim({ limit: 2 })).toEqual(["c", "a"]);
    expect(await claim({ limit: 1 })).toEqual(["b"]);
    expect(await claim({ limit: 5 })).toEqual(["d"]);
  });

  it("leaves runs that are not queued", async () => {
    await create({ id: "cancelled" }, { id: "r2" });
    await use().append("cancelled", [newEvent({ type: "run.ended", payload: { status: "cancelled" } })]);
    expect(await claim()).toEqual(["r2"]);
  });

  it("takes a run that something was appended to while it waited", async () => {
    await create({ id: "r1" });
    await use().append("r1", [logged("still waiting")]);
    expect(await claim()).toEqual(["r1"]);
    expect((await readLog(use(), "r1")).map(({ sequence }) => sequence)).toEqual([0, 1, 2, 3]);
  });

  it("waits until a run is due, and says when that is", async () => {
    await create(
      { id: "later", notBefore: NOW + 2000 },
      { id: "soon", notBefore: NOW + 1000 },
      { id: "now" },
    );
    const request = claimRequest({ limit: 1 });
    expect(await use().claimRuns(request)).toMatchObject({
      claimed: [{ run: { id: "now" } }],
      nextDueAt: null,
    });
    expect(await use().claimRuns(request)).toEqual({ claimed: [], nextDueAt: NOW + 1000 });
    expect(await claim({ now: NOW + 999 })).toEqual([]);
    expect(await use().claimRuns(claimRequest({ now: NOW + 1000 }))).toMatchObject({
      claimed: [{ run: { id: "soon" } }],
      nextDueAt: NOW + 2000,
    });
    expect(await claim({ now: NOW + 2000 })).toEqual(["later"]);
    expect(await use().claimRuns(request)).toEqual({ claimed: [], nextDueAt: null });
  });

  it("claims no more of an agent than its limit, and goes on with the others", async () => {
    await create({ id: "a1", agent: "a" }, { id: "a2", agent: "a" }, { id: "a3", agent: "a" });
    await create({ id: "b1", agent: "b" }, { id: "a4", agent: "a" }, { id: "c1", agent: "c" });
    expect(await claim({ agentLimit: 2, limit: 3, inFlight: { a: 1 } })).toEqual(["a1", "b1", "c1"]);
    expect(await claim({ agentLimit: 2, limit: 3, inFlight: { a: 2 } })).toEqual([]);
    expect(await claim({ agentLimit: 2, limit: 3, inFlight: {} })).toEqual(["a2", "a3"]);
  });

  it("lets an agent's own limit count before the worker's", async () => {
    const one = { agent: "one", concurrency: 1 };
    const many = { agent: "many", concurrency: 3 };
    await create({ id: "o1", ...one }, { id: "o2", ...one }, { id: "m1", ...many }, { id: "m2", ...many });
    await create({ id: "m3", ...many }, { id: "m4", ...many });
    expect(await claim({ agentLimit: 2 })).toEqual(["o1", "m1", "m2", "m3"]);
  });

  it("takes runs of a higher priority first, and those of a lower one last", async () => {
    await create({ id: "low", priority: -100 }, { id: "a" }, { id: "high", priority: 100 }, { id: "b" });
    await create({ id: "above", priority: 1 });
    expect(await claim({ limit: 2 })).toEqual(["high", "above"]);
    expect(await claim()).toEqual(["a", "b", "low"]);
  });

  it("lets trees, conversations and suites take turns, however many runs each has waiting", async () => {
    for (let index = 0; index < 6; index++) await create({ id: `e${index}`, suite: "evaluation" });
    expect(await claim({ limit: 2 })).toEqual(["e0", "e1"]);
    await create({ id: "g0", parent: "goal", root: "goal" }, { id: "g1", parent: "goal", root: "goal" });
    await create({ id: "alone" }, { id: "c0", conversation: "talk" }, { id: "c1", conversation: "talk" });
    expect(await claim()).toEqual(["e2", "g0", "alone", "c0", "e3", "g1", "c1", "e4", "e5"]);
    await create({ id: "e6", suite: "evaluation" }, { id: "urgent", suite: "evaluation", priority: 1 });
    expect(await claim()).toEqual(["urgent", "e6"]);
  });

  it("gives a run only to a worker that has the labels which it and its agent require", async () => {
    await create({ id: "gpu", requires: ["gpu"] }, { id: "both", requires: ["gpu"], agentRequires: ["eu"] });
    await create({ id: "any" }, { id: "eu", agentRequires: ["eu"] });
    expect(await claim({ only: ["gpu", "eu"] })).toEqual([]);
    expect(await claim({ limit: 1 })).toEqual(["any"]);
    expect(await claim()).toEqual([]);
    expect(await claim({ labels: ["eu", "unused"] })).toEqual(["eu"]);
    expect(await claim({ labels: ["gpu"] })).toEqual(["gpu"]);
    expect(await claim({ labels: ["gpu", "eu"], only: ["both"] })).toEqual(["both"]);
  });

  it("counts agents by their name, whatever the name is", async () => {
    await create({ id: "r1", agent: "constructor" }, { id: "r2", agent: "__proto__" });
    expect(await claim({ agentLimit: 1 })).toEqual(["r1", "r2"]);
  });

  it("claims only the named runs where runs are named", async () => {
    const ids = Array.from({ length: 70 }, (_, index) => `r${index}`);
    await create(...ids.map((id) => ({ id })), { id: "mine-later", notBefore: NOW + 500 });
    await create({ id: "other-later", notBefore: NOW + 100 });
    expect(await claim({ only: [] })).toEqual([]);
    expect(await claim({ only: ["r9", "nobody"] })).toEqual(["r9"]);
    const only = [...ids, "mine-later"].toReversed();
    expect(await claim({ only, limit: 2 })).toEqual(["r0", "r1"]);
    const rest = await use().claimRuns(claimRequest({ only, limit: 100, agentLimit: 100 }));
    expect(rest.claimed).toHaveLength(67);
    expect(rest.nextDueAt).toBe(NOW + 500);
    expect(await claim({ only: ["mine-later"], now: NOW + 500, inFlight: { echo: 10 } })).toEqual([]);
    expect(await claim({ only: ["mine-later"], now: NOW + 500, inFlight: { echo: 9 } })).toEqual([
      "mine-later",
    ]);
  });

  it("gives each run to one worker, however many ask at once", async () => {
    await create(...Array.from({ length: 30 }, (_, index) => ({ id: `r${index}` })));
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => claim({ worker: `w${index}`, limit: 5 })),
    );
    expect(answers.flat().toSorted()).toEqual(
      Array.from({ length: 30 }, (_, index) => `r${index}`).toSorted(),
    );
  });

  it("refuses writes with a stale fence and takes those with the present one", async () => {
    await create({ id: "r1" });
    const { claimed } = await use().claimRuns(claimRequest());
    const fence = claimed[0]?.fence ?? 0;
    await use().append("r1", [logged("mine")], { fence });
    for (const stale of [fence - 1, fence + 1]) {
      const append = use().append("r1", [logged("not mine")], { fence: stale });
      await expect(append).rejects.toMatchObject({ code: "ILLEGAL_TRANSITION" });
    }
    await use().append("r1", [logged("from outside")]);
    expect(await readLog(use(), "r1")).toHaveLength(5);
  });

  it("knows the runs in flight, oldest first, with what is needed to go on", async () => {
    await create({ id: "r1", sealed: "s1" }, { id: "r2" }, { id: "r3", sealed: "s3" }, { id: "waiting" });
    await claim({ limit: 3 });
    await use().append("r1", [newEvent({ type: "run.paused", payload: {} })]);
    await use().append("r2", [ended()]);

    const found = await use().expired(Infinity, 10);
    expect(found).toMatchObject([
      { run: { id: "r1", status: "paused" }, sealed: "s1", fence: 1, spec: { protocol: "atp" } },
      { run: { id: "r3", status: "running" }, sealed: "s3", fence: 1 },
    ]);
    expect(found[1]?.run).toEqual(await use().readRun("r3"));
    expect((await use().expired(Infinity, 1)).map(({ run }) => run.id)).toEqual(["r1"]);
  });

  it("tells since when the run that was due first has been waiting, and counts writes with a stale fence", async () => {
    const store = use();
    expect(await store.dueSince(NOW)).toBeNull();
    await store.createRun(newRun({ id: "second", notBefore: NOW + 20 }));
    await store.createRun(newRun({ id: "first", notBefore: NOW + 10 }));
    expect(await store.dueSince(NOW)).toBeNull();
    expect(await store.dueSince(NOW + 100)).toBe(NOW + 10);
    const before = store.refusedWrites();
    const refusal = store.append("first", [logged("late")], { fence: 7 });
    await expect(refusal).rejects.toMatchObject({ code: "ILLEGAL_TRANSITION" });
    expect(store.refusedWrites()).toBe(before + 1);
  });
}
