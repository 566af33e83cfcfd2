// A snapshot without certain paths, or with nothing but certain paths.
import { decodeSnapshot } from "./decode-snapshot.ts";
import { encodeSnapshot } from "./encode-snapshot.ts";
import type { SnapshotEntry } from "./snapshot.ts";

interface PathChoice {
  /** Absolute paths that are left out, with everything below them. */
  without?: readonly string[];
  /** Absolute paths outside of which everything is left out; no such restriction when absent. */
  only?: readonly string[];
  /** Says whether a directory, by its absolute path, stays whatever the snapshot says. */
  staying?: (path: string) => boolean;
}

export async function* choosePaths(
  stream: AsyncIterable<Uint8Array>,
  { without = [], only, staying = () => false }: PathChoice,
): AsyncGenerator<Uint8Array> {
  const { removed, opaque, entries } = await decodeSnapshot(stream);
  const isKept = (path: string): boolean =>
    !isBelow(path, without) && (only === undefined || isBelow(path, only));
  async function* kept(): AsyncGenerator<SnapshotEntry> {
    for await (const entry of entries) {
      if (isKept(entry.path) && (entry.type === "directory" || !staying(entry.path))) yield entry;
    }
  }
  const goes = (path: string): boolean => isKept(path) && !staying(path);
  yield* encodeSnapshot(
    { removed: removed.filter(goes), opaque: opaque.filter(goes), entries: kept() },
    { maxBytes: Number.POSITIVE_INFINITY },
  );
}

function isBelow(path: string, places: readonly string[]): boolean {
  return places.some((place) => path === place || path.startsWith(`${place}/`));
}
