// What differs from an environment's beginning. An engine compares with the image only, so the beginning is looked at once, and every path
// that had differed then is compared with how it was.
import { posix } from "node:path";
import type Docker from "dockerode";
import type { FileChange } from "../../core/environment.ts";
import { engineChanges, type ChangeKind } from "./engine-changes.ts";
import { listInside } from "./list-inside.ts";
import { statInside, type PathStat } from "./stat-inside.ts";

export interface ChangeTracker {
  changes(): Promise<FileChange[]>;
}

interface TrackOptions {
  container: Docker.Container;
  /** Resolves with a container of the same image that never ran, which shows the image's files. It is created when needed. */
  original: () => Promise<Docker.Container>;
  isOwn: (path: string) => boolean;
}

const AT_ONCE = 16;

/** Records the beginning; must be called when files and a snapshot are in place, before anything runs. */
export async function trackChanges({ container, original, isOwn }: TrackOptions): Promise<ChangeTracker> {
  const atFirst = await engineChanges(container, isOwn);
  const beginning = await statAll(container, present(atFirst));

  async function imageStat(path: string): Promise<PathStat | undefined> {
    return statInside(await original(), path);
  }

  /** Resolves with the state of a path at the beginning; undefined when there was nothing. */
  async function before(path: string): Promise<PathStat | undefined> {
    const kind = atFirst.get(path);
    if (kind === "removed") return undefined;
    return kind === undefined ? imageStat(path) : beginning.get(path);
  }

  async function changed(
    path: string,
    kind: ChangeKind | undefined,
    stat: PathStat | undefined,
    busy: boolean,
  ): Promise<FileChange[]> {
    const known = atFirst.has(path);
    if (!stat) {
      const was = await before(path);
      return was ? [{ path, change: "removed", type: was.type }] : [];
    }
    if (!known && kind === "added") return [describe(path, "added", stat)];
    // An engine calls a directory modified for every file that came or went, so only its mode is compared.
    if (!known && stat.type !== "directory" && kind === "modified") return [describe(path, "modified", stat)];
    if (!known && busy && kind === "modified") return [];
    const was = await before(path);
    if (!was) return [describe(path, "added", stat)];
    return same(was, stat) ? [] : [describe(path, "modified", stat)];
  }

  /** Resolves with what was lost in recreated directories: engines report these as removed, and not what was in them. */
  async function lostWithin(now: ReadonlyMap<string, ChangeKind>): Promise<string[]> {
    const removed = [...now].filter(([, kind]) => kind === "removed").map(([path]) => path);
    const anew = [...(await statAll(container, removed))].filter(([, stat]) => stat.type === "directory");
    const lists = await mapAll(anew, async ([path]) => listInside(await original(), path));
    return lists.flat().filter((path) => !isOwn(path));
  }

  return {
    async changes() {
      const now = await engineChanges(container, isOwn);
      const lost = await lostWithin(now);
      const paths = [...new Set([...now.keys(), ...atFirst.keys(), ...lost])].toSorted();
      const stats = await statAll(container, paths);
      const busy = new Set([...now.keys()].map((path) => posix.dirname(path)));
      const found = await mapAll(paths, (path) =>
        changed(path, now.get(path), stats.get(path), busy.has(path)),
      );
      return found.flat();
    },
  };
}

function describe(path: string, change: ChangeKind, { type, size, mode }: PathStat): FileChange {
  return {
    path,
    change,
    type,
    ...(type === "file" && { size_bytes: size }),
    ...(type !== "link" && { mode }),
  };
}

function same(a: PathStat, b: PathStat): boolean {
  if (a.type !== b.type || a.mode !== b.mode) return false;
  return a.type === "directory" || (a.size === b.size && a.mtime === b.mtime && a.target === b.target);
}

function present(changes: ReadonlyMap<string, ChangeKind>): string[] {
  return [...changes].filter(([, kind]) => kind !== "removed").map(([path]) => path);
}

async function statAll(
  container: Docker.Container,
  paths: readonly string[],
): Promise<Map<string, PathStat>> {
  const stats = await mapAll(paths, async (path) => [path, await statInside(container, path)] as const);
  return new Map(stats.flatMap(([path, stat]) => (stat ? [[path, stat] as const] : [])));
}

async function mapAll<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = Array.from({ length: items.length });
  let next = 0;
  async function worker(): Promise<void> {
    for (let index = next++; index < items.length; index = next++) {
      const item = items[index];
      if (item !== undefined) results[index] = await work(item);
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, worker));
  return results;
}
