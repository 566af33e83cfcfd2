// Cases of a store: runs that clients carry out, what is taken back, what is removed, and pages by number.
import { expect, it } from "vitest";
import type { NewRun, Store } from "../../core/ports/store.ts";
import { CLIENT_AGENT, CLIENT_WORKER } from "../../core/run.ts";
import {
  artifactAdded,
  claimRequest,
  ended,
  logged,
  newEvent,
  newRun,
  readLog,
  started,
  startRun,
} from "../../../test/support/stores/fixtures.ts";

function clientRun(): NewRun {
  const run = newRun({ agent: CLIENT_AGENT });
  return { ...run, events: [...run.events.slice(0, 1), started(CLIENT_WORKER)] };
}

const removed = (id: string) => newEvent({ type: "artifact.removed", payload: { artifact_id: id } });

function uploaded(id: string, sha256: string, storedAs?: string) {
  const name = storedAs === undefined ? {} : { stored_as: storedAs };
  const artifact = { id, type: "file" as const, path: "x", content_hash: `sha256:${sha256}`, ...name };
  return newEvent({ type: "artifact.added", payload: { artifact, by: "client" } });
}

export function removeCases(use: () => Store, reopen: () => Promise<Store>): void {
  it("never claims a run that a client carries out, nor lists it as in flight", async () => {
    const { run } = await use().createRun(clientRun());
    expect(run).toMatchObject({ status: "running", started_at: expect.any(String) as string });
    const paused = await use().createRun(clientRun());
    await use().append(paused.run.id, [newEvent({ type: "run.paused", payload: {} })]);
    // On both sides of the clients' runs in the order of agents.
    for (const agent of ["a", "zz"]) await use().createRun(newRun({ id: agent, agent }));
    await use().claimRuns(claimRequest());
    const store = await reopen();
    expect((await store.expired(Infinity, 10)).map(({ run }) => run.id)).toEqual(["a", "zz"]);
    expect(await store.claimRuns(claimRequest())).toMatchObject({ claimed: [], nextDueAt: null });
    await store.append(run.id, [logged("goes on")]);
  });

  it("removes a run that was created and ended in the same turn, with what a search finds of it", async () => {
    await use().createRun(newRun());
    const run = clientRun();
    const events = [...run.events, ended()];
    const [, files] = await Promise.all([use().createRun({ ...run, events }), use().deleteRun(run.id)]);
    if (files === undefined) await use().deleteRun(run.id);
    const { items, total } = await use().listPage({ page: 1, size: 10 });
    expect([items.length, total]).toEqual([1, 1]);
    expect((await use().listRuns({ limit: 10, text: run.id })).items).toEqual([]);
  });

  it("keeps a run that waits for its start until then", async () => {
    const prepared = newRun();
    await use().createRun({ ...prepared, events: prepared.events.slice(0, 1) });
    const store = await reopen();
    expect((await store.claimRuns(claimRequest())).claimed).toEqual([]);
    await store.append(prepared.id, prepared.events.slice(1));
    expect((await store.claimRuns(claimRequest())).claimed).toMatchObject([{ run: { id: prepared.id } }]);
  });

  it("appends nothing to a log that has grown beyond what was expected", async () => {
    const id = await startRun(use());
    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, (_, index) =>
        use().append(id, [logged(`${index}`)], { expectedSequence: 2 }),
      ),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", ...Array<string>(4).fill("rejected")]);
    expect(outcomes[1]).toMatchObject({
      reason: { code: "CHANGED_MEANWHILE", retryable: true, details: { last_sequence: 3 } },
    });
    await use().append(id, [logged("next")], { expectedSequence: 3 });
    expect(await readLog(use(), id)).toHaveLength(5);
  });

  it("takes only artifacts of clients, added or removed, once a run has ended", async () => {
    const id = await startRun(use());
    await use().append(id, [artifactAdded("a1", "aa"), ended()]);
    await expect(use().append(id, [artifactAdded("a2", "bb")])).rejects.toMatchObject({
      code: "ILLEGAL_TRANSITION",
    });
    await use().append(id, [uploaded("a3", "cc")]);
    const run = await use().append(id, [removed("a1")]);
    expect(run).toMatchObject({ status: "completed", artifacts: [{ id: "a3" }] });
    await expect(use().append(id, [removed("a1")])).rejects.toMatchObject({ code: "ARTIFACT_NOT_FOUND" });
    const store = await reopen();
    expect(await store.readRun(id)).toEqual(run);
    expect(await store.readArtifact(id, "a1")).toBeUndefined();
    expect(await store.readArtifact(id, "a3")).toMatchObject({ id: "a3" });
    await expect(store.append(id, [logged("x")])).rejects.toMatchObject({ code: "ILLEGAL_TRANSITION" });
  });

  it("finds the files that no artifact refers to", async () => {
    const id = await startRun(use());
    await use().append(id, [uploaded("a1", "aa", "name-1"), artifactAdded("a2", "bb")]);
    const files = { hashes: ["aa", "bb", "cc", "cc"], names: ["name-1", "name-2"] };
    expect(await use().unreferenced(files)).toEqual({ hashes: ["cc"], names: ["name-2"] });
    await use().append(id, [removed("a1")]);
    expect(await use().unreferenced(files)).toEqual({ hashes: ["aa", "cc"], names: ["name-1", "name-2"] });
  });

  it("ignores an agent that claims a stored name for its file", async () => {
    const id = await startRun(use());
    const artifact = { id: "a1", type: "file" as const, path: "x", stored_as: "somebody-else" };
    await use().append(id, [newEvent({ type: "artifact.added", payload: { artifact } }), ended()]);
    expect(await use().unreferenced({ hashes: [], names: ["somebody-else"] })).toMatchObject({
      names: ["somebody-else"],
    });
    expect(await use().deleteRun(id)).toEqual({ hashes: [], names: [] });
  });

  it("removes a run with all that it has, and says which files are left without an owner", async () => {
    const [id, other] = [
      await startRun(use(), { idempotency: { key: "k", fingerprint: "f" } }),
      await startRun(use()),
    ];
    await use().append(id, [uploaded("a1", "aa", "name-1"), artifactAdded("a2", "bb"), logged("x")]);
    await use().append(other, [artifactAdded("b1", "bb")]);
    await expect(use().deleteRun(id)).rejects.toMatchObject({ code: "ILLEGAL_TRANSITION" });
    await use().append(id, [ended()]);
    await use().readRun(id);
    const told: unknown[] = [];
    const stop = use().watch((...commit) => told.push(commit.slice(0, 5)));
    expect(await use().deleteRun(id)).toEqual({ hashes: ["aa"], names: ["name-1"] });
    expect(await use().deleteRun(id)).toBeUndefined();
    stop();
    expect(told).toEqual([[id, 6, 0, true, false]]);
    for (const open of [() => use(), reopen]) {
      const store = await open();
      expect(await store.readRun(id)).toBeUndefined();
      expect(await readLog(store, id)).toEqual([]);
      expect(await store.readArtifact(id, "a1")).toBeUndefined();
      expect((await store.listRuns({})).items.map((run) => run.id)).toEqual([other]);
      await expect(store.append(id, [uploaded("a9", "dd")])).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
    }
    // Its key is free again.
    expect(
      await (await reopen()).createRun(newRun({ idempotency: { key: "k", fingerprint: "g" } })),
    ).toMatchObject({
      created: true,
    });
  });

  it("removes a long run at once for everybody, also after a restart", async () => {
    const [id, other] = [await startRun(use()), await startRun(use())];
    for (let batch = 0; batch < 5; batch++) {
      await use().append(
        id,
        Array.from({ length: 1000 }, (_, index) => logged(`${batch}-${index}`)),
      );
    }
    await use().append(id, [artifactAdded("a1", "aa"), ended()]);
    expect(await use().deleteRun(id)).toEqual({ hashes: ["aa"], names: [] });
    for (const open of [() => use(), reopen]) {
      const store = await open();
      expect(await store.readRun(id)).toBeUndefined();
      expect(await store.readEvents(id, 4000, 10)).toEqual([]);
      expect(await store.deleteRun(id)).toBeUndefined();
      expect(await readLog(store, other)).toHaveLength(3);
    }
  });

  it("pages by number through all runs, the newest first, while some come and some go", async () => {
    const ids: string[] = [];
    for (let index = 0; index < 7; index++) ids.unshift(await startRun(use()));
    const all = async (store: Store, size: number) => {
      const found: string[] = [];
      for (let page = 1; ; page++) {
        const { items, total } = await store.listPage({ page, size });
        expect(total).toBe(ids.length);
        if (items.length === 0) return found;
        expect(items.length).toBeLessThanOrEqual(size);
        found.push(...items.map(({ id }) => id));
      }
    };
    expect(await all(use(), 3)).toEqual(ids);
    for (const place of [0, 2, 4]) {
      const [gone = ""] = ids.splice(place, 1);
      await use().append(gone, [ended()]);
      await use().deleteRun(gone);
      expect(await all(use(), 2)).toEqual(ids);
    }
    ids.unshift(await startRun(use()));
    expect(await all(use(), 100)).toEqual(ids);
    const store = await reopen();
    expect(await all(store, 1)).toEqual(ids);
    expect(await store.listPage({ page: Number.MAX_SAFE_INTEGER, size: 1000 })).toMatchObject({ items: [] });
  });
}
