// A random name for a data directory, made once. Processes that its hub starts carry it, and processes that carry it are killed
// after a crash; so the copy of a directory must not go by the name of the original.
import { randomUUID } from "node:crypto";
import { readFile, realpath, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { isUuid } from "../core/id.ts";

export async function openHubId(file: string): Promise<string> {
  const place = await realpath(dirname(file));
  const known = await readFile(file, "utf8").catch(() => "");
  const [id = "", madeFor] = known.trimEnd().split("\n");
  if (isUuid(id) && madeFor === place) return id;
  const fresh = randomUUID();
  await writeFile(file, `${fresh}\n${place}\n`, { mode: 0o600 });
  return fresh;
}
