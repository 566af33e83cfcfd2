// The fold from events to the run everybody sees (invariant 1). Stores keep its result beside the log and must agree
// with it; the engine uses the same metrics to enforce limits.
import { MAX_ARTIFACTS } from "./artifact.ts";
import { ProctorError } from "./errors.ts";
import {
  RETURNS_RULE,
  type AgentEventPayloads,
  type EventDraft,
  type EventType,
  type PlatformEventPayloads,
} from "./event.ts";
import { isAmount, isCount, possibleMetrics, tokensOf, type Metrics } from "./metrics.ts";
import { blockingOf, foldTalk, SILENT_SO_FAR, wasAsked, type Talk, type TalkState } from "./fold-talk.ts";
import { isClientRun, type Run, type RunStatus } from "./run.ts";
import { nextStatus, type Situation } from "./run-machine.ts";

/** The run, and what only the fold needs to remember between events. */
export interface RunState {
  run: Run;
  /** The `call_id`s of tool calls that reported a start and not yet an end. */
  openCalls: string[];
  /** Messages and questions of the run; absent while it has none. */
  talk?: TalkState;
}

/** Most violations that the run document shows; the log keeps all of them. */
export const MAX_VIOLATIONS_SHOWN = 50;
const MAX_OPEN_CALLS = 1000;
const STARTED = new Set(["started", "running", "pending"]);

/**
 * Applies one event; never changes its input. Throws ILLEGAL_TRANSITION when the run's state does not take it, and LIMIT_REACHED or
 * ARTIFACT_NOT_FOUND for what a client asks.
 */
export function applyEvent(
  state: RunState | null,
  runId: string,
  draft: EventDraft,
  timeMs: number,
): RunState {
  const before = state?.run.status ?? null;
  const status = nextStatus(situationOf(state), draft);
  if (status === undefined) throw illegal(runId, before, draft.type);
  if (state === null) return createState(runId, draft, timeMs);
  const { run } = state;
  // Asking the same again changes nothing, not even the status.
  if (draft.type === "question.asked" && wasAsked(state, draft.payload.question.id)) return state;
  const talk = talks(state, draft) ? foldTalk(run, state.talk ?? SILENT_SO_FAR, status, draft) : undefined;
  if (talk !== undefined) return move(withTalk(state, talk), status, draft, timeMs);
  switch (draft.type) {
    case "run.started":
    case "run.ended":
    case "run.queued":
    case "run.paused":
    case "run.resumed":
    case "run.cancel_requested":
      return move(state, status, draft, timeMs);
    case "artifact.added":
      return addArtifact(state, draft.payload);
    case "artifact.removed":
      return removeArtifact(state, draft.payload.artifact_id);
    case "violation":
      // There is one of those at most, it comes last, and reviews look for it.
      return run.violations.length >= MAX_VIOLATIONS_SHOWN && draft.payload.rule !== RETURNS_RULE
        ? state
        : withRun(state, { violations: [...run.violations, draft.payload] });
    case "tool.called":
      // A request to a lab is no call of a tool.
      return draft.payload.mode === "lab" ? state : withRun(state, { metrics: countObserved(run.metrics) });
    case "tool_call":
      return countToolCall(state, draft.payload);
    case "llm_request":
      return withRun(state, { metrics: countLlmRequest(run.metrics, draft.payload) });
    case "progress":
      return countProgress(state, draft.payload);
    default:
      return state;
  }
}

const TALK_TYPES: ReadonlySet<EventType> = new Set<EventType>([
  "message.added",
  "message.opened",
  "message.delivered",
  "question.asked",
  "question.answered",
  "question.withdrawn",
  "question.notified",
  "question.expired",
  "question.delivered",
  "session.parked",
]);

/** Starts, ends and requests of clients change the conversation only of a run that has one. */
function talks({ talk }: RunState, { type }: EventDraft): boolean {
  return TALK_TYPES.has(type) || (talk !== undefined && type.startsWith("run."));
}

function situationOf(state: RunState | null): Situation {
  if (state === null) return { status: null };
  const { run, talk } = state;
  const begin = { status: run.status, byClient: isClientRun(run), unbegun: run.started_at === null };
  return talk === undefined ? begin : { ...begin, parked: talk.parked, blocking: blockingOf(run) };
}

function withTalk(state: RunState, { questions, talk }: Talk): RunState {
  const run = questions === state.run.questions ? state.run : { ...state.run, questions };
  return { ...state, run, talk };
}

/** Returns the run in its new status. */
function move(state: RunState, status: RunStatus, draft: EventDraft, timeMs: number): RunState {
  const { run } = state;
  switch (draft.type) {
    case "run.started":
      // A run that was parked began long ago.
      return withRun(state, {
        status,
        started_at: run.started_at ?? notBefore(run.created_at, timeMs),
      });
    case "run.ended":
      return withRun(state, {
        status,
        ...endOf(run, draft.payload, notBefore(run.started_at ?? run.created_at, timeMs)),
      });
    default:
      return status === run.status ? state : withRun(state, { status });
  }
}

function createState(runId: string, draft: EventDraft, timeMs: number): RunState {
  if (draft.type !== "run.created") throw illegal(runId, null, draft.type);
  const { agent, task, constraints, context, metadata, options, alias, ...rest } = draft.payload;
  const { retry, attempt, retry_of, trace_id, parent_span_id, conversation_id, follows } = rest;
  const { parent_id, root_id } = rest;
  return {
    openCalls: [],
    run: {
      id: runId,
      agent,
      status: "created",
      task,
      constraints,
      context,
      metadata,
      options: options ?? {},
      alias: alias ?? null,
      retry,
      attempt,
      retry_of,
      retried_as: null,
      conversation_id: conversation_id ?? runId,
      follows: follows ?? null,
      parent_id: parent_id ?? null,
      root_id: root_id ?? runId,
      questions: [],
      trace_id,
      parent_span_id: parent_span_id ?? null,
      created_at: iso(timeMs),
      started_at: null,
      ended_at: null,
      metrics: {},
      artifacts: [],
      failure: null,
      extensions: null,
      violations: [],
    },
  };
}

function endOf(run: Run, end: PlatformEventPayloads["run.ended"], endedAt: string): Partial<Run> {
  const measured =
    run.started_at === null ? undefined : (Date.parse(endedAt) - Date.parse(run.started_at)) / 1000;
  return {
    ended_at: endedAt,
    failure: end.failure ?? null,
    extensions: end.extensions ?? null,
    retried_as: end.retried_as ?? null,
    // What the agent reports at the end replaces what its events added up to; the time is ours to measure.
    metrics: {
      ...run.metrics,
      ...finalMetrics(run.metrics, end.metrics),
      ...(measured !== undefined && { wall_time_seconds: measured }),
    },
  };
}

/** An agent that reports the parts of its tokens and no total has used at least their sum. */
function finalMetrics(before: Metrics, reported: Metrics = {}): Metrics {
  const metrics = possibleMetrics(reported);
  if (metrics.total_tokens !== undefined) return metrics;
  const total = tokensOf({ ...before, ...metrics });
  return total === undefined ? metrics : { ...metrics, total_tokens: total };
}

/** Beyond the limit, an agent's artifact is left out, and a client's is refused. */
function addArtifact(state: RunState, added: PlatformEventPayloads["artifact.added"]): RunState {
  const { id, artifacts } = state.run;
  if (artifacts.length < MAX_ARTIFACTS) return withRun(state, { artifacts: [...artifacts, added.artifact] });
  if (added.by !== "client") return state;
  throw new ProctorError("LIMIT_REACHED", `run ${id} has ${MAX_ARTIFACTS} artifacts and keeps no more`, {
    details: { run_id: id, max: MAX_ARTIFACTS },
  });
}

function removeArtifact(state: RunState, artifactId: string): RunState {
  const { id, artifacts } = state.run;
  const others = artifacts.filter((artifact) => artifact.id !== artifactId);
  if (others.length < artifacts.length) return withRun(state, { artifacts: others });
  throw new ProctorError("ARTIFACT_NOT_FOUND", `run ${id} has no artifact ${artifactId}`);
}

function countToolCall(state: RunState, call: AgentEventPayloads["tool_call"]): RunState {
  const { call_id: id, status } = call;
  if (id !== undefined && state.openCalls.includes(id)) {
    return STARTED.has(status ?? "")
      ? state
      : { ...state, openCalls: state.openCalls.filter((open) => open !== id) };
  }
  const metrics = { ...state.run.metrics, tool_calls: (state.run.metrics.tool_calls ?? 0) + 1 };
  const opens = id !== undefined && STARTED.has(status ?? "") && state.openCalls.length < MAX_OPEN_CALLS;
  return {
    ...state,
    run: { ...state.run, metrics: countSteps(metrics, metrics.tool_calls) },
    openCalls: opens ? [...state.openCalls, id] : state.openCalls,
  };
}

/** Calls that the agent does not report count as steps, too. */
function countObserved(metrics: Metrics): Metrics {
  const observed = (metrics.observed_tool_calls ?? 0) + 1;
  return countSteps({ ...metrics, observed_tool_calls: observed }, observed);
}

function countLlmRequest(metrics: Metrics, request: AgentEventPayloads["llm_request"]): Metrics {
  const input = count(request.input_tokens);
  const output = count(request.output_tokens);
  const llmCalls = (metrics.llm_calls ?? 0) + 1;
  const cost = isAmount(request.cost_usd) ? request.cost_usd : 0;
  return countSteps(
    {
      ...metrics,
      llm_calls: llmCalls,
      input_tokens: (metrics.input_tokens ?? 0) + input,
      output_tokens: (metrics.output_tokens ?? 0) + output,
      total_tokens: (metrics.total_tokens ?? 0) + input + output,
      ...(cost > 0 && { cost_usd: (metrics.cost_usd ?? 0) + cost }),
    },
    llmCalls,
  );
}

function countProgress(state: RunState, progress: AgentEventPayloads["progress"]): RunState {
  const step = count(progress.current_step);
  if (step <= (state.run.metrics.total_steps ?? 0)) return state;
  return withRun(state, { metrics: countSteps(state.run.metrics, step) });
}

/** Steps are the largest of: the step the agent says it is at, its model calls, its tool calls, those we saw. */
function countSteps(metrics: Metrics, steps: number): Metrics {
  return { ...metrics, total_steps: Math.max(metrics.total_steps ?? 0, steps) };
}

/** Returns a count that an agent sent; 0 for anything that cannot be a count. */
function count(value: unknown): number {
  return isCount(value) ? value : 0;
}

/** A clock may be set back in the middle of a run, which must not end before it began. */
function notBefore(earlier: string, timeMs: number): string {
  return Date.parse(earlier) >= timeMs ? earlier : iso(timeMs);
}

function withRun(state: RunState, changes: Partial<Run>): RunState {
  return { ...state, run: { ...state.run, ...changes } };
}

function iso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

function illegal(runId: string, status: string | null, type: string): ProctorError {
  return new ProctorError(
    "ILLEGAL_TRANSITION",
    status === null ? `run ${runId} does not exist yet` : `run ${runId} is ${status}: it takes no ${type}`,
    { details: { run_id: runId, status, event: type } },
  );
}
