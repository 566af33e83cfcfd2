// The desk, at which workers that have no access to the database get their work: a part of hubs whose database processes share.
import type { NewEvent, RunSecrets } from "../../core/ports/store.ts";
import type { WorkDesk } from "../../core/ports/work-desk.ts";
import type { DeskDeps } from "../../dispatch/desk/desk-deps.ts";
import { NO_DESK } from "../../dispatch/desk/no-desk.ts";
import { createWorkDesk } from "../../dispatch/desk/work-desk.ts";
import { nextAttempt } from "../../engine/new-run.ts";
import { shouldRetry } from "../../engine/retry.ts";
import type { EngineOptions } from "../../engine/engine.ts";
import type { TellPeople } from "../../engine/tell-people.ts";
import type { Config } from "../config/load-config.ts";
import type { OpenDispatch } from "./open-dispatch.ts";

interface OpenDeskDeps extends Omit<
  DeskDeps,
  "lent" | "agentConcurrency" | "artifactLimits" | "nextAttempt" | "onWritten"
> {
  dispatch: OpenDispatch;
  trees: EngineOptions["trees"];
  sweeper: EngineOptions["sweeper"];
  people: Pick<TellPeople, "asked">;
}

/** Milliseconds for which a worker may put off the next attempt at most. */
const MAX_DELAY_MS = 24 * 3_600_000;

export function openDesk(config: Config, { dispatch, sweeper, people, ...deps }: OpenDeskDeps): WorkDesk {
  const { lent } = dispatch;
  if (lent === undefined) return NO_DESK;
  const { clock, trees } = deps;
  return createWorkDesk({
    ...deps,
    lent,
    agentConcurrency: config.agentConcurrency,
    artifactLimits: config.artifactLimits,
    nextAttempt(failed, ended, notBefore) {
      if (!mayRetry(failed, ended)) return undefined;
      const now = clock.now();
      return nextAttempt(failed, Math.min(Math.max(0, notBefore - now), MAX_DELAY_MS), now);
    },
    // What the engine does for runs of its own process.
    onWritten(run, events) {
      trees.joined(run);
      trees.spent(run, () => Promise.resolve());
      for (const { draft } of events) {
        if (draft.type === "question.asked") people.asked(run.id, draft.payload.question);
        if (draft.type === "session.parked") sweeper.look();
      }
    },
  });
}

function mayRetry({ run }: RunSecrets, { draft }: NewEvent): boolean {
  if (draft.type !== "run.ended") return false;
  return shouldRetry(run.retry, run.attempt, draft.payload.status, draft.payload.failure);
}
