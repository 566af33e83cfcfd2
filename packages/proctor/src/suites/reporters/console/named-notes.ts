// Notes on the environments of runs, each once with the number of its runs, up to a limit.
import { formatCount, plural } from "../amounts.ts";
import type { AttemptResult } from "../../result.ts";
import { lineOf } from "./line-of.ts";

interface NamedNotes {
  add(attempt: AttemptResult): void;
  lines(): string[];
}

const MAX_NOTES = 10;
/** Most notes that are counted; the same ones come back in most runs. */
const MAX_KEPT = 1000;

export function createNamedNotes(): NamedNotes {
  const counts = new Map<string, number>();
  return {
    add({ notes = [] }) {
      for (const note of notes) {
        if (counts.has(note) || counts.size < MAX_KEPT) counts.set(note, (counts.get(note) ?? 0) + 1);
      }
    },
    lines() {
      const all = [...counts].toSorted(([, one], [, other]) => other - one);
      const lines = all
        .slice(0, MAX_NOTES)
        .map(([note, count]) => `${lineOf(note)} (${plural(count, "run")})`);
      const more = all.length - lines.length;
      return more > 0 ? [...lines, `… and ${formatCount(more)} more`] : lines;
    },
  };
}
