// Where workers without the database get their work: a hub gives them runs, takes what they write, and remembers nothing of them between
// two calls. What must be known of a run that a worker has travels with it as a signed ticket, so any server of a hub takes the next call.
// The documents here are what travels: over HTTP (server/routes/work*.ts, hub/work/), or in one process.
import type { AgentSpec } from "../agent.ts";
import type { Caller } from "../caller.ts";
import type { Failure } from "../failure.ts";
import type { TalkState } from "../fold-talk.ts";
import type { Run } from "../run.ts";
import type { WorkerBeat } from "../worker.ts";
import type { BlobRef, ByteRange } from "./blob-store.ts";
import type { EventRecord } from "./store.ts";

/** The caller: the holder of the token, and the worker that it names, `host:process`. */
export interface WorkCaller {
  caller: Caller;
  worker: string;
}

/** A caller that reports on a run which it holds. */
export interface TicketHolder extends WorkCaller {
  ticket: string;
}

/** What a worker reports about itself. */
export type WorkerFacts = Omit<WorkerBeat, "id" | "over" | "host" | "pid">;

/** A run that a worker has, and the last sequence of its log that it knows. */
export interface HeldRun {
  ticket: string;
  sequence: number;
}

/** The log of a run has grown up to this sequence. */
export interface News {
  run_id: string;
  sequence: number;
}

/** A text that was sealed with a run, opened; `text` is null where it was sealed with a key that is gone. Null where nothing was sealed. */
export type Opened = { text: string | null } | null;

/** A run that the worker now has, with `run.started` in its log. */
export interface GivenRun {
  ticket: string;
  run: Run;
  spec: AgentSpec;
  fence: number;
  sequence: number;
  talk?: TalkState;
  sealed: Opened;
  continuation: Opened;
}

/** An event as it travels. Payload and origin are JSON as text, exactly as the log has them. */
export type WorkEvent = Omit<EventRecord, "run_id" | "sequence">;

export interface WorkAppend {
  /** Last sequence that the worker knows. Events that stand after it in the log already are not written again. */
  after: number;
  events: readonly WorkEvent[];
  /** Receipts for bytes that the events record: the hub's answers to their upload, by sha256. */
  receipts?: Readonly<Record<string, string>>;
  /** The data with which the driver can continue, which the hub seals. */
  continuation?: string;
  /** The run that takes over by retry policy, which the hub makes from the one that ended; `not_before` in epoch milliseconds. */
  successor?: { id: string; not_before: number };
}

export interface WorkDesk {
  /** Reports that the worker is alive, and that it is at work on these runs. */
  beat(
    who: WorkCaller,
    facts: WorkerFacts,
    held: readonly HeldRun[],
  ): Promise<{
    /** Name of the worker in runs and for operators. */
    worker: string;
    /** Whether an operator asked the worker to take no more runs. */
    drain: boolean;
    /** Ids of runs that belong to another worker now: they are to be stopped, and nothing more is written to them. */
    lost: string[];
    news: News[];
    beat_every_ms: number;
    /** Milliseconds without a beat after which the worker has lost its runs. */
    lease_ms: number;
  }>;
  /** Reports that the worker has ended. */
  leave(who: WorkCaller): Promise<void>;
  claim(who: WorkCaller, wish: { limit: number; labels: readonly string[] }): Promise<{ items: GivenRun[] }>;
  /** Resolves when something waits, when others have written to one of the runs, or when the time is over. */
  listen(
    who: WorkCaller,
    wish: { held: readonly HeldRun[]; labels: readonly string[]; free: boolean; waitMs: number },
    signal?: AbortSignal,
  ): Promise<{ waiting: boolean; news: News[] }>;
  /** Idempotent. Throws ILLEGAL_TRANSITION where the worker has lost the run. */
  append(who: TicketHolder, runId: string, append: WorkAppend): Promise<{ last_sequence: number }>;
  release(who: TicketHolder, runId: string): Promise<void>;
  /** Reads the run, or one that it continues from, with sealed texts only as far as the run needs them. */
  read(
    who: TicketHolder,
    runId: string,
    otherId?: string,
  ): Promise<{ run: Run; sealed: Opened; continuation: Opened }>;
  events(
    who: TicketHolder,
    runId: string,
    page: { of?: string; after: number; limit: number },
  ): Promise<{ items: (WorkEvent & { sequence: number })[] }>;
  /** Resolves with why the run may spend nothing more, though it is within its own limits. */
  usedUp(who: TicketHolder, runId: string): Promise<{ failure: Failure | null }>;
  /** Stores bytes that have this hash, and answers with what lets the worker record them. Throws INVALID_REQUEST where they have another, and PAYLOAD_TOO_LARGE. */
  putBlob(
    who: TicketHolder,
    runId: string,
    sha256: string,
    content: AsyncIterable<Uint8Array>,
  ): Promise<BlobRef & { receipt: string }>;
  /** Reads only bytes that the run, or the one whose files it continues from, refers to. Throws ARTIFACT_NOT_FOUND. */
  readBlob(
    who: TicketHolder,
    runId: string,
    sha256: string,
  ): Promise<{ sizeBytes: number; open: (range?: ByteRange) => AsyncIterable<Uint8Array> }>;
  /** Ends the hold on the worker's bytes for the run: their records are on disk, or never will be. Bytes without a record may be removed. */
  settle(who: TicketHolder, runId: string): Promise<void>;
}
