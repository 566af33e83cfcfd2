// Puts files into an environment in which nothing runs yet, without starting a program for it. Only what is plain: where a link stands in
// the way, or there is much to copy, a tar inside does it.
import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
  type Stats,
} from "node:fs";
import { join, posix } from "node:path";

const MAX_ENTRIES = 200;
const MAX_BYTES = 4 * 1024 * 1024;

interface Item {
  from: string;
  to: string;
  stats: Stats;
}

/** Copies files; `root` is where the environment's root is seen on this machine. Returns false when not everything was copied. */
export function fillDirectly(root: string, source: string, target: string): boolean {
  const to = posix.resolve("/", target);
  try {
    const stats = lstatSync(source);
    const items = list(source, join(root, to), stats);
    if (items === undefined) return false;
    const parent = stats.isDirectory() ? to : posix.dirname(to);
    if (!makeParents(root, parent)) return false;
    return items.every(copy);
  } catch {
    // Copying by tar follows, and reports whatever is wrong.
    return false;
  }
}

/** Lists the entries; undefined when there are too many, or ones of another type than can be copied here. */
function list(from: string, to: string, stats: Stats, found: Item[] = []): Item[] | undefined {
  found.push({ from, to, stats });
  if (found.length > MAX_ENTRIES) return undefined;
  if (stats.isFile())
    return found.reduce((sum, { stats: { size } }) => sum + size, 0) > MAX_BYTES ? undefined : found;
  if (stats.isSymbolicLink()) return found;
  if (!stats.isDirectory()) return undefined;
  for (const name of readdirSync(from)) {
    const inside = join(from, name);
    if (list(inside, join(to, name), lstatSync(inside), found) === undefined) return undefined;
  }
  return found;
}

/** Creates the parents; returns false where one of them is not a directory. */
function makeParents(root: string, path: string): boolean {
  let current = root;
  for (const name of path.split("/").filter((part) => part !== "")) {
    current = join(current, name);
    const there = lstatSync(current, { throwIfNoEntry: false });
    if (there === undefined) mkdirSync(current, { mode: 0o755 });
    else if (!there.isDirectory()) return false;
  }
  return true;
}

function copy({ from, to, stats }: Item): boolean {
  const there = lstatSync(to, { throwIfNoEntry: false });
  if (stats.isDirectory()) {
    if (there !== undefined && !there.isDirectory()) return false;
    if (there === undefined) mkdirSync(to);
    chmodSync(to, stats.mode & 0o7777);
    return true;
  }
  if (stats.isSymbolicLink()) {
    if (there !== undefined) return false;
    symlinkSync(readlinkSync(from), to);
    return true;
  }
  if (there !== undefined && !there.isFile()) return false;
  copyFileSync(from, to);
  chmodSync(to, stats.mode & 0o7777);
  utimesSync(to, stats.atime, stats.mtime);
  return true;
}
