// Runs a plan on a hub, several runs at once. Each case is reported as soon as its last run is judged, and then forgotten.
import { setMaxListeners } from "node:events";
import { setImmediate as immediate } from "node:timers/promises";
import { never } from "../../runtime/time/never.ts";
import { systemClock } from "../../runtime/time/system-clock.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Hub } from "../../core/ports/hub.ts";
import type { CheckServices } from "../check.ts";
import { createContests } from "../contest.ts";
import { createDifferential } from "../differential.ts";
import type { Plan } from "../plan.ts";
import type { Reporter } from "../reporter.ts";
import type { CaseResult, StopReason, Summary } from "../result.ts";
import { runAttempt, type AttemptDeps, type OnRun, type Recall } from "./attempt.ts";
import { createGarbageCollector } from "./collect-garbage.ts";
import { createSchedule, type Started } from "./schedule.ts";
import { createTally } from "./tally.ts";
import { troubleOf } from "./trouble.ts";

export interface RunSuiteOptions {
  services: CheckServices;
  reporters?: readonly Reporter[];
  /** Most runs in flight at once; the hub's own limits apply as well. */
  concurrency?: number;
  /** Finds earlier runs that take the place of new ones. */
  recall?: Recall;
  /** Whether the messages between hub and agents are recorded, for `onRun` to keep. */
  record?: boolean;
  onRun?: OnRun;
  /** The evaluation that runs are made for. */
  evaluationId?: string;
  /** Whether the first failed case stops the suite. */
  failFast?: boolean;
  /** Cost in US dollars after which no further run is started. */
  maxCostUsd?: number;
  /** Number of times that a run broken by infrastructure is tried again. */
  retries?: number;
  /** Completes the summary before reporters get it. */
  conclude?: (summary: Summary) => Promise<Summary> | Summary;
  clock?: Pick<Clock, "now">;
  /** Random number from 0 to 1, for the jitter of retries. */
  random?: () => number;
}

const DEFAULT_CONCURRENCY = 10;
const DEFAULT_RETRIES = 1;
/** Number of times that a run is tried again when its agent asks for fewer requests. */
const MAX_RATE_LIMITED = 20;
const MAX_CONCURRENCY = 1000;
const TURNS_PER_BREATH = 20;

/** When the signal fires, no further run is started and those in flight are cancelled; what had ended is kept. */
export async function runSuite(
  plan: Plan,
  hub: Hub,
  options: RunSuiteOptions,
  signal: AbortSignal = never,
): Promise<Summary> {
  const { reporters = [], clock = systemClock, random = Math.random } = options;
  const concurrency = Math.max(1, Math.min(options.concurrency ?? DEFAULT_CONCURRENCY, MAX_CONCURRENCY));
  const startedAt = clock.now();
  const tally = createTally(plan);
  const transports = createDifferential(plan);
  const contests = createContests(plan);
  const schedule = createSchedule(plan.cases);
  const halt = new AbortController();
  const stop = AbortSignal.any([signal, halt.signal]);
  // Every run in flight listens to it, in several places: many are no leak.
  setMaxListeners(0, stop);
  const { services, recall, onRun, record, evaluationId } = options;
  const deps: AttemptDeps = {
    hub,
    clock,
    services,
    signal: stop,
    differential: plan.differential === true,
    evidence: reporters.some(({ evidence }) => evidence === true),
    ...(record && { record }),
    ...(recall && { recall }),
    ...(onRun && { onRun }),
    ...(evaluationId !== undefined && { evaluationId }),
  };
  let stopped: StopReason | undefined;
  let broken: { error: unknown } | undefined;
  let inFlight = 0;
  let wake = (): void => undefined;
  let turns = 0;
  const collectGarbage = createGarbageCollector();

  function report(result: CaseResult): void {
    tally.caseEnded(result);
    contests.caseEnded(result);
    for (const reporter of reporters) reporter.caseEnded(result);
    if (result.outcome !== "fail" || options.failFast !== true) return;
    stopped ??= "fail-fast";
    halt.abort();
  }

  async function perform(started: Started): Promise<void> {
    const { caseRun, number, retried } = started;
    const { planned } = caseRun;
    if (caseRun.startedAt === undefined) {
      caseRun.startedAt = clock.now();
      for (const reporter of reporters) reporter.caseStarted?.(planned);
    }
    const made = await runAttempt(planned, number, deps);
    tally.spend(made);
    const trouble = made.source === "run" ? troubleOf(made, retried.length, random) : undefined;
    const tries = trouble?.rateLimited === true ? MAX_RATE_LIMITED : (options.retries ?? DEFAULT_RETRIES);
    if (trouble && retried.length < tries && !stop.aborted) {
      const until = clock.now() + trouble.delayMs;
      schedule.retry(started, [...retried, made.runId ?? ""], until);
      if (trouble.rateLimited) schedule.pause(started.lane, until);
      return;
    }
    const attempt = retried.length === 0 ? made : { ...made, retried: [...retried] };
    caseRun.take(attempt);
    schedule.ended(started);
    // What an interruption cut off is no result: the case counts as not run.
    if (stop.aborted && made.outcome === "unevaluated") return;
    tally.attemptEnded(attempt);
    for (const reporter of reporters) reporter.attemptEnded?.(planned, attempt);
    if (!caseRun.over) return;
    for (const result of transports.settle(caseRun.result(clock.now()))) report(result);
  }

  function launch(started: Started): void {
    inFlight += 1;
    void perform(started)
      .catch((error: unknown) => {
        // Only a reporter can break it.
        broken ??= { error };
        halt.abort();
      })
      .finally(() => {
        inFlight -= 1;
        wake();
      });
  }

  for (const reporter of reporters) reporter.start(plan);
  const onAbort = (): void => wake();
  stop.addEventListener("abort", onAbort);
  try {
    for (;;) {
      while (inFlight < concurrency && !stop.aborted && stopped === undefined) {
        if (options.maxCostUsd !== undefined && tally.costUsd >= options.maxCostUsd) {
          if (!schedule.empty) stopped = "max-cost";
          break;
        }
        const started = schedule.next(clock.now());
        if (!started) break;
        launch(started);
      }
      const finished = stop.aborted || stopped !== undefined || schedule.empty;
      if (finished && inFlight === 0) break;
      // Runs that are only recalled end in the same turn of the event loop: signals, timers and finalizers want theirs.
      if (++turns % TURNS_PER_BREATH === 0) {
        await immediate();
        collectGarbage();
        continue;
      }
      const due = finished ? undefined : schedule.nextDue();
      await new Promise<void>((resolve) => {
        const timer = due === undefined ? undefined : setTimeout(resolve, Math.max(1, due - clock.now()));
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  } finally {
    stop.removeEventListener("abort", onAbort);
  }
  if (broken) throw broken.error;
  if (signal.aborted) stopped = "interrupted";
  const counted = tally.summary({ stopped, durationMs: clock.now() - startedAt });
  const found = contests.results();
  const summary = found.length === 0 ? counted : { ...counted, contests: found };
  const concluded = (await options.conclude?.(summary)) ?? summary;
  for (const reporter of reporters) reporter.end(concluded);
  return concluded;
}
