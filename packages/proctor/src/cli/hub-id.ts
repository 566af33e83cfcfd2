// A random name for a data directory, made once. Processes that its hub starts carry it.
import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { isUuid } from "../core/id.ts";

export async function openHubId(file: string): Promise<string> {
  const known = await readFile(file, "utf8").catch(() => "");
  if (isUuid(known.trim())) return known.trim();
  const id = randomUUID();
  await writeFile(file, `${id}\n`, { mode: 0o600 });
  return id;
}
