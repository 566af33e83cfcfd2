// What operators ask about disks: how much room is left where the hub writes, and how large its database is.
import { stat, statfs } from "node:fs/promises";
import type { MetricsRegistry } from "./metrics.ts";

interface StoragePlaces {
  /** Folders by what they hold; folders on the same disk have the same figures. */
  folders: Readonly<Record<string, string>>;
  /** The file of the database; absent where the database is on a server. */
  databaseFile?: string;
}

export function storageMetrics(registry: MetricsRegistry, { folders, databaseFile }: StoragePlaces): void {
  const free = registry.gauge("proctor_disk_free_bytes", "Room that is left on the disk, by what it holds.");
  const size = registry.gauge("proctor_disk_size_bytes", "Size of the disk, by what it holds.");
  const database = registry.gauge("proctor_database_bytes", "Size of the database and of its log of writes.");
  registry.collect(async () => {
    for (const [holds, folder] of Object.entries(folders)) {
      const { bavail, blocks, bsize } = await statfs(folder);
      free.with({ holds }).set(bavail * bsize);
      size.with({ holds }).set(blocks * bsize);
    }
    if (databaseFile === undefined) return;
    const sizes = await Promise.all([databaseFile, `${databaseFile}-wal`].map(sizeOf));
    database.with({}).set(sizes.reduce((sum, bytes) => sum + bytes, 0));
  });
}

/** Returns 0 for a missing file: the write-ahead log exists only after something was written. */
function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    (found) => found.size,
    () => 0,
  );
}
