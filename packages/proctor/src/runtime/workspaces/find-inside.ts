// Opens a file of a workspace by a name that an agent chose. The name may lie: `..`, links, pipes, devices and links that
// change meanwhile all lead to a plain answer, never to bytes from elsewhere.
import { constants } from "node:fs";
import { lstat, open, realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import type { EntryKind, WorkspaceFile } from "../../core/ports/workspaces.ts";

const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export async function findInside(
  root: string,
  name: string,
): Promise<WorkspaceFile | "outside" | "missing" | "not-a-file"> {
  const place = await locate(root, name);
  if (typeof place !== "string") return describe(root, place.real);
  return place === "other" ? "missing" : place;
}

/** Resolves with the kind of the entry with that name, without opening it. */
export async function kindInside(root: string, name: string): Promise<EntryKind> {
  const place = await locate(root, name);
  if (typeof place === "string") return place;
  const stats = await lstat(place.real).catch(() => undefined);
  if (!stats) return "missing";
  if (stats.isFile()) return "file";
  return stats.isDirectory() ? "directory" : "other";
}

/** Resolves with the real path, with all links followed; "other" for an entry that may exist and cannot be reached. */
export async function locate(
  root: string,
  name: string,
): Promise<{ real: string } | "outside" | "missing" | "other"> {
  if (name.includes("\0") || /^[a-z][a-z0-9+.-]*:\/\//i.test(name)) return "outside";
  const asked = resolve(root, name);
  if (!isInside(root, asked)) return "outside";
  try {
    const real = await realpath(asked);
    return isInside(root, real) ? { real } : "outside";
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    return code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG" ? "missing" : "other";
  }
}

async function describe(root: string, real: string): Promise<WorkspaceFile | "missing" | "not-a-file"> {
  const file = await openRegular(real);
  if (typeof file === "string") return file;
  const { size } = await file.stat();
  await file.close();
  return {
    path: relative(root, real).split(sep).join("/"),
    sizeBytes: size,
    async *read() {
      const again =
        (await realpath(real).catch(() => undefined)) === real ? await openRegular(real) : "missing";
      if (typeof again === "string") throw new Error("the file is gone");
      // The stream closes the handle at its end, and when its reader stops.
      yield* again.createReadStream() as AsyncIterable<Uint8Array>;
    },
  };
}

async function openRegular(
  path: string,
): Promise<Awaited<ReturnType<typeof open>> | "missing" | "not-a-file"> {
  const file = await open(path, FLAGS).catch((error: NodeJS.ErrnoException) =>
    error.code === "ENOENT" ? "missing" : "not-a-file",
  );
  if (typeof file === "string") return file;
  if ((await file.stat()).isFile()) return file;
  await file.close();
  return "not-a-file";
}

export function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
