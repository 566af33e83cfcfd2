// The runs of an earlier conversation, from its last one: each names the run that it follows.
import type { Hub } from "../../core/ports/hub.ts";
import type { Run } from "../../core/run.ts";
import type { PlayedTurn } from "./follow-turn.ts";

const MAX_TURNS = 1000;

/** Resolves with the turns, oldest first. Throws when one of them is gone. */
export async function loadTurns(lastRunId: string, hub: Hub): Promise<PlayedTurn[]> {
  const runs: Run[] = [];
  for (let next: string | null = lastRunId; next !== null && runs.length < MAX_TURNS;) {
    const run: Run = await hub.run(next);
    runs.unshift(run);
    next = run.follows;
  }
  return runs.map((run) => ({ run, workedMs: 0 }));
}
