// The changes of agents' states, newest last; an agent's oldest ones make room for new ones.
import type { Page, PageRequest } from "../../core/page.ts";
import type { NewHealthEntry } from "../../core/ports/registry-store.ts";
import type { HealthEntry } from "../../core/registration.ts";
import { cursorKind, isWholeKey } from "./cursor.ts";
import { readPage } from "./read-page.ts";
import type { Connection, SqlDialect } from "./sql-backend.ts";
import { template } from "./template.ts";

interface HealthQueries {
  add(tx: Connection, entry: NewHealthEntry): Promise<void>;
  page(connection: Connection, agent: string, page: PageRequest): Promise<Page<HealthEntry>>;
  remove(tx: Connection, agent: string): Promise<void>;
}

/** Changes of one agent that are kept. */
const KEPT = 1000;

export function createHealthQueries({ builder }: SqlDialect): HealthQueries {
  const insert = template(({ agent, at, state, reason }: NewHealthEntry) =>
    builder.insertInto("agent_health").values({ agent, at, state, reason }),
  );
  const known = template(({ agent }: { agent: string }) =>
    builder.selectFrom("agents").select("name").where("name", "=", agent),
  );
  const present = template(({ agent, at, state }: NewHealthEntry) =>
    builder
      .insertInto("agent_leases")
      .values({ agent, state, since: at, draining: 0 })
      .onConflict((conflict) => conflict.column("agent").doUpdateSet({ state, since: at })),
  );
  const trim = template(({ agent }: { agent: string }) =>
    builder
      .deleteFrom("agent_health")
      .where("agent", "=", agent)
      .where("ordinal", "<=", (eb) =>
        eb
          .selectFrom("agent_health")
          .select("ordinal")
          .where("agent", "=", agent)
          .orderBy("ordinal", "desc")
          .limit(1)
          .offset(KEPT),
      ),
  );
  const newest = template(({ agent, before, limit }: { agent: string; before: number; limit: number }) =>
    builder
      .selectFrom("agent_health")
      .select(["ordinal", "at", "state", "reason"])
      .where("agent", "=", agent)
      .where("ordinal", "<", before)
      .orderBy("ordinal", "desc")
      .limit(limit),
  );
  const drop = template(({ agent }: { agent: string }) =>
    builder.deleteFrom("agent_health").where("agent", "=", agent),
  );

  return {
    async add(tx, entry) {
      // An agent that was removed meanwhile needs no history.
      if ((await tx.first(known(entry))) === undefined) return;
      await tx.run(present(entry));
      await tx.run(insert(entry));
      await tx.run(trim(entry));
    },
    page: (connection, agent, request) =>
      readPage(request, {
        cursors: cursorKind("changes of health", agent, isWholeKey),
        rows: (before = Number.MAX_SAFE_INTEGER, limit) => connection.all(newest({ agent, before, limit })),
        decode: ({ at, state, reason }) => ({ at: new Date(at).toISOString(), state, reason }),
        keyOf: ({ ordinal }) => ordinal,
      }),
    async remove(tx, agent) {
      await tx.run(drop({ agent }));
    },
  };
}
