// The agents that the registry knows.
import type { Agent } from "../../core/agent.ts";
import { ProctorError } from "../../core/errors.ts";
import type { Page, PageRequest } from "../../core/page.ts";
import type { StoredRegistration } from "../../core/ports/registry-store.ts";
import type { StoredAgent } from "../../core/ports/store.ts";
import { cursorKind, isTextKey, pageLimit } from "./cursor.ts";
import { refuseNul } from "./refuse-nul.ts";
import type { AgentsTable } from "./schema.ts";
import type { Connection, SqlDialect } from "./sql-backend.ts";
import { template } from "./template.ts";
import { toPage } from "./to-page.ts";

export interface AgentQueries {
  put(tx: Connection, agent: StoredAgent, replace: boolean): Promise<void>;
  read(connection: Connection, name: string): Promise<StoredAgent | undefined>;
  list(connection: Connection, page: PageRequest): Promise<Page<Agent>>;
  remove(tx: Connection, name: string): Promise<boolean>;
}

const cursors = cursorKind("agents", null, isTextKey);

export function createAgentQueries({ builder }: SqlDialect): AgentQueries {
  const insert = ({ name, document, sealed, created_at, registration }: AgentsTable) =>
    builder.insertInto("agents").values({ name, document, sealed, created_at, registration });
  const add = template((values: AgentsTable) =>
    insert(values).onConflict((conflict) => conflict.column("name").doNothing()),
  );
  const replaceOrAdd = template((values: AgentsTable) =>
    insert(values).onConflict((conflict) =>
      conflict.column("name").doUpdateSet((eb) => ({
        document: eb.ref("excluded.document"),
        sealed: eb.ref("excluded.sealed"),
        created_at: eb.ref("excluded.created_at"),
        registration: eb.ref("excluded.registration"),
      })),
    ),
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
    async list(connection, { cursor, limit }) {
      const size = pageLimit(limit);
      const after = cursor === undefined ? "" : cursors.decode(cursor);
      const rows = await connection.all(page({ after, limit: size + 1 }));
      const decode = ({ document }: { document: string }) => JSON.parse(document) as Agent;
      return toPage(rows, size, decode, ({ name }) => cursors.encode(name));
    },
    remove: async (tx, name) => (await tx.run(drop({ name }))) > 0,
  };
}
