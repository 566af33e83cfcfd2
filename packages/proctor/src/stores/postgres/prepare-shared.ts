// The first contact with a database that processes share: whatever is wrong with it is found here, before anything else is made in it.
import { connectPool } from "./connect.ts";
import { createGroupCommit } from "./group-commit.ts";
import { describeUrl, mapPostgresErrors } from "./postgres-errors.ts";
import { prepareDatabase } from "./prepare-database.ts";

/** Throws what stores throw. Afterwards the database belongs to Proctor, and has the tables of this version. */
export async function prepareShared(url: string): Promise<void> {
  const pool = await connectPool({ url, connections: 1 });
  const commits = createGroupCommit(pool, mapPostgresErrors(url));
  try {
    await commits.write((tx) => prepareDatabase(tx, describeUrl(url)));
    await commits.close();
  } finally {
    await pool.end();
  }
}
