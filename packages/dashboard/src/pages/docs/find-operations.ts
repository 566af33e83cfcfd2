// Finds operations by words: each has to be part of the method, the path, the id, the summary or the name of the group.
import type { Group } from "./reference.ts";

export function findOperations(groups: readonly Group[], text: string): Group[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return groups
    .map((group) => ({
      ...group,
      operations: group.operations.filter(({ method, path, id, summary }) => {
        const found = `${method} ${path} ${id} ${summary} ${group.name}`.toLowerCase();
        return words.every((word) => found.includes(word));
      }),
    }))
    .filter(({ operations }) => operations.length > 0);
}
