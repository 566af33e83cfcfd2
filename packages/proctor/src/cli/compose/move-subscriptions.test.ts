import { expect, it } from "vitest";
import { createDatabase, lacksPostgres } from "../../../test/support/postgres.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { systemClock } from "../../runtime/time/system-clock.ts";
import { openPostgres } from "../../stores/moving/open-postgres.ts";
import { openPostgresStore } from "../../stores/postgres/open-store.ts";
import { createSealer } from "../../stores/sealer.ts";
import { createOutbox, type Subscription } from "../../webhooks/outbox.ts";
import { createSharedOutbox } from "../../webhooks/shared-outbox.ts";
import { moveSubscriptions } from "./move-subscriptions.ts";

it.skipIf(await lacksPostgres("moving webhooks"))(
  "moving takes the receivers of webhooks along, with their secrets and how far they were told, in both directions",
  async () => {
    const sealer = createSealer(Buffer.alloc(32, 1));
    const [first, last] = [temporaryFolder("webhooks"), temporaryFolder("webhooks-back")];
    const url = await createDatabase();
    const subscriptions: Subscription[] = [
      { run_id: "a", url: "https://a.example", secret: "one", settled: 4, struggling: false },
      {
        run_id: "b",
        url: "https://b.example",
        receiver: {
          run_id: "b",
          id: "r",
          url: "https://b.example",
          protocol: "a2a",
          config: { token: "two" },
        },
        settled: -1,
        struggling: true,
      },
    ];
    const files = createOutbox(first, sealer);
    for (const subscription of subscriptions) await files.add(subscription);

    const postgres = await openPostgres(url);
    const sqlite = { kind: "sqlite", all: () => Promise.resolve([]) } as const;
    // Twice, as after an interruption.
    for (const _ of [1, 2]) expect(await moveSubscriptions(sqlite, postgres, first)).toBe(2);
    expect(await moveSubscriptions(postgres, sqlite, last)).toBe(2);
    await postgres.close();

    const report = (problem: unknown): never => {
      throw problem;
    };
    const byRun = (found: Subscription[]): Subscription[] =>
      found.toSorted((a, b) => (a.run_id < b.run_id ? -1 : 1));
    const store = await openPostgresStore({ url });
    try {
      const rows = createSharedOutbox(store.subscriptions, sealer, systemClock);
      expect(byRun(await rows.all(report))).toEqual(subscriptions);
    } finally {
      await store.close();
    }
    expect(byRun(await createOutbox(last, sealer).all(report))).toEqual(subscriptions);
  },
);
