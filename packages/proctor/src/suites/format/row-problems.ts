// Problems of tests that a matrix or a data set multiplies: what is wrong in every row is said once.
import type { Problem } from "../../runtime/yaml/problem.ts";

export interface RowProblems {
  /** `origin` is the row it was found in: `row 3 (cases.csv:4)`. */
  add(problem: Problem, origin?: string): void;
  /** How many have been added. */
  count(): number;
  list(): Problem[];
}

interface Group {
  problem: Problem;
  origin?: string;
  count: number;
}

/** The same place can be wrong in another way in each row. */
const SHOWN_PER_PLACE = 3;

export function createRowProblems(): RowProblems {
  const places = new Map<string, Map<string, Group>>();
  let added = 0;
  return {
    count: () => added,
    add(problem, origin) {
      added += 1;
      const { file, line, col, path = "", message } = problem;
      const place = `${file}\n${line}:${col}\n${path}`;
      const groups = places.get(place) ?? new Map<string, Group>();
      places.set(place, groups);
      const group = groups.get(message);
      if (group) group.count += 1;
      else groups.set(message, { problem, count: 1, ...(origin !== undefined && { origin }) });
    },
    list: () => [...places.values()].flatMap((groups) => listPlace([...groups.values()])),
  };
}

function listPlace(groups: readonly Group[]): Problem[] {
  const own = groups.filter(({ origin }) => origin === undefined).map(({ problem }) => problem);
  const rows = groups.filter(({ origin }) => origin !== undefined);
  const shown = rows.slice(0, SHOWN_PER_PLACE).map(render);
  const left = rows.slice(SHOWN_PER_PLACE).reduce((sum, { count }) => sum + count, 0);
  const [first] = rows;
  if (!first || left === 0) return [...own, ...shown];
  const { hint: _, ...place } = first.problem;
  return [...own, ...shown, { ...place, message: `${left} more rows have a problem here` }];
}

function render({ problem, origin, count }: Group): Problem {
  const more = count > 1 ? ` and ${count - 1} more ${count === 2 ? "row" : "rows"}` : "";
  const where = `in ${origin}${more}`;
  return { ...problem, hint: problem.hint === undefined ? where : `${problem.hint}  ${where}` };
}
