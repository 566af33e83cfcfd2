// A second check of a database that seems damaged: a failing disk may have returned bytes that are correct on it.
import Database from "libsql";
import { pathToFileURL } from "node:url";

/** Milliseconds for which a result is reused, because a check reads the whole file and may be requested often. */
const HOLDS_MS = 60_000;

/** Returns true when a new connection finds the damage as well; false when it does not, or the file cannot be read now. */
export function createConfirmDamage(
  file: string,
  now: () => number = () => performance.now(),
): () => boolean {
  let verdict: { damaged: boolean; at: number } | undefined;
  return () => {
    if (verdict === undefined || now() - verdict.at > HOLDS_MS) verdict = { damaged: look(file), at: now() };
    return verdict.damaged;
  };
}

function look(file: string): boolean {
  let database: InstanceType<typeof Database> | undefined;
  try {
    database = new Database(`${pathToFileURL(file).href}?mode=ro`);
    const [found] = database.prepare("PRAGMA quick_check(1)").raw().all() as unknown[][];
    return found?.[0] !== "ok";
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    return /^SQLITE_(?:CORRUPT|NOTADB)/.test(code);
  } finally {
    database?.close();
  }
}
