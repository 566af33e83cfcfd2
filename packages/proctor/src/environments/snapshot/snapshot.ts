// What a snapshot of an environment holds: everything that differs from the root it began with, whichever kind of environment it was.

export interface SnapshotState {
  /** Absolute paths of the root that are gone, with all below them. */
  removed: readonly string[];
  /** Absolute paths of directories of which nothing of the root is left inside. */
  opaque: readonly string[];
  /** Entries that are there now; a directory comes before what is in it. */
  entries: AsyncIterable<SnapshotEntry>;
}

export type SnapshotEntry = SnapshotFile | SnapshotDirectory | SnapshotLink;

interface Metadata {
  /** The absolute path inside the environment. */
  path: string;
  /** Permission bits, including setuid, setgid and sticky. */
  mode: number;
  uid: number;
  gid: number;
  mtime: Date;
}

export interface SnapshotFile extends Metadata {
  type: "file";
  size: number;
  /** Content of the file, which has to be read, or returned from, before the next entry. */
  content: AsyncIterable<Uint8Array>;
}

interface SnapshotDirectory extends Metadata {
  type: "directory" | "fifo";
}

interface SnapshotLink extends Metadata {
  /** A `link` is one more name of a file that came before. */
  type: "symlink" | "link";
  /** The text of a symlink as it is; for a hard link, the absolute path of the file's other name. */
  target: string;
}

/** Name of the first member of the stream. */
export const CHANGES_NAME = ".proctor/changes.json";
export const SNAPSHOT_VERSION = 1;

/** Returns the absolute path of a name; undefined where it could lead outside of the root. */
export function insidePath(name: string): string | undefined {
  const parts = name.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.length === 0 || parts.includes("..") || name.includes("\0")) return undefined;
  return `/${parts.join("/")}`;
}
