// Registries of two processes on one PostgreSQL database.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../../test/support/eventually.ts";
import { expectError } from "../../test/support/expect-error.ts";
import { createManualClock, type ManualClock } from "../../test/support/manual-clock.ts";
import { createDatabase, lacksPostgres } from "../../test/support/postgres.ts";
import { openTestRegistry, type TestRegistry } from "../../test/support/test-registry.ts";
import type { Registration } from "../core/registration.ts";
import { openPostgresStore } from "../stores/postgres/open-store.ts";

const WRITER: Registration = {
  name: "writer",
  endpoint: "atp+http://127.0.0.1:9/execute",
  capabilities: [{ name: "write" }],
};
const SECOND = 1000;

describe.skipIf(await lacksPostgres("two registries on one PostgreSQL"))(
  "two registries on one database",
  () => {
    let clock: ManualClock;
    let first: TestRegistry;
    let second: TestRegistry;

    beforeEach(async () => {
      const url = await createDatabase();
      clock = createManualClock();
      const open = async () => openTestRegistry({ clock, store: await openPostgresStore({ url }) });
      first = await open();
      second = await open();
    });
    afterEach(async () => {
      await first.close();
      await second.close();
      expect([...first.problems, ...second.problems]).toEqual([]);
    });

    /** Lets time pass until what is promised is so: looks are a second apart. */
    const soon = (check: () => Promise<void>): Promise<void> =>
      eventually(async () => {
        clock.advance(SECOND);
        await check();
      });

    it("know at once by name who registered with the other, and soon by capability", async () => {
      await first.registry.register(WRITER);
      expect(await second.registry.get("writer")).toMatchObject({
        name: "writer",
        health: { state: "online" },
      });
      await first.registry.update("writer", { capabilities: [{ name: "translate" }] });
      await soon(async () => {
        const { matches } = await second.registry.search({ capability: "translate" });
        expect(matches.map(({ agent }) => agent.name)).toEqual(["writer"]);
      });
      expect((await second.registry.search({ capability: "write" })).matches).toEqual([]);
    });

    it("take a beat for whom the other registered, as often as it registers anew", async () => {
      const before = await first.registry.register(WRITER);
      expect(await second.registry.beat("writer", { instance: before.instance, sequence: 7 })).toMatchObject({
        state: "online",
      });
      const after = await first.registry.register(WRITER);
      expect(await second.registry.beat("writer", { instance: after.instance, sequence: 1 })).toMatchObject({
        state: "online",
      });
      const old = Promise.resolve().then(() => second.registry.beat("writer", { instance: before.instance }));
      await expectError(old, "LEASE_LOST", /another instance/);
      await second.registry.register(WRITER);
    });

    it("keep an agent online that beats at the other, and pass commands on", async () => {
      const { instance } = await first.registry.register({ ...WRITER, interval_seconds: 5 });
      await second.registry.get("writer");
      for (let beats = 0; beats < 10; beats++) {
        clock.advance(2 * SECOND);
        await first.registry.beat("writer", { instance });
        await soon(async () => {
          // Time passes with every look, and where the database is slow, more of it than a lease.
          await first.registry.beat("writer", { instance });
          const { health } = await second.registry.get("writer");
          expect(health.state).toBe("online");
          expect(Date.parse(health.seen_at ?? "")).toBeGreaterThan(clock.now() - 10 * SECOND);
        });
        await first.registry.beat("writer", { instance });
      }
      await second.registry.command("writer", "drain");
      await soon(async () => {
        expect(await first.registry.beat("writer", { instance })).toMatchObject({ commands: ["drain"] });
      });
    });

    it("forget an agent that was removed at the other, and tell those who watch", async () => {
      await first.registry.register(WRITER);
      await second.registry.get("writer");
      const seen: string[] = [];
      const stop = new AbortController();
      const watching = (async () => {
        for await (const { type } of second.registry.watch(undefined, stop.signal)) seen.push(type);
      })();
      await first.registry.deregister("writer");
      await soon(async () => expect(seen).toContain("removed"));
      await expectError(second.registry.get("writer"), "AGENT_NOT_FOUND");
      stop.abort();
      await watching;
    });
  },
);
