import { afterEach, describe, expect, it } from "vitest";
import { HANG_MS, eventually } from "../../test/support/eventually.ts";
import { createManualClock } from "../../test/support/manual-clock.ts";
import { createScriptedDriver } from "../../test/support/scripted-driver.ts";
import { openTestHub, type TestHub, type TestHubOptions } from "../../test/support/test-hub.ts";
import { textPart } from "../core/message.ts";

const agent = { protocol: "puppet", transport: "stdio", command: ["x"] };
const task = { description: "work" };
const talks = { says: true, asks: ["input" as const] };
const opened: TestHub[] = [];

afterEach(async () => {
  for (const hub of opened.splice(0).toReversed()) await hub.close().catch(() => undefined);
});

/** Two hubs on one store: the first carries out runs, the second only has clients. */
async function setUp(options: TestHubOptions = {}) {
  const driver = createScriptedDriver({ talks });
  const owner = await openTestHub({ driver, worker: "a", ...options });
  opened.push(owner);
  const door = await openTestHub({
    driver: createScriptedDriver({ talks }),
    worker: "b",
    shared: true,
    concurrency: 0,
    wrapStore: (unused) => {
      void unused.close();
      return { ...owner.store, close: () => Promise.resolve() };
    },
    ...options,
  });
  opened.push(door);
  const { run } = await owner.hub.submit({ agent, task, options: { conversation: {} } });
  return { owner, door, driver, id: run.id, session: await driver.session(0) };
}

describe("a run that another process carries out", { timeout: HANG_MS }, () => {
  it("is paused, resumed and cancelled through its log", async () => {
    const { owner, door, id, session } = await setUp();
    expect((await door.hub.pause(id)).status).toBe("paused");
    expect(session.paused).toBe(true);
    expect((await door.hub.resume(id)).status).toBe("running");
    expect(session.paused).toBe(false);
    const cancelled = door.hub.cancel(id, "enough");
    await eventually(() => expect(session.signals.cancel.aborted).toBe(true));
    session.end("cancelled");
    expect(await cancelled).toMatchObject({ status: "cancelled", failure: { message: "enough" } });
    expect((await owner.log(id)).map(({ type }) => type)).toEqual([
      "run.created",
      "run.queued",
      "run.started",
      "run.pause_requested",
      "run.paused",
      "run.resume_requested",
      "run.resumed",
      "run.cancel_requested",
      "run.ended",
    ]);
  });

  it("hears and is answered from there", async () => {
    const { door, owner, id, session } = await setUp();
    await door.hub.say(id, { id: "m", parts: [textPart("hello")] });
    session.ask({ id: "q" });
    await owner.until(id, ({ type }) => type === "question.asked");
    await door.hub.answer(id, { question_id: "q", parts: [textPart("yes")] });
    await eventually(() => expect(session.heard).toHaveLength(2));
    session.end();
    expect((await owner.ended(id)).status).toBe("completed");
  });

  it("that is silent is said to be, and the wish stays in the log", async () => {
    const door = await openTestHub({ driver: createScriptedDriver(), concurrency: 0, ownerSilentMs: 50 });
    opened.push(door);
    const { run } = await door.hub.submit({ agent, task });
    // A worker that died: it has claimed the run and reads nothing.
    const claim = { worker: "dead", limit: 1, now: Date.now(), agentLimit: 1, inFlight: {} };
    expect((await door.store.claimRuns(claim)).claimed).toHaveLength(1);
    await expect(door.hub.pause(run.id)).rejects.toMatchObject({ code: "OWNER_SILENT" });
    await expect(door.hub.cancel(run.id)).rejects.toMatchObject({ code: "OWNER_SILENT" });
    expect((await door.log(run.id)).slice(-2).map(({ type }) => type)).toEqual([
      "run.pause_requested",
      "run.cancel_requested",
    ]);
  });

  it("is left alone by a worker that starts, while its own is alive, and closed when its time is over", async () => {
    const clock = createManualClock();
    const { owner, id, session } = await setUp({ clock });
    await eventually(async () => expect(await owner.store.expired(clock.now(), 10)).toEqual([]));
    expect((await owner.hub.run(id)).status).toBe("running");
    const late = await openTestHub({
      clock: { ...clock, now: () => clock.now() + 60_000 },
      driver: createScriptedDriver({ talks }),
      worker: "c",
      shared: true,
      concurrency: 0,
      wrapStore: (unused) => {
        void unused.close();
        return { ...owner.store, close: () => Promise.resolve() };
      },
    });
    opened.push(late);
    expect(await late.hub.run(id)).toMatchObject({ status: "failed", failure: { code: "INTERRUPTED" } });
    // Its worker comes back to life, and can write nothing more to it.
    session.end();
    await eventually(() => expect(owner.engine.active).toBe(0));
    expect((await owner.log(id)).filter(({ type }) => type === "run.ended")).toHaveLength(1);
  });
});
