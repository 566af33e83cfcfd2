// Copies a file, or the content of a directory, of this machine into a directory of it. Links stay links, modes stay modes.
import { constants } from "node:fs";
import { chmod, copyFile, lstat, mkdir, readlink, rm, symlink } from "node:fs/promises";
import { join, relative } from "node:path";
import { ProctorError } from "../../core/errors.ts";
import { typeOf, walk } from "./walk.ts";
import type { Entry } from "./walk.ts";

export async function copyTree(source: string, target: string, signal?: AbortSignal): Promise<void> {
  const stats = await lstat(source, { bigint: true }).catch((error: unknown) => {
    throw new ProctorError("FILE_UNREADABLE", `nothing to copy: ${source}`, { cause: error });
  });
  const type = typeOf(stats);
  if (type !== "directory") return copyEntry({ path: source, type, stats }, target);
  await mkdir(target, { recursive: true });
  for await (const entry of walk(source)) {
    signal?.throwIfAborted();
    await copyEntry(entry, join(target, relative(source, entry.path)));
  }
}

async function copyEntry({ path, type, stats }: Entry, target: string): Promise<void> {
  const mode = Number(stats.mode & 0o7777n);
  const there = await lstat(target).catch(() => undefined);
  // Whatever is in the way is removed, above all links, through which nothing may be written.
  if (there !== undefined && !(there.isDirectory() && type === "directory")) {
    await rm(target, { recursive: true, force: true });
  }
  switch (type) {
    case "directory":
      await mkdir(target, { recursive: true });
      // The mode has at least the bits that we need to fill the directory.
      await chmod(target, mode | 0o700);
      return;
    case "link":
      await symlink(await readlink(path), target);
      return;
    case "file":
      await copyFile(path, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
      await chmod(target, mode);
      return;
    case "other":
      // Sockets, pipes and devices cannot be copied.
      return;
  }
}
