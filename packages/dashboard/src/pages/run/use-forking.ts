// Where a run can be forked, and the forks that it has.
import { useEffect } from "preact/hooks";
import type { ForkPoint, Run } from "../../api/gen/schema.ts";
import { hub } from "../../api/hub.ts";
import { soonAfterEvents } from "../../state/soon-after-events.ts";
import { useLoad } from "../../state/use-load.ts";
import { forkedFrom } from "./forked-from.ts";

/** Number of runs of the conversation that are searched for forks, which belong to the conversation of their run. */
const MOST_RUNS = 200;

interface Forking {
  points: readonly ForkPoint[];
  /** Forks of the run, newest first. */
  forks: readonly Run[];
  /** Whether the run can be forked after this event. */
  isPoint: (sequence: number | null) => boolean;
}

export function useForking(run: Run): Forking {
  const ended = run.ended_at ?? "";
  const points =
    useLoad(`fork points ${run.id} ${ended}`, (signal) => hub.forkPoints(run.id, signal)).value?.points ?? [];
  const runs = useLoad(`forks ${run.id}`, (signal) =>
    hub.runs({ conversation: run.conversation_id, limit: MOST_RUNS }, signal),
  );
  useEffect(
    () =>
      soonAfterEvents(
        runs.reload,
        ({ type, payload }) => type === "run.created" && payload["conversation_id"] === run.conversation_id,
      ),
    [run.id],
  );
  const places = new Set(points.flatMap((point) => (point.kind === "message" ? [point.sequence] : [])));
  return {
    points,
    forks: runs.value?.items.filter((one) => forkedFrom(one)?.runId === run.id) ?? [],
    isPoint: (sequence) => sequence !== null && places.has(sequence),
  };
}
