// Queries that are compiled once, at their first use: built with slots where values go, then filled for each call.
import type { Compilable, CompiledQuery } from "kysely";
import type { Query } from "./sql-backend.ts";

class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * `build` is called once, with a slot in place of each value it reads. Not before: a store has dozens of queries, and a command asks a few of
 * them. A row may be given to the query as a whole when every call has the same columns.
 */
export function template<Values extends object, Row>(
  build: (values: Values) => Compilable<Row>,
): (values: Values) => Query<Row> {
  let compiled: CompiledQuery<Row> | undefined;
  return (values) => {
    const { sql, parameters } = (compiled ??= build(slotsFor(values)).compile());
    return {
      sql,
      parameters: parameters.map((parameter) =>
        parameter instanceof Slot ? values[parameter.name as keyof Values] : parameter,
      ),
    };
  };
}

/** Returns slots, which only pass through the query builder into its list of parameters, where they are replaced. */
function slotsFor<Values extends object>(values: Values): Values {
  return new Proxy(values, { get: (_, name) => new Slot(String(name)) });
}

/** Compiles a query whose shape depends on the request. */
export function compile<Row>(query: Compilable<Row>): Query<Row> {
  const { sql, parameters } = query.compile();
  return { sql, parameters };
}
