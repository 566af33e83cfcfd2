// The log of a run at a hub: on a real database, over real sockets that lose answers.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually, HANG_MS } from "../../../test/support/eventually.ts";
import { holdRun } from "../../../test/support/held-run.ts";
import { createManualClock } from "../../../test/support/manual-clock.ts";
import { createDatabase, lacksPostgres, query } from "../../../test/support/postgres.ts";
import { ended, logged, newEvent, parked } from "../../../test/support/stores/fixtures.ts";
import { openWorkHub, type WorkHub } from "../../../test/support/work-hub.ts";
import { ProctorError } from "../../core/errors.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { EventRecord } from "../../core/ports/store.ts";
import { systemClock } from "../../runtime/time/system-clock.ts";
import type { HttpClient } from "../http-client.ts";

/** Lets every first request to a path through, and loses its answer. */
function losesAnswers(client: HttpClient, path: RegExp): HttpClient {
  const lost = new Set<string>();
  return {
    ...client,
    async sendJson<T>(to: string, request?: Parameters<HttpClient["sendJson"]>[1]): Promise<T> {
      const answer = await client.sendJson<T>(to, request);
      const key = `${to} ${JSON.stringify(request?.body)}`;
      if (!path.test(to) || lost.has(key)) return answer;
      lost.add(key);
      throw new ProctorError("HUB_UNREACHABLE", "the answer was lost");
    },
  };
}

describe.skipIf(await lacksPostgres("the log of a run at a hub"))(
  "the log of a run at a hub",
  { timeout: HANG_MS },
  () => {
    let url: string;
    let hub: WorkHub;
    const textsOf = (records: readonly EventRecord[]): string[] =>
      records.map(({ type, payload }) => (JSON.parse(payload) as { text?: string }).text ?? type);
    const log = (id: string): Promise<EventRecord[]> => hub.store.readEvents(id, -1, 100);
    const wrap = (client: HttpClient): HttpClient => losesAnswers(client, /\/events$/);

    beforeAll(async () => {
      url = await createDatabase();
      hub = await openWorkHub(url);
    }, HANG_MS);
    afterAll(() => hub.close(), HANG_MS);

    it("has each event once, though the answer to every append is lost", async () => {
      const { id, store, fence } = await holdRun(hub, { wrap });
      await store.append(id, [logged("a"), logged("a")], { fence });
      await store.append(id, [logged("a")], { fence });
      await hub.store.append(id, [newEvent({ type: "run.pause_requested", payload: {} })]);
      await store.append(id, [logged("b")], { fence });
      await store.append(id, [ended()], { fence });
      const records = await log(id);
      const own = ["a", "a", "a", "run.pause_requested", "b", "run.ended"];
      expect(textsOf(records).slice(-own.length)).toEqual(own);
      expect(records.map(({ sequence }) => sequence)).toEqual(records.map((_, index) => index));
    });

    it("is not taken for a lost one when the answer to its parking is lost", async () => {
      const { id, store, fence, link } = await holdRun(hub, { wrap });
      await store.append(id, [parked()], { fence });
      expect(textsOf(await log(id)).filter((text) => text === "session.parked")).toHaveLength(1);
      expect(link.held(id)).toBeUndefined();
    });

    it("tells what it wrote, and reads what others did", async () => {
      const { id, store, fence, link, delivery } = await holdRun(hub);
      const told: unknown[] = [];
      link.watch((...commit) => void told.push(commit));
      await hub.store.append(id, [newEvent({ type: "run.cancel_requested", payload: { reason: "enough" } })]);
      await store.append(id, [logged("mine")], { fence });
      const { sequence } = delivery.claimed;
      expect(told).toEqual([[id, sequence + 2, 1, false, true]]);
      expect(textsOf(await store.readEvents(id, sequence, 10))).toEqual(["run.cancel_requested", "mine"]);
      expect(await store.readRun(id)).toMatchObject({ id, status: "running" });
    });

    it("takes nothing more from a worker that was silent for too long", async () => {
      const { id, store, fence, delivery, dispatcher } = await holdRun(hub);
      await query(
        url,
        "update proctor_queue.job_common set heartbeat_on = heartbeat_on - interval '11 seconds' where id = $1::uuid",
        [id],
      );
      const left: string[] = [];
      await eventually(async () => {
        const { deliveries } = await hub.dispatcher.claim({ limit: 0, inFlight: {} });
        left.push(...deliveries.map(({ claimed }) => claimed.run.id));
        expect(left).toContain(id);
      });
      const refused = { code: "ILLEGAL_TRANSITION" };
      expect(await dispatcher.beat([delivery])).toEqual([delivery]);
      await expect(store.readRun(id)).rejects.toMatchObject(refused);
      await expect(store.append(id, [logged("late")], { fence })).rejects.toMatchObject(refused);
      expect(textsOf(await log(id))).not.toContain("late");
    });

    it("is given up by its worker when the hub is away for longer than the lease", async () => {
      const manual = createManualClock();
      const clock: Clock = {
        now: () => manual.now(),
        after: (delayMs, call) => systemClock.after(delayMs, call),
      };
      let away = false;
      const { id, store, fence, delivery, dispatcher } = await holdRun(hub, {
        clock,
        wrap: (client) => ({
          ...client,
          sendJson: <T>(path: string, request?: Parameters<HttpClient["sendJson"]>[1]) =>
            away
              ? Promise.reject(new ProctorError("HUB_UNREACHABLE", "the hub is away"))
              : client.sendJson<T>(path, request),
        }),
      });
      away = true;
      const write = store.append(id, [logged("too late")], { fence });
      const beat = dispatcher.beat([delivery]);
      manual.advance(10_001);
      await expect(write).rejects.toMatchObject({ code: "ILLEGAL_TRANSITION" });
      expect(await beat).toEqual([delivery]);
      away = false;
      await expect(store.append(id, [logged("too late")], { fence })).rejects.toMatchObject({
        code: "ILLEGAL_TRANSITION",
      });
      expect(textsOf(await log(id))).not.toContain("too late");
    });
  },
);
