// The receivers of notifications, in a move: files in the data directory with SQLite, rows of the database with PostgreSQL.
import type { MovingDatabase } from "../../stores/moving/moving-database.ts";
import { readOutboxFiles, writeOutboxFiles } from "../../webhooks/outbox-files.ts";

const PUT = `insert into subscriptions (key, document, sender, sender_until) values (?, ?, null, 0)
  on conflict (key) do update set document = excluded.document`;

/** Moves the receivers and returns their number. It may be repeated. `folder` is where a hub on the SQLite file keeps them. */
export async function moveSubscriptions(
  source: Pick<MovingDatabase, "kind" | "all">,
  target: Pick<MovingDatabase, "all">,
  folder: string,
): Promise<number> {
  if (source.kind === "sqlite") {
    const files = await readOutboxFiles(folder);
    for (const { key, document } of files) await target.all(PUT, key, document);
    return files.length;
  }
  const rows = await source.all("select key, document from subscriptions order by key");
  await writeOutboxFiles(
    folder,
    rows.map(({ key, document }) => ({ key: String(key), document: String(document) })),
  );
  return rows.length;
}
