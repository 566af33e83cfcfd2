// Takes queued runs under the limits and keeps them in flight until they end. Owns scheduling and control; what happens
// inside a run is attempt.ts.
import { failure } from "../core/failure.ts";
import type { AgentSpec } from "../core/agent.ts";
import type { Talks } from "../core/ports/driver.ts";
import type { ClaimedRun } from "../core/ports/store.ts";
import type { Redactor } from "../core/redact.ts";
import { waitAtMost } from "../core/wait-at-most.ts";
import { startAttempt, type Attempt, type AttemptDeps } from "./attempt.ts";
import { recoverRuns } from "./recover.ts";
import type { StopCause } from "./stopper.ts";
import { createSweeper } from "./sweeper.ts";
import { createTreeLimits } from "./tree-limits.ts";

export interface EngineOptions extends AttemptDeps {
  /** Names this process in `run.started`. */
  worker: string;
  /** How many runs may be in flight at once; 0 accepts runs and starts none. */
  concurrency: number;
  /** How many runs of one agent may be in flight at once, where its spec does not say. */
  agentConcurrency: number;
  /** Other workers use the same store: what they have in flight is left alone while they are alive. */
  shared?: boolean;
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
  /** Hides the secrets of a run that is in flight in this process; undefined for any other run. */
  redactorOf(runId: string): Redactor | undefined;
  has(runId: string): boolean;
  /** What can be said to an agent, and what it may ask. */
  talksOf(spec: AgentSpec): Talks;
  readonly active: number;
  /** Takes no more runs, lets those in flight end for `graceMs`, then stops them. Resolves when all are written. */
  stop(graceMs: number): Promise<void>;
}

interface Flight {
  agent: string;
  attempt: Attempt;
  /** True when the agent is gone: the run no longer counts, so that the next one starts in the commit that ends this one. */
  released: boolean;
  /** True while the run waits for an answer: others may have its place. */
  waits: boolean;
  /** Its work is other runs, which have places of their own. */
  coordinates: boolean;
}

/** How long a worker counts as alive after it said so, and how long before that it says so again. */
const LEASE_MS = 30_000;
const RENEW_BEFORE_MS = 20_000;

/** Milliseconds after which a worker among others looks for runs, whether or not it was told of one. */
const LOOK_MS = 2000;

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
  let callOffBeat = (): void => undefined;
  let aliveUntil = 0;
  /** What others wrote to runs that are being claimed at this moment. */
  const early = new Map<string, [lastSequence: number, appended: number][]>();
  let claiming = false;
  const trees = createTreeLimits(options);
  const sweeper = createSweeper({ ...options, onQueued: wake });
  const unwatch = store.watch((runId, lastSequence, appended, _ended, byOwner, events) => {
    if (byOwner || appended === 0) return;
    const flight = flights.get(runId);
    if (flight) flight.attempt.mail(lastSequence, appended, events);
    else if (claiming) early.set(runId, [...(early.get(runId) ?? []), [lastSequence, appended]]);
    // Somebody else may have created it.
    if (options.shared === true && lastSequence < appended) wake();
  });

  /** Says that this worker is alive, while it has runs in flight. */
  function beat(): void {
    callOffBeat();
    const now = clock.now();
    if (aliveUntil - now < RENEW_BEFORE_MS) {
      aliveUntil = now + LEASE_MS;
      store.renew(options.worker, aliveUntil).catch((error: unknown) => options.report(error, ""));
    }
    callOffBeat = clock.after(LEASE_MS - RENEW_BEFORE_MS, () => {
      if (flights.size > 0) beat();
    });
  }

  function inFlight(): Record<string, number> {
    // No prototype: an agent may be called "constructor".
    const counts = Object.create(null) as Record<string, number>;
    for (const { agent, released, waits, coordinates } of flights.values()) {
      if (!released && !waits && !coordinates) counts[agent] = (counts[agent] ?? 0) + 1;
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
    claiming = true;
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
      const dueMs = nextDueAt === null ? Infinity : nextDueAt - clock.now();
      const waitMs = options.shared === true ? Math.min(dueMs, LOOK_MS) : dueMs;
      if (waitMs !== Infinity) wakeAfter(waitMs);
    } catch (error) {
      options.report(error, "");
      wakeAfter(CLAIM_RETRY_MS);
    } finally {
      claiming = false;
      early.clear();
    }
  }

  function launch(claimed: ClaimedRun): void {
    const { id, agent } = claimed.run;
    expected.delete(id);
    trees.joined(claimed.run);
    const flight: Flight = {
      agent,
      attempt: startAttempt(options, claimed, {
        onReleased() {
          flight.released = true;
          wake();
        },
        onWaiting(waits) {
          flight.waits = waits;
          if (waits) wake();
        },
        onSpent: (written) => trees.spent(claimed.run, written),
        usedUp: () => trees.usedUp(claimed.run),
      }),
      released: false,
      waits: false,
      coordinates: options.drivers(claimed.spec).coordinates === true,
    };
    flights.set(id, flight);
    if (flights.size === 1) beat();
    for (const mail of early.get(id) ?? []) flight.attempt.mail(...mail);
    void flight.attempt.done.then(({ successor, parked }) => {
      flights.delete(id);
      // What a run says of itself at its end counts as well.
      trees.spent(claimed.run, () => Promise.resolve());
      if (flights.size === 0) callOffBeat();
      if (parked) sweeper.look();
      // A parked run is still this process's own.
      if (options.ownRunsOnly && parked) expected.add(id);
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

  async function settled(some: Iterable<Flight> = flights.values()): Promise<void> {
    await Promise.all([...some].map(({ attempt }) => attempt.done));
  }

  return {
    async start() {
      const closed = await recoverRuns(options);
      running = true;
      sweeper.look();
      wake();
      return closed;
    },
    wake,
    expect(runId) {
      if (options.ownRunsOnly) expected.add(runId);
    },
    redactorOf: (runId) => flights.get(runId)?.attempt.redactor,
    talksOf: (spec) => options.drivers(spec).talks ?? {},
    has: (runId) => flights.has(runId),
    get active() {
      return flights.size;
    },
    async stop(graceMs) {
      running = false;
      callOffTimer();
      sweeper.close();
      trees.close();
      await pumping;
      // Half of the time to end by themselves, half after they were asked to.
      const others = [...flights.values()].filter(({ coordinates }) => !coordinates);
      if (others.length > 0 && graceMs > 0) await waitAtMost(clock, graceMs / 2, settled(others));
      for (const { attempt, coordinates } of flights.values()) {
        if (coordinates) attempt.leave();
        else attempt.stop(shutdown(), Math.max(1, graceMs / 2));
      }
      await settled();
      callOffBeat();
      unwatch();
    },
  };
}

function shutdown(): StopCause {
  return {
    status: "failed",
    failure: failure("INTERRUPTED", "the hub was stopped while the run was in flight"),
  };
}
