// Cases of a store: who is at work on a run, and runs that wait while nobody is.
import { expect, it } from "vitest";
import type { ClaimRequest, Store } from "../../core/ports/store.ts";
import {
  answered,
  asked,
  claimRequest,
  ended,
  logged,
  newEvent,
  newRun,
  NOW,
  parked,
} from "../../../test/support/stores/fixtures.ts";

const MINUTE = 60_000;

export function parkCases(use: () => Store, reopen: () => Promise<Store>): void {
  const claim = async (request: Partial<ClaimRequest> = {}): Promise<string[]> =>
    (await use().claimRuns(claimRequest(request))).claimed.map(({ run }) => run.id);
  const expired = async (now: number): Promise<string[]> =>
    (await use().expired(now, 10)).map(({ run }) => run.id);
  /** Creates a run that this worker has claimed. */
  const start = async (id: string, worker = "w"): Promise<void> => {
    await use().createRun(newRun({ id, sealed: `sealed ${id}` }));
    await claim({ only: [id], worker });
  };

  it("counts the runs of a worker as expired when its time is over, and not before", async () => {
    await start("r1", "alive");
    await start("r2", "dead");
    await start("r3", "never heard of");
    await use().renew("alive", NOW + MINUTE);
    await use().renew("dead", NOW);
    expect(await expired(NOW - 1)).toEqual(["r3"]);
    expect(await expired(NOW)).toEqual(["r2", "r3"]);
    expect(await expired(NOW + MINUTE)).toEqual(["r1", "r2", "r3"]);
    expect(await expired(Infinity)).toEqual(["r1", "r2", "r3"]);
    expect((await use().expired(Infinity, 2)).map(({ run }) => run.id)).toEqual(["r1", "r2"]);
    await use().renew("dead", NOW + MINUTE);
    expect(await (await reopen()).expired(NOW, 10)).toMatchObject([
      { run: { id: "r3" }, sealed: "sealed r3", fence: 1, continuation: null },
    ]);
  });

  it("counts a run that waits or is paused as expired with its worker, with all it has said", async () => {
    await start("r1");
    await start("r2");
    await use().append("r1", [asked("q1")], { continuation: "way on" });
    await use().append("r2", [newEvent({ type: "run.paused", payload: {} })]);
    expect(await use().expired(Infinity, 10)).toMatchObject([
      { run: { id: "r1", status: "waiting" }, talk: { asked: 1, parked: false }, continuation: "way on" },
      { run: { id: "r2", status: "paused" } },
    ]);
  });

  it("never counts a parked run as expired, until somebody is at work on it again", async () => {
    await start("r1");
    await use().append("r1", [asked("q1"), parked()]);
    expect(await expired(Infinity)).toEqual([]);
    await use().append("r1", [answered("q1", "a")]);
    expect(await expired(Infinity)).toEqual([]);
    expect(await claim({ worker: "v" })).toEqual(["r1"]);
    expect(await expired(Infinity)).toEqual(["r1"]);
  });

  it("takes a parked run from its worker, whose later writes are refused", async () => {
    await start("r1");
    await use().append("r1", [asked("q1"), parked()], { fence: 1 });
    const late = use().append("r1", [logged("still here")], { fence: 1 });
    await expect(late).rejects.toMatchObject({ code: "ILLEGAL_TRANSITION" });
    await use().append("r1", [logged("from outside")], { unowned: true });
    const again = (await reopen()).append("r1", [ended()], { fence: 1 });
    await expect(again).rejects.toMatchObject({ code: "ILLEGAL_TRANSITION" });
  });

  it("gives a parked run to any worker once it is answered, with what was said and the way to go on", async () => {
    await start("r1");
    await use().append("r1", [asked("q1"), asked("q2"), parked()], { fence: 1, continuation: "way on" });
    expect(await claim()).toEqual([]);
    await use().append("r1", [answered("q1", "a1")]);
    expect(await claim()).toEqual([]);
    const store = await reopen();
    await store.append("r1", [answered("q2", "a2", NOW + 5)]);
    expect(await store.claimRuns(claimRequest({ now: NOW + 4 }))).toEqual({
      claimed: [],
      nextDueAt: NOW + 5,
    });
    const { claimed } = await store.claimRuns(claimRequest({ now: NOW + 5, worker: "other" }));
    expect(claimed).toMatchObject([
      {
        run: { id: "r1", status: "running", questions: [] },
        sealed: "sealed r1",
        continuation: "way on",
        fence: 3,
        talk: {
          parked: true,
          undelivered: [
            { kind: "answer", id: "q1" },
            { kind: "answer", id: "q2" },
          ],
        },
      },
    ]);
    await store.append("r1", [logged("goes on")], { fence: 3 });
  });

  it("gives a parked run that is to be looked after to a worker when that is due, though it waits", async () => {
    await start("r1");
    await use().append("r1", [asked("q1"), parked(NOW + MINUTE)]);
    const claims = (now: number, only?: string[]) =>
      use().claimRuns(claimRequest({ now, inFlight: { echo: 10 }, ...(only && { only }) }));
    for (const only of [undefined, ["r1", "r9"]]) {
      expect(await claims(NOW, only)).toEqual({ claimed: [], nextDueAt: NOW + MINUTE });
    }
    expect(await claims(NOW + MINUTE, ["r9"])).toEqual({ claimed: [], nextDueAt: null });
    expect(await claims(NOW + MINUTE)).toMatchObject({
      claimed: [{ run: { id: "r1", status: "waiting" }, fence: 3, talk: { parked: true } }],
      nextDueAt: null,
    });
    expect((await claims(NOW + MINUTE)).claimed).toEqual([]);
    await use().append("r1", [parked(NOW + 2 * MINUTE)], { fence: 3 });
    expect((await claims(NOW + 2 * MINUTE, ["r1"])).claimed).toMatchObject([{ run: { id: "r1" }, fence: 5 }]);
    const store = await reopen();
    expect(await store.expired(Infinity, 10)).toMatchObject([
      { run: { id: "r1", status: "waiting" }, fence: 5 },
    ]);
    await store.append("r1", [logged("looked after")], { fence: 5 });
  });

  it("does not look after a parked run that was answered, paused, or ended", async () => {
    for (const id of ["answered", "paused", "ended"]) {
      await start(id);
      await use().append(id, [asked("q1"), parked(NOW + MINUTE)]);
    }
    await use().append("answered", [answered("q1", "a")]);
    await use().append("paused", [newEvent({ type: "run.paused", payload: {} })]);
    await use().append("ended", [ended("cancelled")]);
    expect(await claim({ now: NOW })).toEqual(["answered"]);
    expect(await use().claimRuns(claimRequest({ now: NOW + MINUTE }))).toEqual({
      claimed: [],
      nextDueAt: null,
    });
  });

  it("claims what is queued before what is to be looked after, and says when the next of both is due", async () => {
    for (const [id, at] of [
      ["r1", 1],
      ["r2", 2],
      ["r3", 30],
    ] as const) {
      await start(id);
      await use().append(id, [asked("q1"), parked(NOW + at)]);
    }
    await use().createRun(newRun({ id: "queued" }));
    await use().createRun(newRun({ id: "later", notBefore: NOW + 40 }));
    expect(await claim({ now: NOW + 10, limit: 2 })).toEqual(["queued", "r1"]);
    expect(await use().claimRuns(claimRequest({ now: NOW + 10 }))).toMatchObject({
      claimed: [{ run: { id: "r2" } }],
      nextDueAt: NOW + 30,
    });
    expect(await claim({ now: NOW + 35 })).toEqual(["r3"]);
    expect(await use().claimRuns(claimRequest({ now: NOW + 35 }))).toEqual({
      claimed: [],
      nextDueAt: NOW + 40,
    });
  });

  it("finds the questions that expired while nobody was at work, and says when the next one does", async () => {
    const expires = (ms: number) => ({ expires_at: new Date(NOW + ms).toISOString() });
    await start("attached");
    await use().append("attached", [asked("q", expires(1))]);
    expect(await use().nextExpiry()).toBeNull();
    await start("soon");
    await use().append("soon", [asked("q1", expires(500)), asked("q2", expires(20)), parked()]);
    await start("sooner");
    await use().append("sooner", [asked("q", expires(10)), parked(NOW)]);
    const due = async (now: number, limit = 10) => (await use().dueParked(now, limit)).map(({ id }) => id);
    expect(await use().nextExpiry()).toBe(NOW + 10);
    expect(await due(NOW + 9)).toEqual([]);
    expect(await due(NOW + 10)).toEqual(["sooner"]);
    expect(await due(NOW + 20)).toEqual(["sooner", "soon"]);
    expect(await due(NOW + 20, 1)).toEqual(["sooner"]);
    await use().append("sooner", [
      newEvent({ type: "question.expired", payload: { id: "q", effect: "fail" } }),
    ]);
    await use().append("soon", [answered("q2", "a")]);
    expect(await use().nextExpiry()).toBe(NOW + 500);
    const store = await reopen();
    expect(await store.nextExpiry()).toBe(NOW + 500);
    expect((await store.dueParked(NOW + 500, 10)).map(({ id }) => id)).toEqual(["soon"]);
    await store.append("soon", [ended("failed")]);
    expect(await store.nextExpiry()).toBeNull();
  });

  it("writes nothing to a run that somebody is at work on when nobody may be", async () => {
    await use().createRun(newRun({ id: "r1" }));
    await use().append("r1", [logged("queued")], { unowned: true });
    await claim();
    const refused = () => use().append("r1", [logged("running")], { unowned: true, continuation: "c" });
    await expect(refused()).rejects.toMatchObject({ code: "CHANGED_MEANWHILE", retryable: true });
    await use().append("r1", [asked("q1")]);
    await expect(refused()).rejects.toMatchObject({ code: "CHANGED_MEANWHILE" });
    expect(await use().readSecrets("r1")).toMatchObject({ continuation: null });
    await use().append("r1", [parked()]);
    await use().append("r1", [logged("parked")], { unowned: true });
    await use().append("r1", [ended("cancelled")], { unowned: true });
  });

  it("replaces what is sealed beside a run, forgets it at the end, and keeps the way to go on", async () => {
    await start("r1");
    expect(await use().readSecrets("r1")).toMatchObject({
      run: { id: "r1", status: "running" },
      spec: { protocol: "atp" },
      sealed: "sealed r1",
      continuation: null,
    });
    await use().append("r1", [logged("x")], { sealed: "more", continuation: "way on" });
    expect(await use().readSecrets("r1")).toMatchObject({ sealed: "more", continuation: "way on" });
    await use().append("r1", [logged("x")]);
    expect(await use().readSecrets("r1")).toMatchObject({ sealed: "more", continuation: "way on" });
    await use().append("r1", [ended()], { sealed: "too late", continuation: "last way" });
    expect(await use().readSecrets("r1")).toMatchObject({ sealed: null, continuation: "last way" });
    expect(await use().readSecrets("nobody")).toBeUndefined();
    expect(await (await reopen()).readSecrets("r1")).toMatchObject({
      sealed: null,
      continuation: "last way",
    });
  });
}
