// What is live about agents: who holds their leases, and when they were last heard of.
import type { Lease } from "../../core/ports/registry-store.ts";
import type { AgentLeasesTable } from "./schema.ts";
import type { Connection, SqlDialect } from "./sql-backend.ts";
import { compile, template } from "./template.ts";

interface LeaseQueries {
  put(tx: Connection, lease: Lease): Promise<void>;
  all(connection: Connection): Promise<Lease[]>;
  /** Lists the leases of agents that were heard of, or got a command, then or later. */
  since(connection: Connection, at: number): Promise<Lease[]>;
  beats(tx: Connection, beats: readonly { agent: string; at: number }[]): Promise<void>;
  remove(tx: Connection, agent: string): Promise<void>;
  /** Records that the hub was alive then. */
  alive(tx: Connection, at: number): Promise<void>;
  aliveAt(connection: Connection): Promise<number | null>;
}

export function createLeaseQueries({ builder }: SqlDialect): LeaseQueries {
  const upsert = template(({ agent, ...live }: AgentLeasesTable) =>
    builder
      .insertInto("agent_leases")
      .values({ agent, ...live })
      .onConflict((conflict) => conflict.column("agent").doUpdateSet(live)),
  );
  const every = builder.selectFrom("agent_leases").selectAll();
  const recent = template(({ at }: { at: number }) =>
    builder
      .selectFrom("agent_leases")
      .selectAll()
      .where((eb) => eb.or([eb("beat_at", ">=", at), eb("commanded_at", ">=", at)])),
  );
  const drop = template(({ agent }: { agent: string }) =>
    builder.deleteFrom("agent_leases").where("agent", "=", agent),
  );
  const saveAlive = template(({ at }: { at: number }) =>
    builder
      .insertInto("hub_alive")
      .values({ id: 1, at })
      .onConflict((conflict) => conflict.column("id").doUpdateSet((eb) => ({ at: eb.ref("excluded.at") }))),
  );
  const readAlive = builder.selectFrom("hub_alive").select("at").where("id", "=", 1);
  const heard = template(({ agent, at }: { agent: string; at: number }) =>
    builder.updateTable("agent_leases").set({ beat_at: at }).where("agent", "=", agent),
  );

  return {
    async put(tx, lease) {
      await tx.run(upsert(encode(lease)));
    },
    all: async (connection) => (await connection.all(compile(every))).map(decode),
    since: async (connection, at) => (await connection.all(recent({ at }))).map(decode),
    async beats(tx, beats) {
      for (const beat of beats) {
        const written = tx.run(heard(beat));
        // Where the database is in this process, nothing is waited for: there may be thousands.
        if (typeof written !== "number") await written;
      }
    },
    async remove(tx, agent) {
      await tx.run(drop({ agent }));
    },
    async alive(tx, at) {
      await tx.run(saveAlive({ at }));
    },
    aliveAt: async (connection) => (await connection.first(compile(readAlive)))?.at ?? null,
  };
}

function encode(lease: Lease): AgentLeasesTable {
  return {
    agent: lease.agent,
    instance: lease.instance,
    beat_at: lease.beatAt,
    draining: lease.draining ? 1 : 0,
    command: lease.command,
    commanded_at: lease.commandedAt,
    state: lease.state,
    since: lease.since,
  };
}

function decode(row: AgentLeasesTable): Lease {
  return {
    agent: row.agent,
    instance: row.instance,
    beatAt: row.beat_at,
    draining: row.draining !== 0,
    command: row.command,
    commandedAt: row.commanded_at,
    state: row.state,
    since: row.since,
  };
}
