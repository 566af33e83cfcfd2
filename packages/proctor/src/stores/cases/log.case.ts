// Cases of a store: runs and their logs.
import { expect, it } from "vitest";
import type { Store } from "../../core/ports/store.ts";
import {
  artifactAdded,
  ended,
  logged,
  newEvent,
  newRun,
  NOW,
  readLog,
  started,
  startRun,
} from "../../../test/support/stores/fixtures.ts";

export function logCases(use: () => Store, reopen: () => Promise<Store>): void {
  it("creates a run with its first events", async () => {
    const { run, created } = await use().createRun(newRun({ id: "r1", description: "make tea" }));

    expect(created).toBe(true);
    expect(run).toMatchObject({
      id: "r1",
      status: "queued",
      agent: "echo",
      task: { description: "make tea" },
    });
    expect(await use().readRun("r1")).toEqual(run);
    expect((await readLog(use(), "r1")).map(({ type, sequence }) => [type, sequence])).toEqual([
      ["run.created", 0],
      ["run.queued", 1],
    ]);
  });

  it("refuses a run that does not begin with run.created, and keeps nothing of it", async () => {
    const { events, ...rest } = newRun({ id: "r1" });
    await expect(use().createRun({ ...rest, events: events.slice(1) })).rejects.toMatchObject({
      code: "ILLEGAL_TRANSITION",
    });
    await expect(use().createRun({ ...rest, events: [] })).rejects.toMatchObject({
      code: "ILLEGAL_TRANSITION",
    });
    expect(await use().readRun("r1")).toBeUndefined();
    expect(await readLog(use(), "r1")).toEqual([]);
  });

  it("refuses a second run of the same id and leaves the first alone", async () => {
    const { run } = await use().createRun(newRun({ id: "r1" }));
    await expect(use().createRun(newRun({ id: "r1", description: "other" }))).rejects.toMatchObject({
      code: "ILLEGAL_TRANSITION",
    });
    expect(await use().readRun("r1")).toEqual(run);
    expect(await readLog(use(), "r1")).toHaveLength(2);
  });

  it("keeps events of any length, and gives them back wherever it gives events", async () => {
    const description = "a long wish ☃".repeat(100_000);
    const texts = [16_300, 16_384, 16_400, 5_000_000].map((length) => "x".repeat(length));
    const { run } = await use().createRun(newRun({ id: "r1", description }));
    const file = artifactAdded("a".repeat(100_000), "5".repeat(64));
    await use().append("r1", [started(), ...texts.map(logged), file]);

    const store = await reopen();
    expect(run.task.description).toBe(description);
    expect((await store.readRun("r1"))?.task.description).toBe(description);
    expect((await store.readRun("r1"))?.artifacts).toHaveLength(1);
    const log = await readLog(store, "r1");
    const said = (payload: object) => ("text" in payload ? [payload.text] : []);
    expect(log.flatMap(({ payload }) => said(payload))).toEqual(texts);
    expect((await store.feed(0, 100)).items.map(({ record }) => record)).toEqual(
      await store.readEvents("r1", -1, 100),
    );
  });

  it("numbers events without gaps, in order, when many append at once", async () => {
    const ids = [await startRun(use()), await startRun(use())];
    const sizes = Array.from({ length: 40 }, (_, index) => (index * 7) % 90);
    await Promise.all(
      sizes.flatMap((size, batch) =>
        ids.map((id) =>
          use().append(
            id,
            Array.from({ length: size }, (_, index) => logged(`${batch}.${index}`)),
          ),
        ),
      ),
    );

    for (const id of ids) {
      const log = await readLog(use(), id);
      expect(log.map(({ sequence }) => sequence)).toEqual(log.map((_, index) => index));
      const texts = log.flatMap(({ type, payload }) => (type === "log" ? [payload.text] : []));
      expect(texts).toEqual(
        sizes.flatMap((size, batch) => Array.from({ length: size }, (_, index) => `${batch}.${index}`)),
      );
    }
  });

  it("appends all or nothing", async () => {
    const id = await startRun(use());
    const before = await use().readRun(id);
    const mixed = [
      logged("a"),
      artifactAdded("a1", "00"),
      newEvent({ type: "run.queued", payload: {} }),
      logged("b"),
    ];
    await expect(use().append(id, mixed)).rejects.toMatchObject({ code: "ILLEGAL_TRANSITION" });

    expect(await use().readRun(id)).toEqual(before);
    expect(await readLog(use(), id)).toHaveLength(3);
    expect(await use().readArtifact(id, "a1")).toBeUndefined();
    await use().append(id, [logged("c")]);
    expect((await readLog(use(), id)).at(-1)).toMatchObject({ sequence: 3, payload: { text: "c" } });
  });

  it("takes nothing more once a run has ended", async () => {
    const id = await startRun(use());
    const run = await use().append(id, [logged("last"), ended("failed")]);
    expect(run).toMatchObject({ status: "failed", ended_at: new Date(NOW + 5000).toISOString() });

    for (const event of [logged("more"), ended(), started()]) {
      await expect(use().append(id, [event])).rejects.toMatchObject({ code: "ILLEGAL_TRANSITION" });
    }
    expect(await use().readRun(id)).toEqual(run);
  });

  it("refuses one append without harming those that arrive with it", async () => {
    const [good, over] = [await startRun(use()), await startRun(use())];
    await use().append(over, [ended()]);
    const results = await Promise.allSettled([
      use().append(good, [logged("1")]),
      use().append(over, [logged("late")]),
      use().append("nobody", [logged("lost")]),
      use().append(good, [logged("2")]),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
    expect(await readLog(use(), good)).toHaveLength(5);
  });

  it("finds no run that was never created", async () => {
    await expect(use().append("nobody", [logged("x")])).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
    expect(await use().readRun("nobody")).toBeUndefined();
    expect(await use().readEvents("nobody", -1, 10)).toEqual([]);
  });

  it("answers an empty append with the run as it is", async () => {
    const id = await startRun(use());
    expect(await use().append(id, [])).toEqual(await use().readRun(id));
    expect(await readLog(use(), id)).toHaveLength(3);
  });

  it("creates the successor in the same commit as the end", async () => {
    const id = await startRun(use());
    const run = await use().append(id, [ended("failed")], { successor: newRun({ id: "next" }) });
    expect(run.status).toBe("failed");
    expect(await use().readRun("next")).toMatchObject({ status: "queued" });
  });

  it("ends nothing when the successor cannot be created", async () => {
    const id = await startRun(use());
    await use().createRun(newRun({ id: "taken" }));
    for (const event of [logged("undone"), ended("failed")]) {
      const append = use().append(id, [event], { successor: newRun({ id: "taken" }) });
      await expect(append).rejects.toMatchObject({ code: "ILLEGAL_TRANSITION" });
    }

    expect(await use().readRun(id)).toMatchObject({ status: "running" });
    expect(await readLog(use(), id)).toHaveLength(3);
    await use().append(id, [logged("goes on")]);
    expect((await readLog(use(), id)).at(-1)).toMatchObject({ sequence: 3 });
  });

  it("reads the log from any sequence, as much as asked for", async () => {
    const id = await startRun(use());
    await use().append(
      id,
      Array.from({ length: 250 }, (_, index) => logged(String(index))),
    );
    const sequences = async (after: number, limit: number) =>
      (await use().readEvents(id, after, limit)).map(({ sequence }) => sequence);

    expect(await sequences(-1, 2)).toEqual([0, 1]);
    expect(await sequences(100, 3)).toEqual([101, 102, 103]);
    expect(await sequences(251, 10)).toEqual([252]);
    expect(await sequences(252, 10)).toEqual([]);
    expect(await sequences(-1, 0)).toEqual([]);
    expect(await sequences(-1, 1000)).toHaveLength(253);
  });

  it("keeps the origin of an event", async () => {
    const id = await startRun(use());
    const origin = { sequence: 7, trace: { "x-unknown": [1, null] } };
    await use().append(id, [
      newEvent({ type: "reasoning", payload: { thought: "hm" }, origin }),
      logged("x"),
    ]);
    const [first, second] = (await readLog(use(), id)).slice(3);
    expect(first).toMatchObject({ type: "reasoning", payload: { thought: "hm" }, origin });
    expect(second).not.toHaveProperty("origin");
  });

  it("keeps every character, and 5 MB of them", async () => {
    const texts = [
      "naïve 漢字 👩‍👩‍👧 \u202e",
      "nul \0 inside",
      "lone \ud800 half",
      `'"\\;--`,
      "ß".repeat(2_500_000),
    ];
    const { run } = await use().createRun(newRun({ description: texts.join("") }));
    await use().append(run.id, [started(), ...texts.map(logged)]);

    const store = await reopen();
    const log = await readLog(store, run.id);
    expect(log.flatMap(({ type, payload }) => (type === "log" ? [payload.text] : []))).toEqual(texts);
    expect((await store.readRun(run.id))?.task.description).toBe(texts.join(""));
  });

  it("keeps artifacts in the run and by id", async () => {
    const id = await startRun(use());
    await use().append(id, [artifactAdded("a1", "aa"), logged("x"), artifactAdded("a2", "bb")]);
    const run = await use().append(id, [artifactAdded("a3", "aa"), ended()]);

    expect(run.artifacts.map((artifact) => artifact.id)).toEqual(["a1", "a2", "a3"]);
    expect(await use().readRun(id)).toEqual(run);
    expect(await use().readArtifact(id, "a2")).toEqual(run.artifacts[1]);
    expect(await use().readArtifact(id, "a4")).toBeUndefined();
    expect(await use().readArtifact(await startRun(use()), "a2")).toBeUndefined();
  });

  it("still has everything after it was closed and opened again", async () => {
    const id = await startRun(use());
    const run = await use().append(id, [logged("x"), artifactAdded("a1", "aa")]);
    const log = await readLog(use(), id);

    const store = await reopen();
    expect(await store.readRun(id)).toEqual(run);
    expect(await readLog(store, id)).toEqual(log);
    await store.append(id, [logged("y")]);
    expect((await readLog(store, id)).at(-1)).toMatchObject({ sequence: 5 });
  });

  it("commits what waits when it is closed, and takes no more", async () => {
    const id = await startRun(use());
    const waiting = use().append(id, [logged("just in time")]);
    const closing = use().close();
    await expect(use().append(id, [logged("too late")])).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    await Promise.all([waiting, closing]);
    await expect(use().readRun(id)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });

    expect(await readLog(await reopen(), id)).toHaveLength(4);
  });

  it("answers nothing once it is closed, not even what it answered before", async () => {
    const store = use();
    const id = await startRun(store);
    const questions = [
      () => store.readRun(id),
      () => store.listPage({ page: 2, size: 10 }),
      () => store.listRuns({}),
      () => store.readEvents(id, -1, 10),
      () => store.feed(0, 10),
    ];
    for (const ask of questions) await ask();
    await store.close();
    for (const ask of questions) await expect(ask()).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  });

  it("answers a ping when it can be written", async () => {
    await expect(use().ping()).resolves.toBeUndefined();
  });
}
