// The root of an environment as it was before anything was written, which nobody inside can change. Links in it are not followed: they
// would lead to this machine's own files.
import type { Stats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { dirname } from "node:path/posix";
import type { UpperEntry } from "./upper-reader.ts";

/** The properties of a path that a comparison uses. */
export type FileState = Pick<UpperEntry, "type" | "mode" | "uid" | "gid" | "size" | "mtime">;

interface BaseView {
  /** Resolves with the state of a path in the root; undefined when there was nothing. */
  look(path: string): Promise<FileState | undefined>;
  names(path: string): Promise<string[]>;
}

/** Creates the view; `dir` is where the root is mounted, as seen from this process. */
export function createBaseView(dir: string): BaseView {
  const directories = new Map<string, Promise<boolean>>([["/", Promise.resolve(true)]]);

  function isDirectory(path: string): Promise<boolean> {
    const known = directories.get(path) ?? look(path).then((state) => state?.type === "directory");
    directories.set(path, known);
    return known;
  }

  async function look(path: string): Promise<FileState | undefined> {
    if (!(await isDirectory(dirname(path)))) return undefined;
    const stat = await lstat(`${dir}${path}`).catch(() => undefined);
    return stat === undefined ? undefined : stateOf(stat);
  }

  return {
    look,
    names: async (path) => ((await isDirectory(path)) ? readdir(`${dir}${path}`).catch(() => []) : []),
  };
}

/** Returns the id as programs inside see it, where this process's own is root. */
function asInside(id: number, ours: number | undefined): number {
  return id === ours ? 0 : id;
}

function stateOf(stat: Stats): FileState {
  const { size, mtimeMs } = stat;
  const [uid, gid] = [asInside(stat.uid, process.getuid?.()), asInside(stat.gid, process.getgid?.())];
  const type = stat.isFile()
    ? "file"
    : stat.isDirectory()
      ? "directory"
      : stat.isSymbolicLink()
        ? "link"
        : "other";
  return { type, mode: stat.mode & 0o7777, uid, gid, size, mtime: mtimeMs / 1000 };
}
