// The connection of a worker without the database to its hub: the runs that it holds, with their tickets, and requests about them. A
// request about a run is repeated while the hub is away, for as long as the run can still be this worker's own; the hub takes care that
// nothing is done twice.
import { ProctorError } from "../../core/errors.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { CommitListener } from "../../core/ports/store.ts";
import type { GivenRun, HeldRun, News, WorkerFacts } from "../../core/ports/work-desk.ts";
import { pause } from "../../runtime/time/pause.ts";
import type { HttpClient } from "../http-client.ts";

type HttpRequest = NonNullable<Parameters<HttpClient["send"]>[1]>;

/** A run that this worker has. */
export interface Holding {
  readonly runId: string;
  readonly ticket: string;
  /** Last sequence of the run's log that is known here, and the last that was announced. */
  sequence: number;
  announced: number;
  /** When the hub last knew that this worker has the run, in epoch milliseconds. */
  aliveAt: number;
  /** Receipts of the hub for bytes of the run, by sha256. */
  readonly receipts: Map<string, string>;
  /** Aborted when another worker has the run. */
  readonly gone: AbortController;
}

export interface BeatAnswer {
  worker: string;
  drain: boolean;
  lost: string[];
  news: News[];
  lease_ms: number;
}

export interface WorkLink {
  held(runId: string): Holding | undefined;
  hold(given: GivenRun, sinceMs: number): Holding;
  /** Drops a run that has ended, or was given back. */
  drop(holding: Holding): void;
  /** Drops a run that another worker has, or gets. */
  lose(holding: Holding): void;
  isLost(holding: Holding): boolean;
  /** Sends one request, whose answer is JSON. */
  ask<T>(path: string, request: HttpRequest & { timeoutMs?: number }): Promise<T>;
  /** Sends a request about a run, repeated while the hub is away. Throws ILLEGAL_TRANSITION once the run is lost. */
  persist<T>(holding: Holding, work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T>;
  headersOf(holding: Holding): Record<string, string>;
  client: HttpClient;
  /** Reports this worker's facts, once they are known, and that it is alive. */
  beat(held: readonly Holding[], facts?: WorkerFacts): Promise<BeatAnswer>;
  /** Reports that this worker is gone, after every beat that is on its way: a later one would list it again. */
  leave(): Promise<void>;
  /** Informs watchers of what this worker has written. */
  written: CommitListener;
  watch(listener: CommitListener): () => void;
}

const REQUEST_MS = 15_000;
const BEAT_MS = 5000;
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 1000;
const LEAVE_TRIES = 3;

export function createWorkLink(options: {
  client: HttpClient;
  /** Name of the worker, `host:process`. */
  worker: string;
  clock: Clock;
  /** Called when the hub no longer accepts this worker: its token was revoked, or lost its scope. */
  onRefused: (error: ProctorError) => void;
}): WorkLink {
  const { client, clock } = options;
  const holdings = new Map<string, Holding>();
  const listeners = new Set<CommitListener>();
  const name = { "x-proctor-worker": options.worker };
  const beats = new Set<Promise<unknown>>();
  let facts: WorkerFacts | undefined;
  let lastAnswer: BeatAnswer | undefined;
  let hasLeft = false;
  let leaseMs = 10_000;

  function isLost({ gone, aliveAt }: Holding): boolean {
    return gone.signal.aborted || clock.now() - aliveAt > leaseMs;
  }

  async function ask<T>(path: string, request: HttpRequest & { timeoutMs?: number }): Promise<T> {
    const { timeoutMs = REQUEST_MS, signal, headers, ...rest } = request;
    const limit = AbortSignal.timeout(timeoutMs);
    try {
      return await client.sendJson<T>(path, {
        method: "POST",
        ...rest,
        headers: { ...name, ...headers },
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      });
    } catch (error) {
      if (isRefusal(error)) options.onRefused(error);
      throw limit.aborted && signal?.aborted !== true ? silent(path, error) : error;
    }
  }

  function lose(holding: Holding): void {
    holding.gone.abort();
    if (holdings.get(holding.runId) === holding) holdings.delete(holding.runId);
  }

  return {
    client,
    ask,
    held: (runId) => holdings.get(runId),
    hold({ ticket, run, sequence }, sinceMs) {
      const gone = new AbortController();
      const holding = {
        runId: run.id,
        ticket,
        sequence,
        announced: sequence,
        aliveAt: sinceMs,
        receipts: new Map<string, string>(),
        gone,
      };
      holdings.set(run.id, holding);
      return holding;
    },
    drop(holding) {
      if (holdings.get(holding.runId) === holding) holdings.delete(holding.runId);
    },
    lose,
    isLost,
    headersOf: ({ ticket }) => ({ ...name, "x-proctor-ticket": ticket }),
    async persist(holding, work, signal) {
      const { runId, gone } = holding;
      const stop = signal ? AbortSignal.any([gone.signal, signal]) : gone.signal;
      for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(2 * delayMs, LONGEST_DELAY_MS)) {
        signal?.throwIfAborted();
        if (isLost(holding)) throw lostRun(runId);
        try {
          return await work(stop);
        } catch (error) {
          signal?.throwIfAborted();
          if (isLost(holding)) throw lostRun(runId);
          if (!isPassing(error)) throw error;
        }
        await pause(clock, delayMs, stop).catch(() => undefined);
      }
    },
    async beat(held, said) {
      facts = said ?? facts;
      if (facts === undefined) throw new Error("nobody has said what this worker is like");
      // A beat would list it again.
      if (hasLeft && lastAnswer !== undefined) return lastAnswer;
      const sent: HeldRun[] = held.map(({ ticket, sequence }) => ({ ticket, sequence }));
      const beating = ask<BeatAnswer>("/work/beat", {
        body: { ...facts, held: sent },
        timeoutMs: BEAT_MS,
      });
      beats.add(beating);
      const answer = await beating.finally(() => beats.delete(beating));
      leaseMs = answer.lease_ms;
      lastAnswer = answer;
      return answer;
    },
    async leave() {
      hasLeft = true;
      await Promise.allSettled(beats);
      for (let tries = 1; ; tries++) {
        const signal = AbortSignal.timeout(BEAT_MS);
        try {
          await client.send("/work/leave", { method: "POST", headers: name, signal });
          return;
        } catch (error) {
          // A connection that the hub has closed meanwhile is noticed only now.
          if (tries === LEAVE_TRIES || !isPassing(error)) throw error;
        }
      }
    },
    written(...commit) {
      for (const listener of listeners) listener(...commit);
    },
    watch(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Returns whether the hub may accept it later: it, or its database, is away or restarts. */
export function isPassing(error: unknown): boolean {
  return ProctorError.is(error) && error.retryable;
}

const REFUSALS: ReadonlySet<string> = new Set(["UNAUTHORIZED", "SCOPE_MISSING", "NOT_SUPPORTED"]);

export function isRefusal(error: unknown): error is ProctorError {
  return ProctorError.is(error) && REFUSALS.has(error.code);
}

function silent(path: string, cause: unknown): ProctorError {
  return new ProctorError("HUB_UNREACHABLE", `the hub did not answer ${path} in time`, { cause });
}

function lostRun(runId: string): ProctorError {
  return new ProctorError("ILLEGAL_TRANSITION", `run ${runId} was given to another worker`, {
    details: { run_id: runId },
  });
}
