// One run of a case on a hub: submit, wait for its end, evaluate the checks. Never throws: what goes wrong is a result.
import type { Artifact } from "../core/artifact.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { Hub } from "../core/ports/hub.ts";
import type { RunEvent } from "../core/event.ts";
import type { Run } from "../core/run.ts";
import { isTerminal } from "../core/run.ts";
import type { CheckSubject } from "./check.ts";
import type { PlannedCase } from "./plan.ts";
import type { AttemptResult, CheckResult } from "./result.ts";
import { substanceOf } from "./substance.ts";
import { combineOutcomes } from "./verdict.ts";
import type { Outcome } from "./verdict.ts";

const PAGE = 500;
const MAX_ARTIFACT_BYTES = 32 * 1024 * 1024;
/** Ends that are nobody's verdict about the agent: somebody or something stopped the run. */
const NOT_THE_AGENT = new Set(["INTERRUPTED", "SECRETS_LOST", "CANCELLED"]);

export interface AttemptTools {
  hub: Hub;
  clock: Pick<Clock, "now">;
  signal: AbortSignal;
  /** The run will be compared with those of other transports. */
  differential?: boolean;
}

export async function runAttempt(
  planned: PlannedCase,
  number: number,
  tools: AttemptTools,
): Promise<AttemptResult> {
  const startedAt = tools.clock.now();
  const done = (result: Omit<AttemptResult, "number" | "durationMs">): AttemptResult => ({
    number,
    ...result,
    durationMs: tools.clock.now() - startedAt,
  });
  let runId: string | undefined;
  try {
    tools.signal.throwIfAborted();
    runId = await submit(planned, number, tools.hub);
    const run = await waitForEnd(runId, tools);
    const judged = await judge(planned, run, tools.hub);
    if (tools.differential !== true) return done(judged);
    return done({ ...judged, substance: await substanceOf(run, readLog(run.id, tools.hub)) });
  } catch (error) {
    if (tools.signal.aborted && runId !== undefined) await cancel(runId, tools.hub);
    const reason = tools.signal.aborted ? "interrupted" : messageOf(error);
    return done({ outcome: "unevaluated", reason, checks: [], ...(runId !== undefined && { runId }) });
  }
}

async function submit(
  { suite, test, agent, constraints, options, runs }: PlannedCase,
  number: number,
  hub: Hub,
): Promise<string> {
  const { run } = await hub.submit({
    agent: agent.target,
    task: test.task,
    constraints,
    ...(test.environment && { context: { environment: test.environment } }),
    ...(Object.keys(options).length > 0 && { options }),
    metadata: { suite: suite.name, test_id: test.id, run_number: number, total_runs: runs },
  });
  return run.id;
}

async function waitForEnd(runId: string, { hub, signal }: AttemptTools): Promise<Run> {
  const events = hub.follow(runId, -1, signal)[Symbol.asyncIterator]();
  try {
    let next = await abortable(events.next(), signal);
    while (!next.done) next = await abortable(events.next(), signal);
  } finally {
    // Not awaited: a stream that does not react to the signal must not hold us either.
    void events.return?.()?.catch(() => undefined);
  }
  const run = await hub.run(runId);
  if (!isTerminal(run.status))
    throw new Error(`the log of run ${runId} ended while the run was ${run.status}`);
  return run;
}

async function judge(
  planned: PlannedCase,
  run: Run,
  hub: Hub,
): Promise<Omit<AttemptResult, "number" | "durationMs">> {
  const base = { runId: run.id, status: run.status, ...(run.failure && { failure: run.failure }) };
  const judged = run.status === "completed" || run.status === "partial";
  const checks = judged ? await evaluate(planned, subjectOf(run, hub)) : [];
  const outcomes: Outcome[] = checks.map(({ verdict }) => verdict.outcome);
  if (run.status === "completed") return { ...base, outcome: combineOutcomes(outcomes), checks };

  const stopped = run.status === "cancelled" || NOT_THE_AGENT.has(run.failure?.code ?? "");
  const outcome = combineOutcomes([...outcomes, stopped ? "unevaluated" : "fail"]);
  const failure = run.failure ? `: ${run.failure.code}: ${run.failure.message}` : "";
  return { ...base, outcome, reason: `the run ended as ${run.status}${failure}`, checks };
}

async function evaluate({ test }: PlannedCase, subject: CheckSubject): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const { type, critical, line, col, evaluate } of test.checks) {
    results.push({ type, critical, line, col, verdict: await evaluate(subject) });
  }
  return results;
}

function subjectOf(run: Run, hub: Hub): CheckSubject {
  return {
    run,
    events: () => readLog(run.id, hub),
    readArtifact: (artifact) => readBytes(run.id, artifact, hub),
  };
}

async function* readLog(runId: string, hub: Hub): AsyncGenerator<RunEvent> {
  let after = -1;
  for (;;) {
    const page = await hub.events(runId, { after, limit: PAGE });
    yield* page;
    const last = page.at(-1);
    if (!last) return;
    after = last.sequence;
  }
}

async function readBytes(runId: string, artifact: Artifact, hub: Hub): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of await hub.readArtifact(runId, artifact.id)) {
    size += chunk.byteLength;
    if (size > MAX_ARTIFACT_BYTES) throw new Error("it is larger than 32 MB");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function cancel(runId: string, hub: Hub): Promise<void> {
  try {
    await hub.cancel(runId, "the suite was interrupted");
  } catch {
    // It ended by itself, or the hub is gone: either way there is nothing left to cancel.
  }
}

/** Rejects as soon as the signal fires, whatever the promise does. */
async function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(new Error("interrupted"));
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
