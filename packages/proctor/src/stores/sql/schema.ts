// The tables, as Kysely sees them. Both databases hold the same: times are epoch milliseconds, documents are JSON text.
import type { DoubleRequestsTable, DoublesTable, WorkersTable } from "./process-rows.ts";
import type { Generated } from "kysely";
import type { CaseChange } from "../../core/comparison.ts";
import type { EvaluationStatus } from "../../core/evaluation.ts";
import type { BlobMarkKind } from "../../core/ports/blob-marks.ts";
import type { GatewayIdKind } from "../../core/ports/gateway-ids.ts";
import type { HubFactName } from "../../core/ports/hub-facts.ts";
import type { AgentCommand, AgentState } from "../../core/registration.ts";
import type { DeadReason, MessageState } from "../../core/ports/message-store.ts";
import type { EventRecord } from "../../core/ports/store.ts";
import type { RunStatus } from "../../core/run.ts";
import type { TokenKind } from "../../core/token.ts";

/**
 * What changes about a run. What never changes is in its first event, and what its artifacts are is in theirs: a row is
 * written again with every append, so it must stay small however large the task or the artifacts are.
 */
export interface RunsTable {
  /** The order in which runs were created. */
  ordinal: Generated<number>;
  id: string;
  agent: string;
  status: RunStatus;
  created_at: number;
  started_at: number | null;
  ended_at: number | null;
  /** Epoch milliseconds before which the run is not claimed. */
  not_before: number;
  next_sequence: number;
  /** Number of workers that have owned the run. */
  fence: number;
  worker: string | null;
  /** Runs that the agent takes at once, where its spec says so. */
  concurrency: number | null;
  sealed: string | null;
  idempotency_key: string | null;
  fingerprint: string | null;
  /** The client's own name for the run. */
  alias: string | null;
  /** The conversation that the run joined; null for the one it began. */
  conversation: string | null;
  parent: string | null;
  root: string | null;
  /** The data with which the driver can continue, encrypted. */
  continuation: string | null;
  /** When the first of the open questions expires; null while none is open. */
  expires_at: number | null;
  /** When a worker checks on a parked run even without an answer, in epoch milliseconds; null where none has to. */
  check_at: number | null;
  protocol: string | null;
  /** The cost in US dollars of an ended run; null where there is none. */
  cost_usd: number | null;
  /** 1 once the run broke a rule of its protocol; null before. */
  violated: number | null;
  /** The evaluation that the run was made for, as its metadata says. */
  evaluation: string | null;
  artifact_count: number;
  /** The changing part of the run as JSON: see run-record.ts. */
  progress: string;
  /** Place in line: the lower number starts first. Holds the priority and the turn of the run's share, see rank.ts. */
  rank: number;
  /** Name of the share with which the run takes turns: its tree, its conversation or its suite; null for a run that stands alone. */
  share: string | null;
  /** The labels that a worker must have, sorted, as JSON; null where none are needed. */
  requires: string | null;
  /** Present while the run has one of its agent's slots, where a queue gives them out: see core/ports/run-queue.ts. */
  admitted: number | null;
}

/** The payload is empty where it is among the long ones. */
interface EventsTable extends EventRecord {
  /** Position of the event among those of all runs, in the last event of each append; null in the others: see feed.ts. */
  position: number | null;
}

/** Payloads that are too long for the log: see long-payloads.ts. */
interface LongPayloadsTable {
  run_id: string;
  sequence: number;
  payload: string;
}

/** What a search for runs looks at, in lower case: see run-texts.ts. */
interface RunTextsTable {
  ordinal: number;
  text: string;
}

/** One row, with the last position that a removed run may have had. */
interface FeedFloorTable {
  id: number;
  position: number;
}

/** The places of a run's artifacts in its log. */
export interface ArtifactsTable {
  run_id: string;
  /** Sequence of the `artifact.added` that holds the document. */
  sequence: number;
  id: string;
  sha256: string | null;
  /** Name of a client's file next to the blobs. */
  stored_as: string | null;
}

/** Number of runs in each stretch of ordinals: see run-blocks.ts. */
export interface RunBlocksTable {
  block: number;
  total: number;
}

/** Runs that are gone, whose events are not all removed yet: see erase-events.ts. */
interface RemovedRunsTable {
  run_id: string;
}

export interface AgentsTable {
  name: string;
  document: string;
  sealed: string | null;
  created_at: number;
  /** What the registry keeps in addition to the definition, as JSON; null for an agent that was added by hand. */
  registration: string | null;
}

/** What is live about an agent: see leases.ts. */
export interface AgentLeasesTable {
  agent: string;
  instance: string | null;
  beat_at: number | null;
  draining: number;
  command: AgentCommand | null;
  commanded_at: number | null;
  state: AgentState;
  since: number | null;
}

/** The changes of agents' states: see health.ts. */
export interface AgentHealthTable {
  ordinal: Generated<number>;
  agent: string;
  at: number;
  state: AgentState;
  reason: string;
}

interface AgentMeasuresTable {
  agent: string;
  document: string;
}

/** One row: when a hub was last known to be alive. */
interface HubAliveTable {
  id: number;
  at: number;
}

interface MigrationsTable {
  version: number;
  name: string;
  applied_at: number;
}

/** Versions of the artifacts that are kept outside runs: see saved-artifacts.ts. */
export interface SavedArtifactsTable {
  app: string;
  user_id: string;
  /** The session; empty for artifacts that all sessions of the user share. */
  session: string;
  name: string;
  version: number;
  /** Hash of the bytes; null in the last row of an artifact that was removed. */
  sha256: string | null;
  size_bytes: number;
  mime_type: string;
  metadata: string;
  created_at: number;
}

/** The ids that a gateway gave out for those of the agents behind it. */
export interface GatewayIdsTable {
  gateway: string;
  kind: GatewayIdKind;
  outer_id: string;
  inner_id: string;
  user_id: string;
  context: string;
  created_at: number;
}

export interface TokensTable {
  ordinal: Generated<number>;
  id: string;
  kind: TokenKind;
  /** The parts that never change, as JSON: see tokens.ts. */
  document: string;
  digest: string;
  previous_digest: string | null;
  previous_until: number | null;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
  used_by: string | null;
  /** Name of the agent that the token was issued to, where its registration returned it. */
  agent: string | null;
}

/** One row, once the hub is closed. */
interface ClosedTable {
  id: number;
  closed_at: number;
}

export interface AuditTable {
  sequence: Generated<number>;
  at: number;
  actor: string;
  action: string;
  subject: string;
  details: string;
}

/** Tools that are scripts: see script-tools.ts. */
export interface ScriptToolsTable {
  name: string;
  /** The tool as JSON. */
  document: string;
}

/** Envelopes: see messages.ts. */
export interface MessagesTable {
  position: Generated<number>;
  sender: string;
  id: string;
  receiver: string;
  state: MessageState;
  /** The envelope as JSON; empty for a long one that is done. */
  document: string;
  fingerprint: string;
  size_bytes: number;
  created_at: number;
  expires_at: number;
  hops: number;
  deliveries: number;
  run_id: string | null;
  told: number;
  /** When the message was done or became a dead letter, in epoch milliseconds. */
  settled_at: number | null;
  reason: DeadReason | null;
}

/** Messages and bytes that wait for each receiver; a row stays when its inbox is empty. */
export interface InboxesTable {
  receiver: string;
  waiting: number;
  bytes: number;
}

/** Evaluations: see evaluations.ts. */
export interface EvaluationsTable {
  ordinal: Generated<number>;
  id: string;
  name: string;
  /** Status by its client's last report; a client whose lease is over is gone. */
  status: EvaluationStatus;
  owner: string;
  alive_until: number | null;
  started_at: number;
  git_commit: string | null;
  /** Number of its cases with each outcome. */
  passed: number;
  failed: number;
  unevaluated: number;
  /** Position of its last change among the positions of the feed. */
  position: number;
  /** The evaluation as JSON. */
  document: string;
}

/** The suites and agents that each evaluation has, for the filters of its list. */
export interface EvaluationPartsTable {
  kind: "suite" | "agent";
  name: string;
  ordinal: number;
}

/** The cases of evaluations: see evaluation-cases.ts. */
export interface EvaluationCasesTable {
  evaluation: string;
  id: string;
  number: number;
  /** 0 for a case that failed, 1 for one that was not evaluated, 2 for one that passed. */
  rank: number;
  suite: string;
  test_id: string;
  agent: string;
  case_key: string;
  settled_at: number;
  position: number;
  change: CaseChange | null;
  /** What lists show, as JSON. */
  summary: string;
  comparison: string | null;
  /** The other fields, as JSON; the last column, so that lists do not read it. */
  details: string;
}

/** Evaluations that are gone, for readers that were away. */
export interface RemovedEvaluationsTable {
  id: string;
  position: number;
}

/** Marks on bytes that are kept elsewhere: see blob-marks.ts. */
interface BlobMarksTable {
  id: string;
  sha256: string;
  kind: BlobMarkKind;
  expires_at: number;
}

interface BlobNamesTable {
  name: string;
  sha256: string;
  created_at: number;
}

/** Facts that all processes agree on: see hub-facts.ts. */
interface HubFactsTable {
  name: HubFactName;
  value: string;
}

/** Receivers to notify of runs: see subscriptions.ts. */
interface SubscriptionsTable {
  key: string;
  document: string;
  sender: string | null;
  sender_until: number;
}

interface ProbesTable {
  body: string;
}

export interface Schema {
  runs: RunsTable;
  events: EventsTable;
  long_payloads: LongPayloadsTable;
  feed_floor: FeedFloorTable;
  artifacts: ArtifactsTable;
  run_blocks: RunBlocksTable;
  run_texts: RunTextsTable;
  removed_runs: RemovedRunsTable;
  agents: AgentsTable;
  agent_leases: AgentLeasesTable;
  agent_health: AgentHealthTable;
  agent_measures: AgentMeasuresTable;
  hub_alive: HubAliveTable;
  saved_artifacts: SavedArtifactsTable;
  gateway_ids: GatewayIdsTable;
  tokens: TokensTable;
  hub_closed: ClosedTable;
  audit: AuditTable;
  script_tools: ScriptToolsTable;
  messages: MessagesTable;
  inboxes: InboxesTable;
  evaluations: EvaluationsTable;
  evaluation_parts: EvaluationPartsTable;
  evaluation_cases: EvaluationCasesTable;
  removed_evaluations: RemovedEvaluationsTable;
  workers: WorkersTable;
  doubles: DoublesTable;
  double_requests: DoubleRequestsTable;
  blob_marks: BlobMarksTable;
  blob_names: BlobNamesTable;
  hub_facts: HubFactsTable;
  subscriptions: SubscriptionsTable;
  proctor_migrations: MigrationsTable;
  /** Always empty: `ping` writes a row and removes it. */
  proctor_probes: ProbesTable;
}
