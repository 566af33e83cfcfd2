// Creates a run with its first events inside a transaction, or finds the one that its idempotency key names.
import { ProctorError } from "../../core/errors.ts";
import { EVALUATION_KEY } from "../../core/evaluation.ts";
import { isUuid } from "../../core/id.ts";
import type { NewRun } from "../../core/ports/store.ts";
import { isTerminal, type Run } from "../../core/run.ts";
import { withCommit } from "./commit-batches.ts";
import { foldEvents } from "./fold-events.ts";
import { createInsertArtifacts } from "./insert-artifacts.ts";
import type { InsertEvents } from "./insert-events.ts";
import type { RunLoader } from "./load-run.ts";
import { encodeProgress, epochMs } from "./run-record.ts";
import { refuseNul } from "./refuse-nul.ts";
import { nextRank, placeOf, type Place } from "./rank.ts";
import type { RunCounter } from "./run-blocks.ts";
import { createRunTexts, textOf, type RunText } from "./run-texts.ts";
import type { RunsTable } from "./schema.ts";
import type { BatchStep, Connection, SqlDialect } from "./sql-backend.ts";
import { template } from "./template.ts";

type CreateRun = (tx: Connection, newRun: NewRun) => Promise<{ run: Run; created: boolean }>;

type RunValues = Place &
  Omit<
    RunsTable,
    | "ordinal"
    | "fence"
    | "worker"
    | "continuation"
    | "expires_at"
    | "check_at"
    | "cost_usd"
    | "violated"
    | "rank"
    | "admitted"
  >;

/** Most goals that may be in flight at once. */
const MAX_GOALS = 10_000;

export function createCreateRun(
  dialect: SqlDialect,
  loader: RunLoader,
  insertEvents: InsertEvents,
  counter: RunCounter,
): CreateRun {
  const { builder } = dialect;
  const insertArtifacts = createInsertArtifacts(dialect);
  const keepTexts = createRunTexts(dialect);
  const note: BatchStep<RunText> = async (tx, runs) => {
    await counter.added(
      tx,
      runs.map(({ id }) => id),
    );
    await keepTexts(tx, runs);
  };
  const insertRun = template((values: RunValues) =>
    builder
      .insertInto("runs")
      .values({
        id: values.id,
        agent: values.agent,
        status: values.status,
        created_at: values.created_at,
        started_at: values.started_at,
        ended_at: values.ended_at,
        not_before: values.not_before,
        next_sequence: values.next_sequence,
        fence: 0,
        worker: null,
        concurrency: values.concurrency,
        sealed: values.sealed,
        idempotency_key: values.idempotency_key,
        fingerprint: values.fingerprint,
        alias: values.alias,
        conversation: values.conversation,
        parent: values.parent,
        root: values.root,
        protocol: values.protocol,
        evaluation: values.evaluation,
        artifact_count: values.artifact_count,
        progress: values.progress,
        // Read one by one: a template has slots in place of the values.
        rank: nextRank(dialect, {
          first: values.first,
          end: values.end,
          share: values.share,
          requires: values.requires,
        }),
        share: values.share,
        requires: values.requires,
      })
      // Another transaction may be creating a run of this id or key: only the index knows.
      .onConflict((conflict) => conflict.doNothing()),
  );
  const byKey = template(({ key }: { key: string }) =>
    builder.selectFrom("runs").select(["id", "fingerprint"]).where("idempotency_key", "=", key),
  );

  async function findEarlier(tx: Connection, { id, idempotency }: NewRun): Promise<Run> {
    const earlier = idempotency && (await tx.first(byKey({ key: idempotency.key })));
    if (earlier && earlier.fingerprint !== idempotency.fingerprint) {
      throw new ProctorError(
        "IDEMPOTENCY_CONFLICT",
        `the idempotency key was already used with another body, for run ${earlier.id}\n` +
          `Use a new key for a new request.`,
        { details: { run_id: earlier.id } },
      );
    }
    const record = earlier && (await loader.load(tx, earlier.id));
    if (record) return record.state.run;
    throw new ProctorError("ILLEGAL_TRANSITION", `run ${id} exists already: it takes no run.created`, {
      details: { run_id: id, event: "run.created" },
    });
  }

  return async (tx, newRun) => {
    const { id, events, sealed, notBefore, idempotency } = newRun;
    const { state, artifacts } = foldEvents(null, id, 0, events);
    const created = events[0];
    if (state === null || created === undefined) {
      throw new ProctorError("ILLEGAL_TRANSITION", `run ${id} cannot begin without run.created`, {
        details: { run_id: id },
      });
    }
    const { run } = state;
    refuseNul("the agent", run.agent);
    if (idempotency) refuseNul("the idempotency key", idempotency.key);
    if (run.alias !== null) refuseNul("the alias", run.alias);
    refuseNul("the conversation", run.conversation_id);
    const spec = created.draft.type === "run.created" ? created.draft.payload.spec : undefined;
    const inserted = await tx.run(
      insertRun({
        id,
        agent: run.agent,
        status: run.status,
        created_at: created.timestamp,
        started_at: epochMs(run.started_at),
        ended_at: epochMs(run.ended_at),
        not_before: notBefore,
        next_sequence: events.length,
        // The work of a goal is other runs, which have places of their own.
        concurrency: spec?.concurrency ?? (run.options.goal === undefined ? null : MAX_GOALS),
        sealed: isTerminal(run.status) ? null : sealed,
        idempotency_key: idempotency?.key ?? null,
        fingerprint: idempotency?.fingerprint ?? null,
        alias: run.alias,
        conversation: run.conversation_id === id ? null : run.conversation_id,
        parent: run.parent_id,
        root: run.root_id === id ? null : run.root_id,
        protocol: created.draft.type === "run.created" ? created.draft.payload.spec.protocol : null,
        evaluation: evaluationOf(run),
        artifact_count: run.artifacts.length,
        progress: encodeProgress(state),
        // Last: V8 takes twenty times as long for an object that begins with a spread and then gets this many properties.
        ...placeOf(run, spec ?? {}),
      }),
    );
    if (inserted === 0) return { run: await findEarlier(tx, newRun), created: false };
    await withCommit(tx, note, { id, text: textOf(run) });
    await insertEvents(tx, id, 0, events);
    await insertArtifacts(tx, id, artifacts);
    return { run, created: true };
  };
}

/** Returns the id of the evaluation, if any: metadata may contain anything, and only an id counts. */
function evaluationOf({ metadata }: Run): string | null {
  const id = metadata[EVALUATION_KEY];
  return typeof id === "string" && isUuid(id) ? id : null;
}
