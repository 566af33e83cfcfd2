// One run of a case on a hub, or one conversation: submit, wait for its end, judge it. Never throws: what goes wrong is a result.
import { EVALUATION_KEY } from "../../core/evaluation.ts";
import { messageOf } from "../../core/message-of.ts";
import type { AgentSpec } from "../../core/agent.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Hub } from "../../core/ports/hub.ts";
import type { Run } from "../../core/run.ts";
import { saysNothing } from "../../core/says-nothing.ts";
import type { PlannedCase } from "../plan.ts";
import type { AttemptResult, AttemptSource } from "../result.ts";
import { substanceOf } from "../substance.ts";
import { checksOf, isConversation } from "../suite.ts";
import { holdConversation, type HeldConversation, type NextTurn } from "../talk/hold-conversation.ts";
import { loadTurns } from "../talk/load-turns.ts";
import { openUser } from "../talk/open-user.ts";
import { plannedCaseId } from "../evaluations/case-record.ts";
import { collectEvidence } from "./collect-evidence.ts";
import { judgeConversation } from "./judge-conversation.ts";
import { placeNotes } from "./place-notes.ts";
import { subjectOf, type SubjectDeps } from "./subject.ts";
import { threadOf } from "../talk/thread-of.ts";
import { wholeSubject } from "../talk/whole-subject.ts";
import { waitForEnd, type EndedRun } from "./wait-for-end.ts";

export interface AttemptDeps extends SubjectDeps {
  clock: Pick<Clock, "now">;
  /** Whether the run is compared with the same run over other transports. */
  differential?: boolean;
  /** Whether a reporter wants to see what each run did. */
  evidence?: boolean;
  /** Whether the messages between hub and agent are recorded. */
  record?: boolean;
  /** Finds an earlier run that takes the place of this one. */
  recall?: Recall;
  /** Called with each new run before it is reported. */
  onRun?: OnRun;
  /** The evaluation that the run is made for. */
  evaluationId?: string;
}

export type Recall = (planned: PlannedCase, number: number) => Promise<Recalled | undefined>;

/** An earlier run to grade again, an earlier result to reuse, or a recording that plays the agent. */
export type Recalled =
  | { source: Exclude<AttemptSource, "run">; runId: string; held?: RecalledConversation }
  | { source: Exclude<AttemptSource, "run">; result: AttemptResult }
  | { source: Exclude<AttemptSource, "run">; agent: AgentSpec }
  | { source: Exclude<AttemptSource, "run">; missing: string };

/** How an earlier conversation ended; its turns are the runs. */
export type RecalledConversation = Omit<HeldConversation, "turns">;

export type OnRun = (made: {
  run: Run;
  planned: PlannedCase;
  number: number;
  /** The number of the turn; absent where the test is no conversation. */
  turn?: number;
  hub: Hub;
}) => Promise<void>;

export async function runAttempt(
  planned: PlannedCase,
  number: number,
  deps: AttemptDeps,
): Promise<AttemptResult> {
  const startedAt = deps.clock.now();
  const took = (): number => deps.clock.now() - startedAt;
  const held: { runId?: string } = {};
  try {
    deps.signal.throwIfAborted();
    const recalled = await deps.recall?.(planned, number);
    if (recalled && "result" in recalled) return { ...recalled.result, number, source: recalled.source };
    if (recalled && "missing" in recalled) return notMade(number, recalled.missing, recalled.source);
    if (recalled && "runId" in recalled) {
      const { runId, source, held: before } = recalled;
      const turns = before ? await loadTurns(runId, deps.hub) : [{ run: await deps.hub.run(runId) }];
      const result = await resultOf(planned, number, { turns, ...before }, deps);
      return { ...result, source, durationMs: durationOf(turns.map(({ run }) => run)) ?? took() };
    }
    const target = recalled?.agent ?? planned.agent.target;
    const made = isConversation(planned.test)
      ? await talk(planned, number, target, deps, held)
      : await perform(planned, number, target, deps, held);
    if (made.turns.length === 0)
      return {
        ...notMade(number, made.stop?.reason ?? "nothing was said", "run"),
        ...unsaid(made),
        durationMs: took(),
      };
    const result = await resultOf(planned, number, made, deps);
    return { ...result, source: recalled?.source ?? "run", durationMs: took() };
  } catch (error) {
    const { runId } = held;
    if (deps.signal.aborted && runId !== undefined) await cancel(runId, deps.hub);
    const reason = deps.signal.aborted ? "interrupted" : messageOf(error);
    return { ...notMade(number, reason, "run"), durationMs: took(), ...(runId !== undefined && { runId }) };
  }
}

function notMade(number: number, reason: string, source: AttemptSource): AttemptResult {
  return { number, outcome: "unevaluated", source, reason, checks: [], metrics: {}, durationMs: 0 };
}

/** The runs that were made, and how a conversation ended. */
interface Made extends Partial<RecalledConversation> {
  turns: EndedRun[];
}

/** The user's side failed before it said anything. */
function unsaid({ stop, notes }: Made): Pick<AttemptResult, "failure" | "notes"> {
  return { ...(stop?.failure && { failure: stop.failure }), ...notesOf([...(notes ?? []), ...noteOf(stop)]) };
}

async function resultOf(
  planned: PlannedCase,
  number: number,
  made: Made,
  deps: AttemptDeps,
): Promise<AttemptResult> {
  const { folder } = planned.test;
  const [first, ...others] = made.turns.map(({ run, log }) => subjectOf(run, folder, deps, log));
  if (!first) throw new Error("there is no run to judge");
  const { ended } = made;
  const subjects = [first, ...others] as const;
  const subject = ended === undefined ? first : wholeSubject(subjects, planned.constraints);
  const { run } = subject;
  try {
    const turns = ended === undefined ? [first] : subjects;
    const judged = await judgeConversation(planned, { turns, whole: subject, stop: made.stop });
    const notes = [...(await placeNotes(subject.events())), ...(made.notes ?? []), ...noteOf(made.stop)];
    return {
      number,
      source: "run",
      ranAt: made.turns[0]?.run.created_at ?? run.created_at,
      ...judged,
      ...(run.options?.environment?.kind === "local" && { isolated: false as const }),
      ...notesOf(notes),
      ...(ended !== undefined && { thread: await threadOf({ ...made, ended }, subjects, judged.checks) }),
      ...(deps.differential === true && { substance: await substanceOf(run, subject.events()) }),
      ...(deps.evidence === true && { evidence: await collectEvidence(subject) }),
      durationMs: 0,
    };
  } finally {
    await Promise.all(made.turns.map((turn) => release(turn.run, deps.hub)));
  }
}

/** A fault of the user's side stands in the notes, too, because reports count them over all runs. */
function noteOf(stop: Made["stop"]): string[] {
  return stop?.ended === "simulator" ? [stop.reason] : [];
}

function notesOf(notes: readonly string[]): Pick<AttemptResult, "notes"> {
  return notes.length === 0 ? {} : { notes: [...new Set(notes)] };
}

/** Removes a run's workspace. What cannot be removed goes when the hub ends, or is swept when it starts. */
async function release({ id, options }: Run, hub: Hub): Promise<void> {
  const { workspace, environment } = options ?? {};
  if (workspace?.hold === true || environment?.hold === true) await hub.release(id).catch(() => undefined);
}

/** `held` names the run in flight, for an interruption to cancel. */
async function perform(
  planned: PlannedCase,
  number: number,
  agent: string | AgentSpec,
  deps: AttemptDeps,
  held: { runId?: string },
): Promise<Made> {
  const { id } = await submit(planned, number, agent, deps);
  held.runId = id;
  const ended = await waitForEnd(id, deps);
  await deps.onRun?.({ run: ended.run, planned, number, hub: deps.hub });
  return { turns: [ended] };
}

async function talk(
  planned: PlannedCase,
  number: number,
  agent: string | AgentSpec,
  deps: AttemptDeps,
  held: { runId?: string },
): Promise<Made> {
  const { test, constraints } = planned;
  const { onRun, hub, services } = deps;
  const checksEnd = (turn: number): boolean =>
    test.turns?.[turn - 1]?.checks.some(({ judgesAnyEnd }) => judgesAnyEnd) === true;
  return holdConversation(
    {
      user: openUser(test, services),
      task: test.task,
      constraints,
      async submit(turn) {
        const run = await submit(planned, number, agent, deps, turn);
        held.runId = run.id;
        return run;
      },
      goesOn: (run, turn) =>
        run.status === "completed" || run.status === "partial" || (checksEnd(turn) && !saysNothing(run)),
      ...(onRun && { onTurn: ({ run }, turn) => onRun({ run, planned, number, turn, hub }) }),
    },
    deps,
  );
}

async function submit(
  planned: PlannedCase,
  number: number,
  agent: string | AgentSpec,
  { hub, record, evaluationId }: AttemptDeps,
  turn?: NextTurn,
): Promise<Run> {
  const { suite, test, constraints, options, runs, key } = planned;
  const checks = checksOf(test);
  const hold = checks.some(({ needsWorkspace }) => needsWorkspace);
  const holdTerminal = checks.some(({ type }) => type === "verifier");
  const asked = {
    ...options,
    ...(hold && { workspace: { ...options.workspace, hold } }),
    ...(holdTerminal && { environment: { ...options.environment, hold: true } }),
    ...(record === true && { record }),
  };
  const { run } = await hub.submit({
    agent,
    task: turn?.task ?? test.task,
    constraints: turn?.constraints ?? constraints,
    ...(test.environment && { context: { environment: test.environment } }),
    ...(Object.keys(asked).length > 0 && { options: asked }),
    // Of a conversation, the last run leads to all others.
    ...(key && turn?.last !== false && { alias: runAlias(key.run, number) }),
    ...(turn?.follows !== undefined && { follows: turn.follows }),
    metadata: {
      ...test.metadata,
      ...(evaluationId !== undefined && {
        [EVALUATION_KEY]: evaluationId,
        case_id: plannedCaseId(planned),
      }),
      suite: suite.name,
      test_id: test.id,
      run_number: number,
      total_runs: runs,
      ...(turn && { turn: turn.number }),
    },
  });
  return run;
}

/** Names the run by its content, so that the cache finds it again. */
export function runAlias(key: string, number: number): string {
  return `case:${key}:${number}`;
}

function durationOf(runs: readonly Run[]): number | undefined {
  const started = runs.at(0)?.started_at ?? null;
  const ended = runs.at(-1)?.ended_at ?? null;
  return started === null || ended === null ? undefined : Date.parse(ended) - Date.parse(started);
}

async function cancel(runId: string, hub: Hub): Promise<void> {
  try {
    await hub.cancel(runId, "the suite was interrupted");
  } catch {
    // It ended by itself, or the hub is gone: either way there is nothing left to cancel.
  }
}
