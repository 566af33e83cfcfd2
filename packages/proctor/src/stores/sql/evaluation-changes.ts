// What changed about evaluations, in the order of the feed. A row has the position of its last change alone: a reader that was away gets the
// state that things have now, once.
import type { PlacedEvaluationEvent } from "../../core/evaluation.ts";
import type { ChangeRange } from "../../core/ports/evaluation-store.ts";
import { decodeSummary } from "./evaluation-cases.ts";
import { evaluationAt } from "./evaluation-row.ts";
import type { Connection, SqlDialect } from "./sql-backend.ts";
import { compile } from "./template.ts";

type ReadChanges = (connection: Connection, range: ChangeRange) => Promise<PlacedEvaluationEvent[]>;

export function createEvaluationChanges({ builder }: SqlDialect): ReadChanges {
  return async (connection, { after, upTo = Number.MAX_SAFE_INTEGER, limit, evaluation, now }) => {
    let changed = builder
      .selectFrom("evaluations")
      .select(["id", "position", "document", "alive_until"])
      .where("position", ">", after)
      .where("position", "<=", upTo)
      .orderBy("position")
      .limit(limit);
    let settled = builder
      .selectFrom("evaluation_cases")
      .select(["evaluation", "position", "summary", "change"])
      .where("position", ">", after)
      .where("position", "<=", upTo)
      .orderBy("position")
      .limit(limit);
    let removed = builder
      .selectFrom("removed_evaluations")
      .select(["id", "position"])
      .where("position", ">", after)
      .where("position", "<=", upTo)
      .orderBy("position")
      .limit(limit);
    if (evaluation !== undefined) {
      changed = changed.where("id", "=", evaluation);
      settled = settled.where("evaluation", "=", evaluation);
      removed = removed.where("id", "=", evaluation);
    }
    const items: PlacedEvaluationEvent[] = [];
    for (const row of await connection.all(compile(changed))) {
      const event = { type: "evaluation.changed", evaluation_id: row.id } as const;
      items.push({ position: row.position, event: { ...event, evaluation: evaluationAt(row, now) } });
    }
    for (const row of await connection.all(compile(settled))) {
      const event = { type: "evaluation.case", evaluation_id: row.evaluation } as const;
      items.push({ position: row.position, event: { ...event, case: decodeSummary(row) } });
    }
    for (const { id, position } of await connection.all(compile(removed)))
      items.push({ position, event: { type: "evaluation.removed", evaluation_id: id } });
    return items.sort((a, b) => a.position - b.position).slice(0, limit);
  };
}
