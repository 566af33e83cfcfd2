// Lists what differs between a directory at one time and now, by what the system records of each file, without reading any.
import { setTimeout as delay } from "node:timers/promises";
import type { FileChange } from "../../core/environment.ts";
import { walk } from "./walk.ts";
import type { Entry } from "./walk.ts";

type Manifest = ReadonlyMap<string, Noted>;

interface Noted {
  type: Entry["type"];
  /** A text that changes whenever the file does. */
  state: string;
}

/** Milliseconds of a tick of the clock for file times; a change within one tick would go unnoticed. */
const TICK_MS = 12;

export async function takeManifest(folder: string): Promise<Manifest> {
  const noted = new Map<string, Noted>();
  for await (const entry of walk(folder)) noted.set(entry.path, { type: entry.type, state: stateOf(entry) });
  if (noted.size > 0) await delay(TICK_MS);
  return noted;
}

export async function changesSince(before: Manifest, folder: string): Promise<FileChange[]> {
  const changes: FileChange[] = [];
  const seen = new Set<string>();
  for await (const entry of walk(folder)) {
    seen.add(entry.path);
    const was = before.get(entry.path);
    if (was === undefined) changes.push(changed(entry, "added"));
    else if (was.type !== entry.type || was.state !== stateOf(entry))
      changes.push(changed(entry, "modified"));
  }
  for (const [path, { type }] of before) if (!seen.has(path)) changes.push({ path, change: "removed", type });
  return changes.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

/** Returns the state of an entry. A directory changes only with its permissions; the entries in it are listed themselves. */
function stateOf({ type, stats }: Entry): string {
  const own = `${stats.mode} ${stats.uid} ${stats.gid}`;
  return type === "directory" ? own : `${own} ${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;
}

function changed({ path, type, stats }: Entry, change: "added" | "modified"): FileChange {
  return {
    path,
    change,
    type,
    ...(type === "file" ? { size_bytes: Number(stats.size) } : {}),
    mode: Number(stats.mode & 0o7777n),
  };
}
