// Finds the id of a case by what a comparison calls it.
import type { CaseCell } from "./evaluation-state.ts";

interface Named {
  suite: string;
  test_id: string;
  agent: string;
}

export function caseIdOf(cells: ReadonlyMap<string, CaseCell>, named: Named): string | undefined {
  for (const { id, suite, test_id, agent } of cells.values()) {
    if (suite === named.suite && test_id === named.test_id && agent === named.agent) return id;
  }
  return undefined;
}
