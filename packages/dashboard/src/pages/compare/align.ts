// Two runs side by side: the longest sequence of steps that both took, in order, with what only one of them did between.

export interface Step {
  /** Key of the step: steps with the same key may stand side by side. */
  key: string;
  /** What the step did: two that stand side by side and did the same are the same. */
  fact: string;
}

export interface Row<T extends Step> {
  a?: T;
  b?: T;
  same: boolean;
}

export function align<T extends Step>(a: readonly T[], b: readonly T[]): Row<T>[] {
  const width = b.length + 1;
  // Lengths of the longest common sequence of what is left of both runs.
  const common = new Uint16Array((a.length + 1) * width);
  const at = (row: number, column: number): number => common[row * width + column] ?? 0;
  for (let row = a.length - 1; row >= 0; row--) {
    for (let column = b.length - 1; column >= 0; column--) {
      common[row * width + column] =
        a[row]?.key === b[column]?.key
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const rows: Row<T>[] = [];
  let row = 0;
  let column = 0;
  while (row < a.length || column < b.length) {
    const left = a[row];
    const right = b[column];
    if (left !== undefined && right !== undefined && left.key === right.key) {
      rows.push({ a: left, b: right, same: left.fact === right.fact });
      row++;
      column++;
    } else if (right === undefined || (left !== undefined && at(row + 1, column) >= at(row, column + 1))) {
      rows.push({ ...(left && { a: left }), same: false });
      row++;
    } else {
      rows.push({ b: right, same: false });
      column++;
    }
  }
  return rows;
}
