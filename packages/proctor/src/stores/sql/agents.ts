// The agents that the registry knows.
import type { Agent } from "../../core/agent.ts";
import { ProctorError } from "../../core/errors.ts";
import type { Page, PageRequest } from "../../core/page.ts";
import type { StoredRegistration } from "../../core/ports/registry-store.ts";
import type { StoredAgent } from "../../core/ports/store.ts";
import { cursorKind, isTextKey } from "./cursor.ts";
import { readPage } from "./read-page.ts";
import { refuseNul } from "./refuse-nul.ts";
import type { AgentsTable } from "./schema.ts";
import type { Connection, SqlDialect } from "./sql-backend.ts";
import { template } from "./template.ts";

export interface AgentQueries {
  put(tx: Connection, agent: StoredAgent, replace: boolean): Promise<void>;
  read(connection: Connection, name: string): Promise<StoredAgent | undefined>;
  list(connection: Connection, page: PageRequest): Promise<Page<Agent>>;
  remove(tx: Connection, name: string): Promise<boolean>;
}

const cursors = cursorKind("agents", null, isTextKey);

export function createAgentQueries({ builder }: SqlDialect): AgentQueries {
  const add = template((row: AgentsTable) =>
    builder
      .insertInto("agents")
      .values(row)
      .onConflict((conflict) => conflict.column("name").doNothing()),
  );
  const replaceOrAdd = template(({ name, ...changing }: AgentsTable) =>
    builder
      .insertInto("agents")
      .values({ name, ...changing })
      .onConflict((conflict) => conflict.column("name").doUpdateSet(changing)),
  );
  const one = template(({ name }: { name: string }) =>
    builder.selectFrom("agents").select(["document", "sealed", "registration"]).where("name", "=", name),
  );
  const page = template(({ after, limit }: { after: string; limit: number }) =>
    builder
      .selectFrom("agents")
      .select(["name", "document"])
      .where("name", ">", after)
      .orderBy("name")
      .limit(limit),
  );
  const drop = template(({ name }: { name: string }) =>
    builder.deleteFrom("agents").where("name", "=", name),
  );

  return {
    async put(tx, { agent, sealed, registration }, replace) {
      const { name, created_at } = agent;
      refuseNul("the name of an agent", name);
      const row = {
        name,
        document: JSON.stringify(agent),
        sealed,
        created_at: Date.parse(created_at),
        registration: registration === undefined ? null : JSON.stringify(registration),
      };
      const written = await tx.run(replace ? replaceOrAdd(row) : add(row));
      if (written === 0) {
        throw new ProctorError("AGENT_EXISTS", `an agent named ${name} exists`, { details: { name } });
      }
    },
    async read(connection, name) {
      const row = await connection.first(one({ name }));
      return (
        row && {
          agent: JSON.parse(row.document) as Agent,
          sealed: row.sealed,
          ...(row.registration !== null && {
            registration: JSON.parse(row.registration) as StoredRegistration,
          }),
        }
      );
    },
    list: (connection, request) =>
      readPage(request, {
        cursors,
        rows: (after = "", limit) => connection.all(page({ after, limit })),
        decode: ({ document }) => JSON.parse(document) as Agent,
        keyOf: ({ name }) => name,
      }),
    remove: async (tx, name) => (await tx.run(drop({ name }))) > 0,
  };
}
