// Runs compiled queries on PostgreSQL: statements are prepared once per connection, errors come from the catalogue.
import type { ClientBase, QueryConfig } from "pg";
import type { Connection, Query } from "../sql/sql-backend.ts";

/** Something that runs a query: a connection, or a pool that picks one. */
export type Runner = Pick<ClientBase, "query">;

/** Most prepared queries: those whose text depends on the request come in many shapes, and further ones are not prepared. */
const MAX_STATEMENTS = 500;
const names = new Map<string, string>();

export function toConfig({ sql, parameters }: Query): QueryConfig<unknown[]> {
  let name = names.get(sql);
  if (name === undefined && names.size < MAX_STATEMENTS) {
    name = `proctor_${names.size}`;
    names.set(sql, name);
  }
  const values = parameters as unknown[];
  return name === undefined ? { text: sql, values } : { name, text: sql, values };
}

/** A connection that answers later: every statement is a message to another process. */
export interface PostgresConnection extends Connection {
  first: <Row>(query: Query<Row>) => Promise<Row | undefined>;
  all: <Row>(query: Query<Row>) => Promise<Row[]>;
  run: (query: Query) => Promise<number>;
}

export function openConnection(run: Runner): PostgresConnection {
  return {
    async first<Row>(query: Query<Row>) {
      const { rows } = await run.query<object>(toConfig(query));
      return rows[0] as Row | undefined;
    },
    async all<Row>(query: Query<Row>) {
      const { rows } = await run.query<object>(toConfig(query));
      return rows as Row[];
    },
    run: async (query) => (await run.query(toConfig(query))).rowCount ?? 0,
  };
}
