// The place of a run in line, as one number that an index keeps in order: runs of a higher priority come first, and among equals the
// shares take turns. Runs that belong together are a share: a tree of runs, a conversation, a suite. The n-th waiting run of a share stands
// next to the n-th of every other, so a share with many runs does not hold back one with few.
import { sql, type RawBuilder } from "kysely";
import { requiredLabels } from "../../core/labels.ts";
import type { AgentSpec } from "../../core/agent.ts";
import type { Run } from "../../core/run.ts";
import type { SqlDialect } from "./sql-backend.ts";

/** Number of turns between two priorities: more than runs can wait. */
const TURNS = 2 ** 40;

export interface Place {
  /** The first turn of the run's priority, and the first of the next lower one. */
  first: number;
  end: number;
  share: string | null;
  requires: string | null;
}

export function placeOf(run: Run, spec: Partial<AgentSpec>): Place {
  // Its sign turned: the lower number starts first. Adding 0 makes -0 what it should be.
  const first = -(run.options.priority ?? 0) * TURNS + 0;
  const requires = requiredLabels(spec, run.options);
  return {
    first,
    end: first + TURNS,
    share: shareOf(run),
    requires: requires.length === 0 ? null : JSON.stringify(requires),
  };
}

function shareOf({ id, root_id, conversation_id, metadata }: Run): string | null {
  if (root_id !== id) return root_id;
  if (conversation_id !== id) return conversation_id;
  return typeof metadata["suite"] === "string" ? `suite:${metadata["suite"]}` : null;
}

/** Returns the rank of a run that joins the line now: the turn that is being served, or the one after its share's last. */
export function nextRank({ builder }: SqlDialect, { first, end, share }: Place): RawBuilder<number> {
  const queued = sql<boolean>`status = 'queued'`;
  const served = builder
    .selectFrom("runs")
    .select((eb) => eb.fn.min("rank").as("rank"))
    .where(queued)
    .where("rank", ">=", first)
    .where("rank", "<", end);
  const afterShare = builder
    .selectFrom("runs")
    .select((eb) => sql<number>`${eb.fn.max("rank")} + 1`.as("rank"))
    .where(queued)
    .where("share", "is not", null)
    .where("share", "=", share)
    .where("rank", ">=", first)
    .where("rank", "<", end);
  const own = sql`cast(${first} as bigint)`;
  return sql<number>`(select max(turn) from (select ${served} as turn union all select ${afterShare} union all select ${own}) as turns)`;
}
