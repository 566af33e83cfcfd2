// What an engine says differs from the image: paths, and what became of them. No more; the rest is looked up.
import type Docker from "dockerode";

export type ChangeKind = "added" | "modified" | "removed";

const KINDS: readonly ChangeKind[] = ["modified", "added", "removed"];

/** Changes in the order of their paths, without those that `isOwn` names. */
export async function engineChanges(
  container: Docker.Container,
  isOwn: (path: string) => boolean,
): Promise<Map<string, ChangeKind>> {
  const answer: unknown = await container.changes();
  const changes: [string, ChangeKind][] = [];
  for (const entry of Array.isArray(answer) ? answer : []) {
    // The engine's own documented shape; anything else is skipped.
    const { Path: path, Kind: number } = entry as { Path?: unknown; Kind?: unknown };
    const kind = KINDS[Number(number)];
    if (typeof path === "string" && path.startsWith("/") && kind && !isOwn(path)) changes.push([path, kind]);
  }
  return new Map(changes.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
