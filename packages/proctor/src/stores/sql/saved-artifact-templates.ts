// The queries of saved-artifacts.ts, compiled once.
import { sql } from "kysely";
import type { SavedArtifactsTable } from "./schema.ts";
import type { Query, SqlDialect } from "./sql-backend.ts";
import { template } from "./template.ts";

type Row = SavedArtifactsTable;
type Scope = Pick<Row, "app" | "user_id" | "session">;
export type Place = Scope & Pick<Row, "name">;
type Version = Place & Pick<Row, "version">;

const COLUMNS = [
  "app",
  "user_id",
  "session",
  "name",
  "version",
  "sha256",
  "size_bytes",
  "mime_type",
  "metadata",
  "created_at",
] as const;

export function createSavedArtifactTemplates({ builder }: SqlDialect) {
  const rows = ({ app, user_id, session, name }: Place) =>
    builder.selectFrom("saved_artifacts").where((eb) => eb.and({ app, user_id, session, name }));
  const kept = (place: Place) => rows(place).where("sha256", "is not", null);
  const drop = ({ app, user_id, session, name }: Place) =>
    builder.deleteFrom("saved_artifacts").where((eb) => eb.and({ app, user_id, session, name }));
  return {
    insert: template((row: Row) => builder.insertInto("saved_artifacts").values(row)),
    lastVersion: template((place: Place) =>
      rows(place).select("version").orderBy("version", "desc").limit(1),
    ),
    latest: template((place: Place) => kept(place).select(COLUMNS).orderBy("version", "desc").limit(1)),
    one: template((place: Version) => kept(place).select(COLUMNS).where("version", "=", place.version)),
    same: template((same: Place & { sha256: string; mime_type: string }) =>
      kept(same)
        .select(COLUMNS)
        .where("sha256", "=", same.sha256)
        .where("mime_type", "=", same.mime_type)
        .orderBy("version", "desc")
        .limit(1),
    ),
    versions: template((after: Version & { limit: number }) =>
      kept(after).select(COLUMNS).where("version", ">", after.version).orderBy("version").limit(after.limit),
    ),
    hashes: template((place: Place) => kept(place).select("sha256")),
    used: template(({ app, user_id, session }: Scope) =>
      builder
        .selectFrom("saved_artifacts")
        .where((eb) => eb.and({ app, user_id, session }))
        .where("sha256", "is not", null)
        .select((eb) => [eb.fn.countAll<number>().as("count"), eb.fn.sum("size_bytes").as("size_bytes")]),
    ),
    // Versions have no gaps: the latest is the one without a next.
    page: template(({ app, user_id, session, name, limit }: Place & { limit: number }) =>
      builder
        .selectFrom("saved_artifacts")
        .select(COLUMNS)
        .where((eb) => eb.and({ app, user_id, session }))
        .where("name", ">", name)
        .where("sha256", "is not", null)
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom("saved_artifacts as next")
                .select("next.version")
                .whereRef("next.app", "=", "saved_artifacts.app")
                .whereRef("next.user_id", "=", "saved_artifacts.user_id")
                .whereRef("next.session", "=", "saved_artifacts.session")
                .whereRef("next.name", "=", "saved_artifacts.name")
                .where("next.version", "=", sql<number>`saved_artifacts.version + 1`),
            ),
          ),
        )
        .orderBy("name")
        .limit(limit),
    ),
    dropBefore: template((place: Version) => drop(place).where("version", "<", place.version)),
    dropRemoved: template((place: Place) => drop(place).where("sha256", "is", null)),
    empty: template(({ app, user_id, session, name }: Place) =>
      builder
        .updateTable("saved_artifacts")
        .set({ sha256: null, size_bytes: 0, mime_type: "", metadata: "{}" })
        .where((eb) => eb.and({ app, user_id, session, name })),
    ),
  } satisfies Record<string, (values: never) => Query>;
}
