// An empty database of the newest version, made once in a worker and copied for each test that needs one.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteStore } from "../../../src/stores/sqlite/open-store.ts";

let made: Promise<Buffer> | undefined;

/** Fails where there is a file already. */
export async function placeEmptyDatabase(file: string): Promise<void> {
  made ??= make();
  await writeFile(file, await made, { flag: "wx" });
}

async function make(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), "proctor-database-"));
  try {
    const file = join(folder, "proctor.db");
    // Closing leaves all of it in this one file.
    await (await openSqliteStore({ file })).close();
    return await readFile(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
