// Takes queued runs under the limits and keeps them in flight until they end. Owns scheduling and control; what happens
// inside a run is attempt.ts.
import { failure } from "../core/failure.ts";
import type { AgentSpec } from "../core/agent.ts";
import type { Talks } from "../core/ports/driver.ts";
import type { Delivery, Dispatcher } from "../core/ports/dispatcher.ts";
import type { RunBlobs, RunStore } from "../core/ports/run-store.ts";
import type { ClaimedRun, Store } from "../core/ports/store.ts";
import type { TreeLimits } from "../core/ports/tree-limits.ts";
import type { Redactor } from "../core/redact.ts";
import { waitAtMost } from "../core/wait-at-most.ts";
import { startAttempt, type Attempt, type AttemptDeps } from "./attempt.ts";
import { createHeartbeat } from "./heartbeat.ts";
import { concludeRedelivered } from "./recover.ts";
import type { StopCause } from "./stopper.ts";
import type { Sweeper } from "./sweeper.ts";

export interface EngineOptions extends Omit<AttemptDeps, "store" | "blobs"> {
  /** Returns the store and the blobs that a run held by this process uses. */
  partsOf: (claimed: ClaimedRun) => { store: RunStore; blobs: RunBlobs };
  /** Calls back after each commit to a log, as far as this process learns of it. */
  watch: Store["watch"];
  trees: TreeLimits;
  /** Handles questions of runs without an owner; it is asked to look where a run may have been parked. */
  sweeper: Sweeper;
  /** Decides which runs this process carries out. */
  dispatcher: Dispatcher;
  /** Runs that may be in flight at once; 0 accepts runs and starts none. */
  concurrency: number;
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
  /** Returns which messages an agent takes, and which questions it may ask. */
  talksOf(spec: AgentSpec): Talks;
  readonly active: number;
  /** Takes no more runs, and continues those in flight. */
  drain(): void;
  /** Takes no more runs, lets those in flight end for `graceMs`, then stops them. Resolves when all are written. */
  stop(graceMs: number): Promise<void>;
}

interface Flight {
  delivery: Delivery;
  agent: string;
  attempt: Attempt;
  /** Whether the agent is gone: the run no longer counts, so that the next one starts in the commit that ends this one. */
  released: boolean;
  /** Whether the run waits for an answer: others may have its slot. */
  waits: boolean;
  /** Whether the run's work is other runs, which have slots of their own. */
  coordinates: boolean;
}

/** Milliseconds to wait after the store refused a claim. */
const CLAIM_RETRY_MS = 1000;

export function createEngine(options: EngineOptions): Engine {
  const { clock, dispatcher, trees, sweeper } = options;
  const flights = new Map<string, Flight>();
  const expected = new Set<string>();
  let running = false;
  let pumping: Promise<void> | undefined;
  let wanted = false;
  let callOffTimer = (): void => undefined;
  /** What others wrote to runs that are being claimed at this moment. */
  const early = new Map<string, [lastSequence: number, appended: number][]>();
  let claiming = false;
  const unwatch = options.watch((runId, lastSequence, appended, _ended, byOwner, events) => {
    if (appended === 0) return;
    if (byOwner) return flights.get(runId)?.attempt.wrote(lastSequence, appended);
    const flight = flights.get(runId);
    if (flight) flight.attempt.mail(lastSequence, appended, events);
    else if (claiming) early.set(runId, [...(early.get(runId) ?? []), [lastSequence, appended]]);
  });

  const unwatchDispatcher = dispatcher.watch((runIds) => {
    for (const runId of runIds) flights.get(runId)?.attempt.look();
    wake();
  });
  const heartbeat = createHeartbeat({
    ...options,
    held: () => [...flights.values()].map(({ delivery }) => delivery),
    onLost: ({ claimed }) => flights.get(claimed.run.id)?.attempt.lose(),
  });

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
    const taken = Object.values(counts).reduce((sum, count) => sum + count, 0);
    // Without room, the runs of dead workers are still concluded.
    const isFull = options.room?.full() !== undefined;
    const limit = isFull ? 0 : Math.max(0, options.concurrency - taken);
    if (options.ownRunsOnly && (limit === 0 || expected.size === 0)) return;
    claiming = true;
    try {
      const only = options.ownRunsOnly ? { only: [...expected] } : {};
      const { deliveries, nextDueAt } = await dispatcher.claim({ limit, inFlight: counts, ...only });
      for (const delivery of deliveries) take(delivery);
      if (nextDueAt !== null) wakeAfter(nextDueAt - clock.now());
    } catch (error) {
      options.report(error, "");
      wakeAfter(CLAIM_RETRY_MS);
    } finally {
      claiming = false;
      early.clear();
    }
  }

  function take(delivery: Delivery): void {
    const { run } = delivery.claimed;
    const trouble = (problem: unknown): void => options.report(problem, run.id);
    if (delivery.redelivered) {
      // The run may be one of this process's own, given away while it slept.
      flights.get(run.id)?.attempt.lose();
      void conclude(delivery).then(wake, trouble);
    } else if (running || options.ownRunsOnly) launch(delivery);
    // The process is stopping: nothing was done with the run yet, and another process may have it.
    else void dispatcher.release(delivery).catch(trouble);
  }

  async function conclude({ claimed }: Delivery): Promise<void> {
    const { store } = options.partsOf(claimed);
    const successor = await concludeRedelivered({ ...options, store }, claimed);
    if (options.ownRunsOnly && successor !== null && expected.has(claimed.run.id)) expected.add(successor);
  }

  /** Concludes what earlier processes left; resolves with the number of runs. */
  async function concludeLeft(): Promise<number> {
    for (let closed = 0; ;) {
      const { deliveries } = await dispatcher.claim({ limit: 0, inFlight: {} });
      if (deliveries.length === 0) return closed;
      await Promise.all(deliveries.map(conclude));
      closed += deliveries.length;
    }
  }

  function launch(delivery: Delivery): void {
    const { claimed } = delivery;
    const { id, agent } = claimed.run;
    expected.delete(id);
    trees.joined(claimed.run);
    const flight: Flight = {
      delivery,
      agent,
      attempt: startAttempt({ ...options, ...options.partsOf(claimed) }, claimed, {
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
    heartbeat.start();
    for (const mail of early.get(id) ?? []) flight.attempt.mail(...mail);
    void flight.attempt.done.then(({ successor, parked }) => {
      flights.delete(id);
      // What a run reports at its end counts as well.
      trees.spent(claimed.run, () => Promise.resolve());
      if (flights.size === 0) heartbeat.stop();
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
      const closed = await concludeLeft();
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
    drain() {
      running = false;
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
      heartbeat.stop();
      unwatch();
      unwatchDispatcher();
      await dispatcher.close();
    },
  };
}

function shutdown(): StopCause {
  return {
    status: "failed",
    failure: failure("INTERRUPTED", "the hub was stopped while the run was in flight"),
  };
}
