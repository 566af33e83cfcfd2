// A run as the dashboard's pages read it: the document of the API as far as the suite knows it, what was said, what happened, and the texts of its artifacts.
import type { Artifact } from "../../../core/artifact.ts";
import { createMessageFold } from "../../../core/fold-messages.ts";
import { possibleMetrics } from "../../../core/metrics.ts";
import type { Run } from "../../../core/run.ts";
import { shorten } from "../../../core/shorten.ts";
import type { EvidenceArtifact } from "../../evidence.ts";
import type { PlannedCase } from "../../plan.ts";
import type { AttemptResult } from "../../result.ts";
import { packEvents } from "./pack-events.ts";
import type { PackedRun } from "./report-documents.ts";

const TASK_CHARACTERS = 20_000;

/** `id` is that of the run, or one that no other run of the case has. */
export function packRun(planned: PlannedCase, attempt: AttemptResult, id: string): PackedRun {
  const { evidence } = attempt;
  const artifacts = (evidence?.artifacts ?? []).map(artifactOf);
  const run = runOf(planned, attempt, id, artifacts);
  const texts = (evidence?.artifacts ?? []).flatMap(({ text }, at) =>
    text === undefined ? [] : [[artifacts[at]?.id ?? "", text] as const],
  );
  return {
    run,
    messages: evidence?.messages ?? createMessageFold(id).messages(run),
    ...(evidence && { events: packEvents(evidence.events) }),
    contents: Object.fromEntries(texts),
  };
}

function runOf(planned: PlannedCase, attempt: AttemptResult, id: string, artifacts: Artifact[]): Run {
  const { status, ranAt, durationMs, metrics, failure, evidence, number } = attempt;
  const startedAt = ranAt ?? new Date(0).toISOString();
  const endedAt = new Date(Date.parse(startedAt) + Math.max(0, durationMs)).toISOString();
  return {
    id,
    agent: planned.agent.label,
    // Without a status the hub did not take the run, or lost it.
    status: status ?? "failed",
    task: { description: shorten(planned.test.task.description, TASK_CHARACTERS) },
    constraints: planned.constraints,
    context: {},
    metadata: {},
    options: {},
    alias: null,
    retry: null,
    attempt: number,
    retry_of: null,
    retried_as: null,
    conversation_id: attempt.thread?.conversation_id ?? id,
    follows: null,
    parent_id: null,
    root_id: id,
    questions: [],
    trace_id: "",
    parent_span_id: null,
    created_at: startedAt,
    started_at: startedAt,
    ended_at: endedAt,
    metrics: possibleMetrics(metrics),
    artifacts,
    failure: failure ?? null,
    extensions: null,
    violations: evidence?.violations ?? [],
  };
}

function artifactOf(evidence: EvidenceArtifact, at: number): Artifact {
  const { name, type, content_type, size_bytes, content_hash, text, data, cut } = evidence;
  const stored = {
    id: String(at + 1),
    ...(content_type !== undefined && { content_type }),
    ...(size_bytes !== undefined && { size_bytes }),
    ...(content_hash !== undefined && { content_hash }),
    ...omission(content_hash !== undefined && text === undefined, cut === true),
  };
  if (type !== "structured") return { ...stored, type, path: name };
  return { ...stored, type, name, ...(data !== undefined && { data }) };
}

function omission(isMissing: boolean, isCut: boolean): Pick<Artifact, "omitted"> {
  if (isMissing) return { omitted: "Not text: the hub has its bytes, this report has not." };
  return isCut ? { omitted: "Only its beginning is in this report." } : {};
}
