// Takes queued runs under the limits and keeps them in flight until they end. Owns scheduling and control; what happens
// inside a run is attempt.ts.
import { failure } from "../core/failure.ts";
import type { ClaimedRun } from "../core/ports/store.ts";
import { waitAtMost } from "../core/wait-at-most.ts";
import { startAttempt, type Attempt, type AttemptDeps } from "./attempt.ts";
import { recoverRuns } from "./recover.ts";
import type { StopCause } from "./stopper.ts";

export interface EngineOptions extends AttemptDeps {
  /** Names this process in `run.started`. */
  worker: string;
  /** How many runs may be in flight at once; 0 accepts runs and starts none. */
  concurrency: number;
  /** How many runs of one agent may be in flight at once, where its spec does not say. */
  agentConcurrency: number;
  /** Takes only runs announced with `expect`, not whatever else is queued. */
  ownRunsOnly?: boolean;
}

export interface Engine {
  /** Closes what a crash left in flight, then starts taking runs. Returns how many were closed. */
  start(): Promise<number>;
  /** Looks for waiting runs; call it when there may be one. */
  wake(): void;
  /** Marks a run as this process's own, which `ownRunsOnly` needs. */
  expect(runId: string): void;
  /** Stops a run that is in flight in this process, and returns whether it is; so do `pause` and `resume`. */
  cancel(runId: string, reason: string): boolean;
  pause(runId: string): boolean;
  resume(runId: string): boolean;
  /** The text without the secrets of a run that is in flight in this process; unchanged for any other run. */
  redact(runId: string, text: string): string;
  has(runId: string): boolean;
  readonly active: number;
  /** Takes no more runs, lets those in flight end for `graceMs`, then stops them. Resolves when all are written. */
  stop(graceMs: number): Promise<void>;
}

interface Flight {
  agent: string;
  attempt: Attempt;
  /** True when the agent is gone: the run no longer counts, so that the next one starts in the commit that ends this one. */
  released: boolean;
}

/** How long to wait after the store refused a claim. */
const CLAIM_RETRY_MS = 1000;

export function createEngine(options: EngineOptions): Engine {
  const { store, clock } = options;
  const flights = new Map<string, Flight>();
  const expected = new Set<string>();
  let running = false;
  let pumping: Promise<void> | undefined;
  let wanted = false;
  let callOffTimer = (): void => undefined;

  function inFlight(): Record<string, number> {
    // No prototype: an agent may be called "constructor".
    const counts = Object.create(null) as Record<string, number>;
    for (const { agent, released } of flights.values()) {
      if (!released) counts[agent] = (counts[agent] ?? 0) + 1;
    }
    return counts;
  }

  /** Claims one at a time; a call of `wake` meanwhile causes the next. */
  async function pump(): Promise<void> {
    while (isWanted()) await claim();
    pumping = undefined;
  }

  function isWanted(): boolean {
    const yes = wanted && running;
    wanted = false;
    return yes;
  }

  async function claim(): Promise<void> {
    const counts = inFlight();
    const limit = options.concurrency - Object.values(counts).reduce((sum, count) => sum + count, 0);
    if (limit <= 0 || (options.ownRunsOnly && expected.size === 0)) return;
    try {
      const { claimed, nextDueAt } = await store.claimRuns({
        worker: options.worker,
        limit,
        now: clock.now(),
        agentLimit: options.agentConcurrency,
        inFlight: counts,
        ...(options.ownRunsOnly && { only: [...expected] }),
      });
      for (const run of claimed) launch(run);
      if (nextDueAt !== null) wakeAfter(nextDueAt - clock.now());
    } catch (error) {
      options.report(error, "");
      wakeAfter(CLAIM_RETRY_MS);
    }
  }

  function launch(claimed: ClaimedRun): void {
    const { id, agent } = claimed.run;
    expected.delete(id);
    const attempt = startAttempt(options, claimed, () => {
      const flight = flights.get(id);
      if (flight) flight.released = true;
      wake();
    });
    flights.set(id, { agent, attempt, released: false });
    void attempt.done.then(({ successor }) => {
      flights.delete(id);
      if (options.ownRunsOnly && successor !== null) expected.add(successor);
      wake();
    });
  }

  function wakeAfter(delayMs: number): void {
    callOffTimer();
    callOffTimer = clock.after(Math.max(1, delayMs), wake);
  }

  function wake(): void {
    wanted = true;
    if (running) pumping ??= pump();
  }

  function act(runId: string, action: (attempt: Attempt) => void): boolean {
    const flight = flights.get(runId);
    if (flight) action(flight.attempt);
    return flight !== undefined;
  }

  async function settled(): Promise<void> {
    await Promise.all([...flights.values()].map(({ attempt }) => attempt.done));
  }

  return {
    async start() {
      const closed = await recoverRuns(options);
      running = true;
      wake();
      return closed;
    },
    wake,
    expect(runId) {
      if (options.ownRunsOnly) expected.add(runId);
    },
    cancel: (runId, reason) => act(runId, (attempt) => attempt.stop(cancelled(reason))),
    pause: (runId) => act(runId, (attempt) => attempt.pause()),
    resume: (runId) => act(runId, (attempt) => attempt.resume()),
    redact: (runId, text) => flights.get(runId)?.attempt.redact(text) ?? text,
    has: (runId) => flights.has(runId),
    get active() {
      return flights.size;
    },
    async stop(graceMs) {
      running = false;
      callOffTimer();
      await pumping;
      // Half of the time to end by themselves, half after they were asked to.
      if (flights.size > 0 && graceMs > 0) await waitAtMost(clock, graceMs / 2, settled());
      for (const { attempt } of flights.values()) attempt.stop(shutdown(), Math.max(1, graceMs / 2));
      await settled();
    },
  };
}

function cancelled(reason: string): StopCause {
  return { status: "cancelled", failure: failure("CANCELLED", reason) };
}

function shutdown(): StopCause {
  return {
    status: "failed",
    failure: failure("INTERRUPTED", "the hub was stopped while the run was in flight"),
  };
}
