// A run between its rows and the fold: what never changes is read from `run.created`, the rest from `progress`.
import type { AgentSpec } from "../../core/agent.ts";
import type { Artifact } from "../../core/artifact.ts";
import type { PlatformEventPayloads } from "../../core/event.ts";
import { applyEvent, type RunState } from "../../core/fold.ts";
import type { TalkState } from "../../core/fold-talk.ts";
import type { Metrics } from "../../core/metrics.ts";
import type { Run } from "../../core/run.ts";

/** A run as operations work on it. */
export interface RunRecord {
  state: RunState;
  spec: AgentSpec;
  nextSequence: number;
  fence: number;
  worker: string | null;
  /** Characters that the record holds, roughly. */
  weight: number;
}

/** Columns that are read of a run. */
export interface RunRow {
  id: string;
  created_at: number;
  next_sequence: number;
  fence: number;
  worker: string | null;
  artifact_count: number;
  progress: string;
  /** The payload of the run's `run.created`. */
  created: string;
}

type FixedField =
  | "id"
  | "agent"
  | "task"
  | "constraints"
  | "context"
  | "metadata"
  | "options"
  | "alias"
  | "retry"
  | "attempt"
  | "retry_of"
  | "conversation_id"
  | "follows"
  | "parent_id"
  | "root_id"
  | "trace_id"
  | "parent_span_id"
  | "created_at";

interface Progress {
  run: Omit<Run, FixedField | "artifacts" | "questions"> & Partial<Pick<Run, "questions">>;
  openCalls: string[];
  talk?: TalkState;
}

export function encodeProgress({ run, openCalls, talk }: RunState): string {
  const { status, retried_as, started_at, ended_at, metrics, failure, extensions, violations } = run;
  const changing = { status, retried_as, started_at, ended_at, metrics, failure, extensions, violations };
  if (talk === undefined) return JSON.stringify({ run: changing, openCalls } satisfies Progress);
  const { questions } = run;
  return JSON.stringify({ run: { ...changing, questions }, openCalls, talk } satisfies Progress);
}

export function decodeRunRow(row: RunRow, artifactPayloads: readonly string[]): RunRecord {
  // Both texts were written by this module and its neighbours from typed values.
  const payload = JSON.parse(row.created) as PlatformEventPayloads["run.created"];
  const progress = JSON.parse(row.progress) as Progress;
  const { run } = applyEvent(null, row.id, { type: "run.created", payload }, row.created_at);
  return {
    state: {
      run: { ...run, ...progress.run, artifacts: artifactPayloads.map(decodeArtifact) },
      openCalls: progress.openCalls,
      ...(progress.talk && { talk: progress.talk }),
    },
    spec: payload.spec,
    nextSequence: row.next_sequence,
    fence: row.fence,
    worker: row.worker,
    weight: artifactPayloads.reduce((sum, text) => sum + text.length, row.created.length),
  };
}

/** Returns what a run has used, from its row's `progress`. */
export function decodeMetrics(progress: string): Metrics {
  return (JSON.parse(progress) as Progress).run.metrics;
}

/** Returns the artifact in the payload of an `artifact.added`. */
export function decodeArtifact(payload: string): Artifact {
  return (JSON.parse(payload) as PlatformEventPayloads["artifact.added"]).artifact;
}

export function epochMs(time: string | null): number | null {
  return time === null ? null : Date.parse(time);
}
