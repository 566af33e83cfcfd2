// Which files outside the database no artifact refers to.
import type { StoredFiles } from "../../core/ports/store.ts";
import type { Connection, SqlDialect } from "./sql-backend.ts";
import { template } from "./template.ts";

export type Unreferenced = (connection: Connection, files: StoredFiles) => Promise<StoredFiles>;

export function createUnreferenced({ builder }: SqlDialect): Unreferenced {
  const byHash = template(({ sha256 }: { sha256: string }) =>
    builder.selectFrom("artifacts").select("sequence").where("sha256", "=", sha256).limit(1),
  );
  const saved = template(({ sha256 }: { sha256: string }) =>
    builder.selectFrom("saved_artifacts").select("version").where("sha256", "=", sha256).limit(1),
  );
  const byName = template(({ name }: { name: string }) =>
    builder.selectFrom("artifacts").select("sequence").where("stored_as", "=", name).limit(1),
  );
  return async (connection, files) => {
    const hashes: string[] = [];
    const names: string[] = [];
    for (const sha256 of new Set(files.hashes)) {
      const record = await connection.first(byHash({ sha256 }));
      if ((record ?? (await connection.first(saved({ sha256 })))) === undefined) hashes.push(sha256);
    }
    for (const name of new Set(files.names)) {
      if ((await connection.first(byName({ name }))) === undefined) names.push(name);
    }
    return { hashes, names };
  };
}
