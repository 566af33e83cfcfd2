// How one list of texts becomes another with the fewest pieces taken out and put in: by the longest common subsequence.

export interface Edit {
  /** `-` stands only in the first list, `+` only in the second. */
  mark: " " | "-" | "+";
  text: string;
}

/** Takes time and room of the product of what differs: callers bound the lists. */
export function editScript(before: readonly string[], after: readonly string[]): Edit[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const shorter = Math.min(before.length, after.length) - start;
  while (end < shorter && before.at(-1 - end) === after.at(-1 - end)) end++;

  const same = (text: string): Edit => ({ mark: " ", text });
  return [
    ...before.slice(0, start).map(same),
    ...between(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same),
  ];
}

function between(before: readonly string[], after: readonly string[]): Edit[] {
  const width = after.length + 1;
  // At [i, j]: how much `before` from i on and `after` from j on have in common.
  const common = new Uint32Array((before.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      common[i * width + j] =
        before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const edits: Edit[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    const [old, fresh] = [before[i], after[j]];
    if (old !== undefined && old === fresh) {
      edits.push({ mark: " ", text: old });
      i++;
      j++;
    } else if (fresh === undefined || (old !== undefined && at(i + 1, j) >= at(i, j + 1))) {
      edits.push({ mark: "-", text: old ?? "" });
      i++;
    } else {
      edits.push({ mark: "+", text: fresh });
      j++;
    }
  }
  return edits;
}
