// A snapshot without what stands in certain places, or with nothing but that, whoever put it there.
import { decodeSnapshot } from "./decode-snapshot.ts";
import { encodeSnapshot } from "./encode-snapshot.ts";
import type { SnapshotEntry } from "./snapshot.ts";

interface PathChoice {
  /** Absolute; with what is below them. */
  without?: readonly string[];
  /** All when absent. */
  only?: readonly string[];
  /** Directories that are there whatever the snapshot says, with what is above them: absolute. */
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
