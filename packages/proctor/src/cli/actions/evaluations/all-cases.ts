// All cases of an evaluation, page by page.
import type { EvaluationCase } from "../../../core/evaluation.ts";
import { MAX_PAGE_LIMIT } from "../../../core/page.ts";
import type { CaseQuery, Evaluations } from "../../../core/ports/evaluations.ts";

export async function* allCases(
  evaluations: Pick<Evaluations, "cases">,
  id: string,
  query: Omit<CaseQuery, "cursor" | "limit"> = {},
): AsyncGenerator<EvaluationCase> {
  let cursor: string | undefined;
  do {
    const page = await evaluations.cases(id, {
      ...query,
      limit: MAX_PAGE_LIMIT,
      ...(cursor !== undefined && { cursor }),
    });
    yield* page.items;
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
}
