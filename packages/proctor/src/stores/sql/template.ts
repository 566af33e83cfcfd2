// Queries that are compiled once, when they are first asked for: built with slots where values go, then filled for each call.
import type { Compilable, CompiledQuery } from "kysely";
import type { Query } from "./sql-backend.ts";

class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** `build` is called once, with a slot in place of each value it reads. Not before: a store has dozens of queries, and a command asks a few of them. */
export function template<Values extends object, Row>(
  build: (values: Values) => Compilable<Row>,
): (values: Values) => Query<Row> {
  // The slots only pass through the query builder into its list of parameters, where they are replaced.
  const slots = new Proxy({}, { get: (_, name) => new Slot(String(name)) }) as Values;
  let compiled: CompiledQuery<Row> | undefined;
  return (values) => {
    const { sql, parameters } = (compiled ??= build(slots).compile());
    return {
      sql,
      parameters: parameters.map((parameter) =>
        parameter instanceof Slot ? values[parameter.name as keyof Values] : parameter,
      ),
    };
  };
}

/** Compiles a query whose shape depends on the request. */
export function compile<Row>(query: Compilable<Row>): Query<Row> {
  const { sql, parameters } = query.compile();
  return { sql, parameters };
}
