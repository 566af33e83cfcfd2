// The registry's part of a Store: definitions, leases, changes of state and measured answers of agents.
import type { Agent } from "../../core/agent.ts";
import type { JsonObject } from "../../core/json.ts";
import type { RegistryStore, StoredRegistration } from "../../core/ports/registry-store.ts";
import type { AgentQueries } from "./agents.ts";
import { createHealthQueries } from "./health.ts";
import { createLeaseQueries } from "./leases.ts";
import type { Connection, SqlBackend } from "./sql-backend.ts";
import { compile, template } from "./template.ts";

interface SqlRegistry {
  store: RegistryStore;
  /** Forgets an agent and everything that is known of it. */
  forget(tx: Connection, name: string): Promise<boolean>;
}

/** `changed` is called with the name of an agent whose definition was committed. */
export function createRegistryStore(
  { dialect, read, write }: SqlBackend,
  agents: AgentQueries,
  changed: (name: string) => void,
): SqlRegistry {
  const { builder } = dialect;
  const leases = createLeaseQueries(dialect);
  const health = createHealthQueries(dialect);
  const definitions = builder.selectFrom("agents").select(["document", "registration"]).orderBy("name");
  const measures = builder.selectFrom("agent_measures").select(["agent", "document"]);
  const saveMeasure = template(({ agent, document }: { agent: string; document: string }) =>
    builder
      .insertInto("agent_measures")
      .values({ agent, document })
      .onConflict((conflict) =>
        conflict.column("agent").doUpdateSet((eb) => ({ document: eb.ref("excluded.document") })),
      ),
  );
  const dropMeasure = template(({ agent }: { agent: string }) =>
    builder.deleteFrom("agent_measures").where("agent", "=", agent),
  );

  const { revisionOf } = dialect;
  const revision =
    revisionOf &&
    compile(
      builder.selectNoFrom([revisionOf("agents").as("agents"), revisionOf("script_tools").as("tools")]),
    );

  const store: RegistryStore = {
    ...(revision && {
      revision: async () => JSON.stringify(await read.first(revision)),
    }),
    leasesSince: (at) => leases.since(read, at),
    async load() {
      const rows = await read.all(compile(definitions));
      return {
        // The store wrote these documents itself.
        agents: rows.map(({ document, registration }) => ({
          agent: JSON.parse(document) as Agent,
          registration: registration === null ? null : (JSON.parse(registration) as StoredRegistration),
        })),
        leases: await leases.all(read),
        measures: (await read.all(compile(measures))).map(({ agent, document }) => ({
          agent,
          document: JSON.parse(document) as JsonObject,
        })),
        aliveAt: await leases.aliveAt(read),
      };
    },
    async put(agent, lease, { replace }) {
      await write(async (tx) => {
        await agents.put(tx, agent, replace);
        await leases.put(tx, lease);
      });
      changed(agent.agent.name);
    },
    putLease: (lease) => write((tx) => leases.put(tx, lease)),
    beats: (beats, aliveAt) =>
      write(async (tx) => {
        await leases.beats(tx, beats);
        await leases.alive(tx, aliveAt);
      }),
    note: (entries, aliveAt) =>
      write(async (tx) => {
        for (const entry of entries) await health.add(tx, entry);
        if (aliveAt !== null) await leases.alive(tx, aliveAt);
      }),
    history: (agent, page) => health.page(read, agent, page),
    measure: (rows) =>
      write(async (tx) => {
        for (const { agent, document } of rows) {
          await tx.run(saveMeasure({ agent, document: JSON.stringify(document) }));
        }
      }),
  };

  return {
    store,
    async forget(tx, name) {
      await leases.remove(tx, name);
      await health.remove(tx, name);
      await tx.run(dropMeasure({ agent: name }));
      return agents.remove(tx, name);
    },
  };
}
