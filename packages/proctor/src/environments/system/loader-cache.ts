// The cache of the dynamic loader, which says where each library is: `ld.so.cache` of glibc 2.2 and later.

const MAGIC = "glibc-ld.so.cache1.1";
const HEADER_BYTES = 48;
const ENTRY_BYTES = 24;

/** Whether every library of the root's cache is still at its path. Others may have been added. */
export function keepsLibraries(root: Buffer, left: Buffer): boolean {
  const before = librariesOf(root);
  const after = librariesOf(left);
  if (before === undefined || after === undefined) return false;
  return [...before].every(([name, places]) => after.get(name)?.join("\0") === places.join("\0"));
}

/** Returns the paths of each library; undefined for a file that is not such a cache. */
function librariesOf(file: Buffer): Map<string, string[]> | undefined {
  const start = file.indexOf(MAGIC, 0, "latin1");
  if (start < 0 || start + HEADER_BYTES > file.length) return undefined;
  const count = file.readUInt32LE(start + MAGIC.length);
  if (start + HEADER_BYTES + count * ENTRY_BYTES > file.length) return undefined;
  const text = (at: number): string => {
    const from = start + at;
    const end = file.indexOf(0, from);
    return file.toString("latin1", from, end < 0 ? file.length : end);
  };
  const found = new Map<string, string[]>();
  for (let index = 0; index < count; index++) {
    const at = start + HEADER_BYTES + index * ENTRY_BYTES;
    const name = text(file.readUInt32LE(at + 4));
    found.set(name, [...(found.get(name) ?? []), text(file.readUInt32LE(at + 8))]);
  }
  return found;
}
