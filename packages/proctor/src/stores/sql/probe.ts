// Finds out whether a write would succeed, by making one that leaves nothing behind.
import type { Operation, SqlDialect } from "./sql-backend.ts";
import { compile } from "./template.ts";

/** Text larger than a page, so that the write fails in a database without room. */
const BODY = "x".repeat(16 * 1024);

export function createProbe({ builder }: SqlDialect): Operation<void> {
  const insert = compile(builder.insertInto("proctor_probes").values({ body: BODY }));
  const clear = compile(builder.deleteFrom("proctor_probes"));
  return async (tx) => {
    await tx.run(insert);
    await tx.run(clear);
  };
}
