// The files of an outbox as they are, for a move to where they are rows: their secrets stay sealed.
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { StoredSubscriptionRow } from "../core/ports/subscription-store.ts";
import { SUFFIX } from "./outbox.ts";

export async function readOutboxFiles(folder: string): Promise<StoredSubscriptionRow[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const kept = names.filter((name) => name.endsWith(SUFFIX));
  return Promise.all(
    kept.map(async (name) => ({
      key: name.slice(0, -SUFFIX.length),
      document: await readFile(join(folder, name), "utf8"),
    })),
  );
}

/** They are on disk when this resolves. */
export async function writeOutboxFiles(
  folder: string,
  rows: readonly StoredSubscriptionRow[],
): Promise<void> {
  if (rows.length > 0) await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const { key, document } of rows)
    await writeFile(join(folder, `${key}${SUFFIX}`), document, { mode: 0o600, flush: true });
}
