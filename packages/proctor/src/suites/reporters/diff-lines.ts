// How one list of texts becomes another: Myers' shortest edit script, with a limit to how long it searches. Pure.

interface DiffLine {
  kind: "same" | "removed" | "added";
  text: string;
  /** Places in the two lists, from 1; 0 where it is not in that one. */
  before: number;
  after: number;
}

/** Beyond this many edits the two have little in common, and the rest is shown as replaced. */
const MAX_EDITS = 600;

export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  const { head, tail } = changedPart(before, after);
  const middle = edits(before.slice(head, before.length - tail), after.slice(head, after.length - tail));
  const all: DiffLine[] = [];
  const same = (at: number, other: number): void => {
    all.push({ kind: "same", text: before[at] ?? "", before: at + 1, after: other + 1 });
  };
  for (let at = 0; at < head; at++) same(at, at);
  for (const line of middle) {
    all.push({
      ...line,
      before: line.before === 0 ? 0 : line.before + head,
      after: line.after === 0 ? 0 : line.after + head,
    });
  }
  for (let left = tail; left > 0; left--) same(before.length - left, after.length - left);
  return all;
}

function edits(before: readonly string[], after: readonly string[]): DiffLine[] {
  const path = findPath(before, after);
  return path === undefined ? replaced(before, after) : walkBack(path, before, after);
}

function replaced(before: readonly string[], after: readonly string[]): DiffLine[] {
  return [
    ...before.map((text, at): DiffLine => ({ kind: "removed", text, before: at + 1, after: 0 })),
    ...after.map((text, at): DiffLine => ({ kind: "added", text, before: 0, after: at + 1 })),
  ];
}

/** For each number of edits, how far each diagonal gets. */
function findPath(before: readonly string[], after: readonly string[]): Map<number, number>[] | undefined {
  const furthest = new Map<number, number>([[1, 0]]);
  const steps: Map<number, number>[] = [];
  const most = Math.min(before.length + after.length, MAX_EDITS);
  for (let edit = 0; edit <= most; edit++) {
    steps.push(new Map(furthest));
    for (let diagonal = -edit; diagonal <= edit; diagonal += 2) {
      let x = startOf(furthest, diagonal, edit);
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x += 1;
      furthest.set(diagonal, x);
      if (x >= before.length && x - diagonal >= after.length) return steps;
    }
  }
  return undefined;
}

/** Whether the edit that leads to this diagonal adds a line; it removes one otherwise. */
function isAddition(furthest: Map<number, number>, diagonal: number, edit: number): boolean {
  if (diagonal === -edit || diagonal === edit) return diagonal === -edit;
  return (furthest.get(diagonal - 1) ?? -1) < (furthest.get(diagonal + 1) ?? -1);
}

function startOf(furthest: Map<number, number>, diagonal: number, edit: number): number {
  if (isAddition(furthest, diagonal, edit)) return furthest.get(diagonal + 1) ?? 0;
  return (furthest.get(diagonal - 1) ?? -1) + 1;
}

function walkBack(
  steps: readonly Map<number, number>[],
  before: readonly string[],
  after: readonly string[],
): DiffLine[] {
  const found: DiffLine[] = [];
  let x = before.length;
  let y = after.length;
  for (let edit = steps.length - 1; edit >= 0; edit--) {
    const furthest = steps[edit] ?? new Map<number, number>();
    const diagonal = x - y;
    const start = edit === 0 ? 0 : startOf(furthest, diagonal, edit);
    for (; x > start && y > start - diagonal; x--, y--) {
      found.push({ kind: "same", text: before[x - 1] ?? "", before: x, after: y });
    }
    if (edit === 0) break;
    if (isAddition(furthest, diagonal, edit)) {
      found.push({ kind: "added", text: after[y - 1] ?? "", before: 0, after: y });
      y -= 1;
    } else {
      found.push({ kind: "removed", text: before[x - 1] ?? "", before: x, after: 0 });
      x -= 1;
    }
  }
  return found.reverse();
}

/** Returns the lengths that two texts or lists share at their beginning and their end; the rest is what changed. */
function changedPart<T extends string | readonly string[]>(
  before: T,
  after: T,
): { head: number; tail: number } {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail])
    tail += 1;
  return { head, tail };
}
