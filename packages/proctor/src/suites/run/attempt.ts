// One run of a case on a hub: submit, wait for its end, judge it. Never throws: what goes wrong is a result.
import { unlessAborted } from "../../core/unless-aborted.ts";
import { messageOf } from "../../core/message-of.ts";
import type { AgentSpec } from "../../core/agent.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Hub } from "../../core/ports/hub.ts";
import type { RunEvent } from "../../core/event.ts";
import type { Run } from "../../core/run.ts";
import { isTerminal } from "../../core/run.ts";
import type { PlannedCase } from "../plan.ts";
import type { AttemptResult, AttemptSource } from "../result.ts";
import { substanceOf } from "../substance.ts";
import { collectEvidence } from "./collect-evidence.ts";
import { judge } from "./judge.ts";
import { placeNotes } from "./place-notes.ts";
import { MAX_HELD_EVENTS, subjectOf, type SubjectDeps } from "./subject.ts";

export interface AttemptDeps extends SubjectDeps {
  clock: Pick<Clock, "now">;
  /** Whether the run is compared with the same run over other transports. */
  differential?: boolean;
  /** Whether a reporter wants to see what each run did. */
  evidence?: boolean;
  /** Whether the messages between hub and agent are recorded. */
  record?: boolean;
  /** Finds an earlier run that takes the place of this one. */
  recall?: Recall;
  /** Called with each new run before it is reported. */
  onRun?: OnRun;
}

export type Recall = (planned: PlannedCase, number: number) => Promise<Recalled | undefined>;

/** An earlier run to grade again, an earlier result to reuse, or a recording that plays the agent. */
export type Recalled =
  | { source: Exclude<AttemptSource, "run">; runId: string }
  | { source: Exclude<AttemptSource, "run">; result: AttemptResult }
  | { source: Exclude<AttemptSource, "run">; agent: AgentSpec }
  | { source: Exclude<AttemptSource, "run">; missing: string };

export type OnRun = (made: { run: Run; planned: PlannedCase; number: number; hub: Hub }) => Promise<void>;

export async function runAttempt(
  planned: PlannedCase,
  number: number,
  deps: AttemptDeps,
): Promise<AttemptResult> {
  const startedAt = deps.clock.now();
  const took = (): number => deps.clock.now() - startedAt;
  const held: { runId?: string } = {};
  try {
    deps.signal.throwIfAborted();
    const recalled = await deps.recall?.(planned, number);
    if (recalled && "result" in recalled) return { ...recalled.result, number, source: recalled.source };
    if (recalled && "missing" in recalled) return notMade(number, recalled.missing, recalled.source);
    if (recalled && "runId" in recalled) {
      const run = await deps.hub.run(recalled.runId);
      const result = await resultOf(planned, number, run, deps);
      return { ...result, source: recalled.source, durationMs: durationOf(run) ?? took() };
    }
    held.runId = await submit(planned, number, recalled?.agent ?? planned.agent.target, deps);
    const { run, log } = await waitForEnd(held.runId, deps);
    await deps.onRun?.({ run, planned, number, hub: deps.hub });
    const result = await resultOf(planned, number, run, deps, log);
    return { ...result, source: recalled?.source ?? "run", durationMs: took() };
  } catch (error) {
    const { runId } = held;
    if (deps.signal.aborted && runId !== undefined) await cancel(runId, deps.hub);
    const reason = deps.signal.aborted ? "interrupted" : messageOf(error);
    return { ...notMade(number, reason, "run"), durationMs: took(), ...(runId !== undefined && { runId }) };
  }
}

function notMade(number: number, reason: string, source: AttemptSource): AttemptResult {
  return { number, outcome: "unevaluated", source, reason, checks: [], metrics: {}, durationMs: 0 };
}

async function resultOf(
  planned: PlannedCase,
  number: number,
  run: Run,
  deps: AttemptDeps,
  log?: readonly RunEvent[],
): Promise<AttemptResult> {
  const subject = subjectOf(run, planned.test.folder, deps, log);
  try {
    const judged = await judge(planned, subject);
    const notes = await placeNotes(subject.events());
    return {
      number,
      source: "run",
      ranAt: run.created_at,
      ...judged,
      ...(run.options?.environment?.kind === "local" && { isolated: false as const }),
      ...(notes.length > 0 && { notes }),
      ...(deps.differential === true && { substance: await substanceOf(run, subject.events()) }),
      ...(deps.evidence === true && { evidence: await collectEvidence(subject) }),
      durationMs: 0,
    };
  } finally {
    const { workspace, environment } = run.options ?? {};
    // What cannot be removed goes when its hub ends, or is swept when it starts.
    if (workspace?.hold === true || environment?.hold === true)
      await deps.hub.release(run.id).catch(() => undefined);
  }
}

async function submit(
  planned: PlannedCase,
  number: number,
  agent: string | AgentSpec,
  { hub, record }: AttemptDeps,
): Promise<string> {
  const { suite, test, constraints, options, runs, key } = planned;
  const hold = test.checks.some(({ needsWorkspace }) => needsWorkspace);
  const holdTerminal = test.checks.some(({ type }) => type === "verifier");
  const asked = {
    ...options,
    ...(hold && { workspace: { ...options.workspace, hold } }),
    ...(holdTerminal && { environment: { ...options.environment, hold: true } }),
    ...(record === true && { record }),
  };
  const { run } = await hub.submit({
    agent,
    task: test.task,
    constraints,
    ...(test.environment && { context: { environment: test.environment } }),
    ...(Object.keys(asked).length > 0 && { options: asked }),
    ...(key && { alias: runAlias(key.run, number) }),
    metadata: { ...test.metadata, suite: suite.name, test_id: test.id, run_number: number, total_runs: runs },
  });
  return run.id;
}

/** Names the run by its content, so that the cache finds it again. */
export function runAlias(key: string, number: number): string {
  return `case:${key}:${number}`;
}

/** Returns a short log with the run, because the checks read it next. */
async function waitForEnd(
  runId: string,
  { hub, signal }: AttemptDeps,
): Promise<{ run: Run; log?: RunEvent[] }> {
  const events = hub.follow(runId, -1, signal)[Symbol.asyncIterator]();
  const log: RunEvent[] = [];
  try {
    let next = await unlessAborted(events.next(), signal);
    while (!next.done) {
      if (log.length <= MAX_HELD_EVENTS) log.push(next.value);
      next = await unlessAborted(events.next(), signal);
    }
  } finally {
    // Not awaited: a stream that does not react to the signal must not hold us either.
    void events.return?.()?.catch(() => undefined);
  }
  const run = await hub.run(runId);
  if (!isTerminal(run.status))
    throw new Error(`the log of run ${runId} ended while the run was ${run.status}`);
  return log.length <= MAX_HELD_EVENTS ? { run, log } : { run };
}

function durationOf({ started_at, ended_at }: Run): number | undefined {
  return started_at === null || ended_at === null ? undefined : Date.parse(ended_at) - Date.parse(started_at);
}

async function cancel(runId: string, hub: Hub): Promise<void> {
  try {
    await hub.cancel(runId, "the suite was interrupted");
  } catch {
    // It ended by itself, or the hub is gone: either way there is nothing left to cancel.
  }
}
