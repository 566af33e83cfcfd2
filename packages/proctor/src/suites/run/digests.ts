// Hashes of files and folders, each computed once. What is not there, or too large to be worth it, is null.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";

export interface Digests {
  file(path: string, from?: string): Promise<string | null>;
  /** Hash of the names and contents of all files in a folder. */
  folder(path: string): Promise<string | null>;
  /** Hash of a file or a folder. */
  any(path: string, from?: string): Promise<string | null>;
}

const MAX_BYTES = 64 * 1024 * 1024;

export function createDigests(): Digests {
  const known = new Map<string, Promise<string | null>>();
  const once = (key: string, compute: () => Promise<string | null>): Promise<string | null> => {
    const found = known.get(key) ?? compute().catch(() => null);
    known.set(key, found);
    return found;
  };
  const file = (path: string, from = "."): Promise<string | null> => {
    const absolute = resolve(from, path);
    return once(absolute, () => digestFile(absolute));
  };
  const folder = (path: string): Promise<string | null> => once(`${path}/`, () => digestFolder(path, file));
  return {
    file,
    folder,
    any: async (path, from = ".") => (await file(path, from)) ?? folder(resolve(from, path)),
  };
}

async function digestFile(path: string): Promise<string | null> {
  const found = await stat(path);
  if (!found.isFile() || found.size > MAX_BYTES) return null;
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  return hash.digest("hex");
}

async function digestFolder(
  path: string,
  file: (path: string) => Promise<string | null>,
): Promise<string | null> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const hash = createHash("sha256");
  for (const name of files) hash.update(`${name.slice(path.length)}\0${(await file(name)) ?? ""}\0`);
  return hash.digest("hex");
}
