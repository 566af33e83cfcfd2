// Receivers to notify of runs, with a lease of the process that notifies them.
import type { StoredSubscriptionRow, SubscriptionStore } from "../../core/ports/subscription-store.ts";
import type { SqlBackend } from "./sql-backend.ts";
import { template } from "./template.ts";

interface Lease {
  sender: string;
  until: number;
}

export function createSubscriptions({ dialect: { builder }, read, write }: SqlBackend): SubscriptionStore {
  const put = template(({ key, document, sender, until }: StoredSubscriptionRow & Lease) =>
    builder
      .insertInto("subscriptions")
      .values({ key, document, sender, sender_until: until })
      .onConflict((conflict) =>
        conflict.column("key").doUpdateSet((eb) => ({
          document: eb.ref("excluded.document"),
          sender: eb.ref("excluded.sender"),
          sender_until: eb.ref("excluded.sender_until"),
        })),
      ),
  );
  const add = template(({ key, document, sender, until }: StoredSubscriptionRow & Lease) =>
    builder
      .insertInto("subscriptions")
      .values({ key, document, sender, sender_until: until })
      .onConflict((conflict) => conflict.column("key").doNothing()),
  );
  const update = template(({ key, document, sender }: StoredSubscriptionRow & { sender: string }) =>
    builder
      .updateTable("subscriptions")
      .set({ document })
      .where("key", "=", key)
      .where("sender", "=", sender),
  );
  const remove = template(({ key }: { key: string }) =>
    builder.deleteFrom("subscriptions").where("key", "=", key),
  );
  const between = template(({ from, to }: { from: string; to: string }) =>
    builder
      .selectFrom("subscriptions")
      .select(["key", "document"])
      .where("key", ">=", from)
      .where("key", "<", to)
      .orderBy("key"),
  );
  const renew = template(({ sender, until }: Lease) =>
    builder.updateTable("subscriptions").set({ sender_until: until }).where("sender", "=", sender),
  );
  const own = template(({ sender }: { sender: string }) =>
    builder.selectFrom("subscriptions").select(["key", "document"]).where("sender", "=", sender),
  );
  const over = template(({ now, sender }: { now: number; sender: string }) =>
    builder
      .selectFrom("subscriptions")
      .select(["key", "document"])
      .where("sender_until", "<=", now)
      // Rows of a move have no sender yet.
      .where("sender", "is distinct from", sender),
  );
  const take = template(({ key, now, sender, until }: Lease & { key: string; now: number }) =>
    builder
      .updateTable("subscriptions")
      .set({ sender, sender_until: until })
      .where("key", "=", key)
      .where("sender_until", "<=", now),
  );

  return {
    put: (row, sender, until) => write(async (tx) => void (await tx.run(put({ ...row, sender, until })))),
    add: (row, sender, until) => write(async (tx) => (await tx.run(add({ ...row, sender, until }))) > 0),
    update: (row, sender) => write(async (tx) => void (await tx.run(update({ ...row, sender })))),
    remove: (key) => write(async (tx) => void (await tx.run(remove({ key })))),
    find: async (prefix) => read.all(between({ from: prefix, to: `${prefix}\u{10FFFF}` })),
    renew: (sender, until) =>
      write(async (tx) => {
        await tx.run(renew({ sender, until }));
        return (await tx.all(own({ sender }))).map(({ key }) => key);
      }),
    take: (sender, now, until) =>
      write(async (tx) => {
        const taken: StoredSubscriptionRow[] = [];
        for (const row of await tx.all(over({ now, sender })))
          if ((await tx.run(take({ key: row.key, now, sender, until }))) > 0) taken.push(row);
        return taken;
      }),
  };
}
