// A snapshot without what stands in certain places, whoever put it there.
import { decodeSnapshot } from "./decode-snapshot.ts";
import { encodeSnapshot } from "./encode-snapshot.ts";
import type { SnapshotEntry } from "./snapshot.ts";

/** `paths` are absolute; what is below them is left out as well. */
export async function* withoutPaths(
  stream: AsyncIterable<Uint8Array>,
  paths: readonly string[],
): AsyncGenerator<Uint8Array> {
  const { removed, opaque, entries } = await decodeSnapshot(stream);
  const isKept = (path: string): boolean =>
    !paths.some((place) => path === place || path.startsWith(`${place}/`));
  async function* kept(): AsyncGenerator<SnapshotEntry> {
    for await (const entry of entries) if (isKept(entry.path)) yield entry;
  }
  yield* encodeSnapshot(
    { removed: removed.filter(isKept), opaque: opaque.filter(isKept), entries: kept() },
    { maxBytes: Number.POSITIVE_INFINITY },
  );
}
