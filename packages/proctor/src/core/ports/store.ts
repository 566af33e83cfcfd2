// Where runs, events, agents and artifacts are kept. store.case.ts states every promise; SQLite and PostgreSQL keep
// them. A promise that resolves means: committed to disk (invariant 2).
import type { Agent, AgentSpec } from "../agent.ts";
import type { Artifact } from "../artifact.ts";
import type { EventDraft, EventOrigin, EventType, RunEvent } from "../event.ts";
import type { NumberedPage, Page, PageRequest } from "../page.ts";
import type { TalkState } from "../fold-talk.ts";
import type { Audience, Question, QuestionKind } from "../question.ts";
import type { Run, RunOrder, RunStatus } from "../run.ts";
import type { EvaluationStore } from "./evaluation-store.ts";
import type { BlobMarks } from "./blob-marks.ts";
import type { GatewayIds } from "./gateway-ids.ts";
import type { RegistryStore, StoredRegistration } from "./registry-store.ts";
import type { HubFacts } from "./hub-facts.ts";
import type { MessageStore } from "./message-store.ts";
import type { SavedArtifacts } from "./saved-artifacts.ts";
import type { SubscriptionStore } from "./subscription-store.ts";
import type { TokenStore } from "./token-store.ts";
import type { DoubleStore } from "./double-store.ts";
import type { WorkerStore } from "./worker-store.ts";
import type { ScriptToolStore } from "./script-tool-store.ts";

/** A draft that is ready to be written: secrets removed, payload as text too, so that it is serialised only once. */
export interface NewEvent {
  /** When the event happened, in epoch milliseconds. */
  timestamp: number;
  draft: EventDraft;
  /** `draft.payload` as JSON. */
  payload: string;
}

/** An event as the log holds it. The payload stays text until a reader needs to look inside. */
export interface EventRecord {
  run_id: string;
  sequence: number;
  timestamp: number;
  type: EventType;
  payload: string;
  origin: string | null;
}

export interface NewRun {
  id: string;
  /** `run.created`, then `run.queued`, or `run.started` when a client does the work; `run.created` alone when the run waits for `start`. */
  events: readonly NewEvent[];
  /** The real environment and headers, encrypted; null when there are none. */
  sealed: string | null;
  /** The time, in epoch milliseconds, before which the run is not claimed. */
  notBefore: number;
  /** Same key and fingerprint: the first run is returned. Same key, other fingerprint: IDEMPOTENCY_CONFLICT. */
  idempotency?: { key: string; fingerprint: string };
}

export interface RunQuery extends PageRequest {
  /** Id of the conversation that the runs belong to. */
  conversation?: string;
  /** Id of the evaluation that the runs were made for. */
  evaluation?: string;
  /** Id of the run whose parts are asked for. */
  parent?: string;
  /** Id of the run at the top of a tree. */
  root?: string;
  status?: readonly RunStatus[];
  agent?: string;
  alias?: string;
  /** The beginning of the run's id. */
  prefix?: string;
  /** Protocol that drives the agent. */
  protocol?: string;
  /** Part of the run's id, its alias or the beginning of its task, in upper or lower case. */
  text?: string;
  /** Only runs that were created then or later, and before then: ISO 8601. */
  created_after?: string;
  created_before?: string;
  /** Only ended runs that cost at least this many US dollars, which is more than 0. */
  cost_at_least?: number;
  /** Only runs that broke a rule of their protocol. */
  violations?: boolean;
  /** Which run comes first: the newest when absent. */
  order?: RunOrder;
}

/** Filters are those of RunQuery. */
export interface RunPageQuery extends NumberedPage, Pick<RunQuery, "status" | "agent"> {}

/** Runs over a stretch of time, and all of them by status. */
export interface RunsSummary {
  /** Number of runs in each status, whenever they were created. */
  statuses: Record<RunStatus, number>;
  /** Number of runs that were created in the stretch of time. */
  runs: number;
  cost_usd: number;
  /** Median and 95th percentile of the duration, over the ended runs among the newest of the stretch. */
  duration_ms: { runs: number; p50: number | null; p95: number | null };
  /** The buckets with a run, in order. */
  buckets: RunsBucket[];
}

export interface RunsBucket {
  /** When the bucket begins, in epoch milliseconds. */
  at: number;
  runs: number;
  cost_usd: number;
  /** Median duration of the bucket's ended runs among the newest of the stretch; null where there is none. */
  duration_ms: number | null;
}

export interface ClaimRequest {
  worker: string;
  limit: number;
  now: number;
  /** Runs that one agent takes at once when its spec has no `concurrency`. */
  agentLimit: number;
  /** Number of runs that this worker has in flight, by `Run.agent`; claims count on top of them. */
  inFlight: Readonly<Record<string, number>>;
  /** The worker's labels; a run whose `requires` asks for more is left to others. None when absent. */
  labels?: readonly string[];
  /** False for a worker that only starts runs: what dead workers left is for others to conclude. True when absent. */
  concludes?: boolean;
  /** Ids of the only runs that may be claimed: a command that opened the store itself leaves other runs alone. */
  only?: readonly string[];
}

/** A run this worker now owns. Writes that carry its fence fail once somebody else owns it. */
export interface ClaimedRun {
  run: Run;
  spec: AgentSpec;
  sealed: string | null;
  fence: number;
  /** Last sequence of the run's log: what comes later is news to its worker. */
  sequence: number;
  /** State of the run's messages and questions, where it has any. */
  talk?: TalkState;
  /** The data with which the driver can continue, encrypted; null when there is none. */
  continuation: string | null;
}

/** What is kept encrypted with a run. */
export interface RunSecrets {
  run: Run;
  /** State of the run's messages and questions; absent while it has none. */
  talk?: TalkState;
  spec: AgentSpec;
  sealed: string | null;
  continuation: string | null;
}

/** A question that is not answered yet, with what one needs to know to answer it. */
export interface OpenQuestion {
  run_id: string;
  /** Name of the agent that asks. */
  agent: string;
  conversation_id: string;
  /** The goal that asks, or that the run works for; null where there is none. */
  goal: { id: string; title: string } | null;
  question: Question;
}

export interface QuestionQuery extends PageRequest {
  /** Id of the only run whose questions are listed. */
  run?: string;
  /** Id of the only goal whose questions are listed, with those of the runs that work for it. */
  goal?: string;
  kind?: QuestionKind;
  audience?: Audience;
  agent?: string;
  conversation?: string;
}

/** What a tree of runs has used together. */
export interface TreeTally {
  runs: number;
  /** Number of runs of the tree that have not ended. */
  live: number;
  total_tokens: number;
  cost_usd: number;
  total_steps: number;
}

/** An event and its place in the order in which everything was committed. */
export interface FeedEntry {
  /** Position of the event, which grows with every event of every run, and may leave numbers out; never changes. */
  position: number;
  agent: string;
  conversation_id: string;
  record: EventRecord;
}

export interface FeedPage {
  items: FeedEntry[];
  /** The position to continue from: that of the last event, or of the end where nothing more can be read. */
  last: number;
}

export interface ClaimResult {
  claimed: ClaimedRun[];
  /** Runs in flight whose owner is dead: they are this worker's now, to be concluded. Only a queue outside the store finds them here. */
  interrupted?: ClaimedRun[];
  /** When the next waiting run becomes due, in epoch milliseconds, if none is due now. */
  nextDueAt: number | null;
}

export interface AppendOptions {
  fence?: number;
  /** The last sequence that the caller knows. When the log has grown beyond it, nothing is written: CHANGED_MEANWHILE. */
  expectedSequence?: number;
  /** Whether the run must be without a worker: otherwise nothing is written, and the error is CHANGED_MEANWHILE. */
  unowned?: boolean;
  /** Replaces what is encrypted with the run. */
  sealed?: string;
  /** The data with which the driver can continue, encrypted; kept after the run's end. */
  continuation?: string;
  /** The run that takes over by retry policy, created in the same commit. */
  successor?: NewRun;
}

/** Returns what to append to a run in its present state; throws to append nothing. */
export type DecideEvents = (state: { run: Run; spec: AgentSpec; talk?: TalkState }) => readonly NewEvent[];

export interface StoredAgent {
  /** The agent with its secret values masked. */
  agent: Agent;
  sealed: string | null;
  /** The agent's registration; absent for an agent that was added by hand. */
  registration?: StoredRegistration;
}

/** Files outside the database: blobs by their sha256, and files by name. */
export interface StoredFiles {
  hashes: readonly string[];
  names: readonly string[];
}

/**
 * Called with the log's last sequence, by how many events it grew, whether the run ended with them, and whether its owner wrote them: only
 * what others wrote can be news to the owner. The last call for a run that was removed has nothing appended. Where several processes share
 * the store, their commits are announced a few milliseconds later: several of a run may come as one, and a commit whose process died at
 * once comes later still, as not the owner's.
 */
export type CommitListener = (
  runId: string,
  lastSequence: number,
  appended: number,
  ended: boolean,
  byOwner: boolean,
  /** What others than the owner appended in this process, so that the owner need not read it back. */
  events?: readonly NewEvent[],
) => void;

export interface Store {
  createRun(run: NewRun): Promise<{ run: Run; created: boolean }>;
  /**
   * Appends all or nothing, in order, and returns the run after them. Throws RUN_NOT_FOUND; ILLEGAL_TRANSITION when an
   * event is not allowed in the run's state (an ended run takes only artifacts that clients add or remove) or the fence is stale.
   */
  append(runId: string, events: readonly NewEvent[] | DecideEvents, options?: AppendOptions): Promise<Run>;
  /** The same object as before means that nothing was committed to the run in between. */
  readRun(id: string): Promise<Run | undefined>;
  listRuns(query: RunQuery): Promise<Page<Run>>;
  /** Lists runs by page number, newest first, with their total number. A late page costs no more than the first. */
  listPage(page: RunPageQuery): Promise<{ items: Run[]; total: number }>;
  /**
   * Removes an ended run with its log and artifacts: no reader sees any of it from then on. A long log is erased from disk piece by piece,
   * between other work, and after a restart if need be. Returns the files that nothing refers to any more; undefined when there is no
   * such run. Throws ILLEGAL_TRANSITION for one that has not ended.
   */
  deleteRun(id: string): Promise<StoredFiles | undefined>;
  /** Returns those of these files that no artifact refers to, of a run or outside runs. */
  unreferenced(files: StoredFiles): Promise<StoredFiles>;
  /** Reads events with a sequence greater than `after` (-1 for all), at most `limit`, in order. */
  readEvents(runId: string, after: number, limit: number): Promise<EventRecord[]>;
  /**
   * Reads events of all runs whose position is greater than `after`, at most `limit`, in the order in which they were committed. Those of
   * removed runs are left out. `Infinity` as `after` reads nothing, and returns where the end is. Where several processes write, an event is
   * left for later while one that comes before it may still be committed.
   */
  feed(after: number, limit: number): Promise<FeedPage>;
  /** Moves due queued runs to running, the oldest first within the agents' limits, each with its `run.started`. */
  claimRuns(request: ClaimRequest): Promise<ClaimResult>;
  /** Declares the worker alive until then (epoch milliseconds), and with it the runs that it has claimed. */
  renew(worker: string, untilMs: number): Promise<void>;
  /**
   * Lists at most `limit` of the agents' runs in flight whose worker's time was over at `now`, or that have none. `Infinity` means that no
   * other worker can be alive. Parked runs have no worker and are not among them.
   */
  expired(now: number, limit: number): Promise<ClaimedRun[]>;
  /** Resolves with what is kept encrypted with a run; undefined when there is no such run. */
  readSecrets(id: string): Promise<RunSecrets | undefined>;
  /** Lists open questions, oldest run first. */
  openQuestions(query: QuestionQuery): Promise<Page<OpenQuestion>>;
  /** Lists at most `limit` runs without an owner that have a question which had expired at `now`. */
  dueParked(now: number, limit: number): Promise<Run[]>;
  /** Resolves with when the next question of a run without an owner expires, in epoch milliseconds. */
  nextExpiry(): Promise<number | null>;
  /** Resolves with what a run and everything below it have used together; zeros for a run that does not exist. */
  tally(id: string): Promise<TreeTally>;
  readArtifact(runId: string, artifactId: string): Promise<Artifact | undefined>;
  /** Summarizes the runs that were created since then, in buckets of this length. */
  summarizeRuns(sinceMs: number, bucketMs: number): Promise<RunsSummary>;
  /** Resolves with the number of runs per status. */
  countRuns(): Promise<Record<RunStatus, number>>;
  /** Resolves with the epoch milliseconds since when the run that was due first at `now` has waited to be claimed; null when none waits. */
  dueSince(now: number): Promise<number | null>;
  /** Returns how many writes of this process were refused because their run has another owner. */
  refusedWrites(): number;

  /** Throws AGENT_EXISTS unless `replace`. */
  putAgent(agent: StoredAgent, options?: { replace?: boolean }): Promise<void>;
  readAgent(name: string): Promise<StoredAgent | undefined>;
  /** Lists agents in the order of their names. */
  listAgents(page: PageRequest): Promise<Page<Agent>>;
  /** Removes the agent with its lease, its history and its measured answers. */
  removeAgent(name: string): Promise<boolean>;

  readonly savedArtifacts: SavedArtifacts;
  readonly gatewayIds: GatewayIds;
  readonly tokens: TokenStore;
  readonly registry: RegistryStore;
  readonly scriptTools: ScriptToolStore;
  readonly messages: MessageStore;
  readonly evaluations: EvaluationStore;
  readonly blobMarks: BlobMarks;
  readonly facts: HubFacts;
  readonly subscriptions: SubscriptionStore;
  readonly workers: WorkerStore;
  readonly doubles: DoubleStore;

  /** Calls back after each commit that grew a run's log, in any process that shares the store; returns a function that stops it. */
  watch(listener: CommitListener): () => void;
  /** Throws STORE_UNAVAILABLE or STORE_FULL when a write would fail. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Reads a record into the event that readers see. */
export function decodeRecord(record: EventRecord): RunEvent {
  // The store only holds text that decodes to one of the union: written by encodeDraft from a typed draft.
  const event = {
    run_id: record.run_id,
    sequence: record.sequence,
    timestamp: new Date(record.timestamp).toISOString(),
    type: record.type,
    payload: JSON.parse(record.payload) as never,
    ...(record.origin !== null && { origin: JSON.parse(record.origin) as EventOrigin }),
  };
  return event as RunEvent;
}

/** Returns the event as JSON text, without parsing its payload. */
export function recordJson(record: EventRecord): string {
  const origin = record.origin === null ? "" : `,"origin":${record.origin}`;
  return `{"run_id":"${record.run_id}","sequence":${record.sequence},"timestamp":"${new Date(record.timestamp).toISOString()}","type":"${record.type}","payload":${record.payload}${origin}}`;
}
