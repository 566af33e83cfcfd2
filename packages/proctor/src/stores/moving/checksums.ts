// Whether two databases hold the same: a checksum for each log, and one for each other table. Databases sort text differently, so the rows of a
// table are added up, in whatever order they come; the events of a log come in the order of their sequence.
import { createHash, type Hash } from "node:crypto";
import { readTable, type MovingDatabase, type Row } from "./moving-database.ts";
import { MOVED } from "./tables.ts";

const MODULUS = 1n << 64n;

/** Tables in which a database describes itself, which are not compared. */
const IGNORED = new Set(["feed_floor"]);

/** Calls back with the checksum of each log. */
export async function logChecksums(
  database: MovingDatabase,
  found: (runId: string, checksum: string) => void,
  onRows: (count: number) => void,
): Promise<void> {
  let runId: string | undefined;
  let hash: Hash = createHash("sha256");
  const end = (): void => {
    if (runId !== undefined) found(runId, hash.digest("base64url"));
  };
  for await (const rows of readTable(database, "events", ["run_id", "sequence"])) {
    for (const row of rows) {
      const id = String(row["run_id"]);
      if (id !== runId) {
        end();
        runId = id;
        hash = createHash("sha256");
      }
      hash.update(rowText(row));
    }
    onRows(rows.length);
  }
  end();
}

/** Resolves with the number of rows and the checksum of every table but the logs. */
export async function tableChecksums(database: MovingDatabase): Promise<Map<string, string>> {
  const sums = new Map<string, string>();
  for (const { name, key, emptied } of MOVED) {
    if (name === "events" || IGNORED.has(name)) continue;
    let sum = 0n;
    let count = 0;
    for await (const rows of readTable(database, name, key)) {
      for (const row of rows) {
        if (name === "hub_facts" && row["name"] === "moving") continue;
        sum = (sum + createHash("sha256").update(rowText(row, emptied)).digest().readBigUInt64LE()) % MODULUS;
        count++;
      }
    }
    sums.set(name, `${count} rows, ${sum.toString(16)}`);
  }
  return sums;
}

/** Returns the same text whatever the order of the columns, and whether a column is absent or empty. */
function rowText(row: Row, emptied: readonly string[] = []): string {
  const columns = Object.keys(row)
    .filter((column) => !emptied.includes(column))
    .toSorted();
  return JSON.stringify(columns.map((column) => [column, row[column] ?? null]));
}
