// One statement that appends to many runs at once. Each run is moved only if it is still as it was taken to be: at that sequence, with that
// owner. What another process has changed meanwhile is left alone, with its events, and the statement says which were moved.
import { contentSha256 } from "../../core/artifact.ts";
import { isTerminal } from "../../core/run.ts";
import { FEED_STRIDE } from "../sql/feed.ts";
import { LOG_PAYLOAD_CHARS } from "../sql/long-payloads.ts";
import { finalCost, waitsOf, type PlannedAppend } from "../sql/plan-append.ts";
import { encodeProgress, epochMs } from "../sql/run-record.ts";
import type { Connection, Query } from "../sql/sql-backend.ts";

/** Appends to one run, each to what the one before left. */
export interface RunAppends {
  steps: readonly PlannedAppend[];
  /** Replaces what is encrypted with the run. */
  sealed: string | null;
  continuation: string | null;
}

/** Columns of each list, in the order in which they are sent. */
const RUNS = [
  ["id", "text"],
  ["expected", "bigint"],
  ["fence", "bigint"],
  ["next_sequence", "bigint"],
  ["next_fence", "bigint"],
  ["worker", "text"],
  ["status", "text"],
  ["started_at", "bigint"],
  ["ended_at", "bigint"],
  ["artifact_count", "bigint"],
  ["progress", "text"],
  ["is_over", "boolean"],
  ["sealed", "text"],
  ["continuation", "text"],
  ["expires_at", "bigint"],
  ["check_at", "bigint"],
  ["not_before", "bigint"],
  ["cost_usd", "double precision"],
  ["is_violated", "boolean"],
] as const;
const EVENTS = [
  ["place", "bigint"],
  ["sequence", "bigint"],
  ["timestamp", "bigint"],
  ["type", "text"],
  ["payload", "text"],
  ["origin", "text"],
  ["is_tail", "boolean"],
] as const;
const LONG = [
  ["place", "bigint"],
  ["sequence", "bigint"],
  ["payload", "text"],
] as const;
const ARTIFACTS = [
  ["place", "bigint"],
  ["sequence", "bigint"],
  ["id", "text"],
  ["sha256", "text"],
  ["stored_as", "text"],
] as const;

type Columns = readonly (readonly [name: string, type: string])[];

let parameters = 0;
/** Returns `unnest($1::text[], …) with ordinality as name(column, …, n)`. */
function list(name: string, columns: Columns): string {
  const arrays = columns.map(([, type]) => `$${++parameters}::${type}[]`);
  return `unnest(${arrays.join(", ")}) with ordinality as ${name}(${columns.map(([column]) => column).join(", ")}, n)`;
}

const SQL = `
with moved as (
  update runs set
    next_sequence = asked.next_sequence, fence = asked.next_fence, worker = asked.worker, status = asked.status,
    started_at = asked.started_at, ended_at = asked.ended_at, artifact_count = asked.artifact_count,
    progress = asked.progress, expires_at = asked.expires_at, check_at = asked.check_at,
    sealed = case when asked.is_over then null else coalesce(asked.sealed, runs.sealed) end,
    continuation = coalesce(asked.continuation, runs.continuation),
    not_before = coalesce(asked.not_before, runs.not_before), cost_usd = coalesce(asked.cost_usd, runs.cost_usd),
    admitted = case when asked.is_over then null else runs.admitted end,
    violated = case when asked.is_violated then 1 else runs.violated end
  from ${list("asked", RUNS)}
  where runs.id = asked.id and runs.next_sequence = asked.expected and runs.fence = asked.fence
  returning runs.id as run_id, asked.n as place
), logged as (
  insert into events (run_id, sequence, timestamp, type, payload, origin, position)
  select run_id, sequence, timestamp, type, payload, origin,
    case when is_tail then nextval('feed_positions') end
  from ${list("event", EVENTS)} join moved using (place) order by event.n
), long_ones as (
  insert into long_payloads (run_id, sequence, payload)
  select run_id, sequence, payload from ${list("long_one", LONG)} join moved using (place)
), placed as (
  insert into artifacts (run_id, sequence, id, sha256, stored_as)
  select run_id, sequence, artifact.id, sha256, stored_as from ${list("artifact", ARTIFACTS)} join moved using (place)
)
select place from moved`;

/** Returns a query for the places in `runs`, from 1, of those that were moved. */
export function appendStatement(runs: readonly RunAppends[]): Query<{ place: number }> {
  const moved = RUNS.map((): unknown[] => []);
  const events = EVENTS.map((): unknown[] => []);
  const long = LONG.map((): unknown[] => []);
  const artifacts = ARTIFACTS.map((): unknown[] => []);
  for (const [index, run] of runs.entries()) {
    const [first, last] = [run.steps[0], run.steps.at(-1)];
    if (first === undefined || last === undefined) continue;
    push(moved, runRow(first, last, run));
    for (const step of run.steps) pushEvents(index + 1, step, events, long, artifacts);
  }
  return { sql: SQL, parameters: [...moved, ...events, ...long, ...artifacts] };
}

/** Appends inside a transaction that has locked the runs. */
export async function appendPlanned(tx: Connection, plans: readonly PlannedAppend[]): Promise<void> {
  const runs = plans.map((plan) => ({ steps: [plan], sealed: null, continuation: null }));
  const moved = await tx.all(appendStatement(runs));
  if (moved.length !== plans.length) throw new Error("a locked run was changed by somebody else");
}

function runRow(
  first: PlannedAppend,
  last: PlannedAppend,
  { steps, sealed, continuation }: RunAppends,
): unknown[] {
  const { before } = first;
  const { after } = last;
  const { run } = after.state;
  const { expires_at, check_at } = waitsOf(after.state);
  const notBefore = steps.reduce<number | null>((at, step) => step.notBefore ?? at, null);
  return [
    run.id,
    before.nextSequence,
    before.fence,
    after.nextSequence,
    after.fence,
    after.worker,
    run.status,
    epochMs(run.started_at),
    epochMs(run.ended_at),
    run.artifacts.length,
    encodeProgress(after.state),
    isTerminal(run.status),
    sealed,
    continuation,
    expires_at,
    check_at,
    notBefore,
    finalCost(run),
    run.violations.length > 0,
  ];
}

function pushEvents(
  place: number,
  { before, events, artifacts }: PlannedAppend,
  rows: unknown[][],
  longRows: unknown[][],
  artifactRows: unknown[][],
): void {
  for (const [index, { draft, timestamp, payload }] of events.entries()) {
    const sequence = before.nextSequence + index;
    const isLong = payload.length > LOG_PAYLOAD_CHARS;
    const origin = draft.origin === undefined ? null : JSON.stringify(draft.origin);
    const isTail = index === events.length - 1 || (index + 1) % FEED_STRIDE === 0;
    push(rows, [place, sequence, timestamp, draft.type, isLong ? "" : payload, origin, isTail]);
    if (isLong) push(longRows, [place, sequence, payload]);
  }
  for (const { sequence, artifact, storedAs } of artifacts) {
    push(artifactRows, [place, sequence, artifact.id, contentSha256(artifact) ?? null, storedAs]);
  }
}

function push(columns: unknown[][], row: readonly unknown[]): void {
  for (let index = 0; index < row.length; index++) columns[index]?.push(row[index]);
}
