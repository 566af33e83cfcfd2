// One appended fact about a run. What an agent reports keeps the names of document 000, "Event Types"; what the
// platform itself knows is named noun.past-verb. An agent can never write into the platform's half.
import type { AgentSpec } from "./agent.ts";
import type { Artifact } from "./artifact.ts";
import type { EnvironmentFacts } from "./environment.ts";
import type { Failure } from "./failure.ts";
import type { GoalPlan, RouteDecision, SubtaskKey, SubtaskReview, SubtaskStatus } from "./goal.ts";
import type { Json, JsonObject } from "./json.ts";
import type { Message, Part } from "./message.ts";
import type { PlanProblem } from "./plan.ts";
import type { Metrics } from "./metrics.ts";
import type { Answer, Answerer, Question } from "./question.ts";
import type { WireMessage } from "./recording.ts";
import type { RunStatus, TerminalStatus } from "./run.ts";
import type { RunOptions } from "./run-options.ts";
import type { StepStatus } from "./step.ts";
import type { ObservedCall } from "./tools.ts";
import type { Constraints, Context, RetryPolicy, Task } from "./task.ts";

export const AGENT_EVENT_TYPES = [
  "tool_call",
  "llm_request",
  "reasoning",
  "state_change",
  "artifact_created",
  "error",
  "progress",
] as const;

export type AgentEventType = (typeof AGENT_EVENT_TYPES)[number];

/** Payloads as agents report them: every field may be missing, unknown ones are kept. */
export interface AgentEventPayloads {
  tool_call: JsonObject & {
    tool?: string;
    input?: Json;
    output?: Json;
    duration_ms?: number;
    status?: string;
    error?: string | null;
    /** Extension: pairs a started call with its end, so that it counts once. */
    call_id?: string;
  };
  llm_request: JsonObject & {
    model?: string;
    input_tokens?: number;
    output_tokens?: number;
    duration_ms?: number;
    temperature?: number;
    stop_reason?: string;
    cost_usd?: number;
  };
  reasoning: JsonObject & { thought?: string; plan?: Json; step?: string };
  state_change: JsonObject & { from_state?: string; to_state?: string; reason?: string };
  artifact_created: JsonObject & { artifact_type?: string; path?: string; size_bytes?: number };
  error: JsonObject & {
    error_type?: string;
    message?: string;
    recoverable?: boolean;
    retry_after_ms?: number;
  };
  progress: JsonObject & {
    current_step?: number;
    total_steps?: number;
    percentage?: number;
    message?: string;
  };
}

/** The rule that an agent breaks whose output is not what its capability returns. */
export const RETURNS_RULE = "capability.returns";

/** A rule of a protocol that the agent broke, and where. */
export interface Violation extends JsonObject {
  /** Dotted, stable, documented name of the rule: `atp.sequence`, `line.too_long`. */
  rule: string;
  message: string;
  where?: string;
  /** Number of further violations of the same rule that were counted and not recorded one by one. */
  repeated?: number;
  /** Whose rule it is: that of the protocol's document, or Proctor's own. Absent in logs of older versions. */
  owner?: "document" | "proctor";
  /** The section of the document that has the rule. */
  section?: string;
}

export interface PlatformEventPayloads {
  "run.created": {
    agent: string;
    spec: AgentSpec;
    task: Task;
    constraints: Constraints;
    context: Context;
    metadata: JsonObject;
    /** Options of the run; absent when the client set none. */
    options?: RunOptions;
    /** The client's own name for the run. */
    alias?: string;
    retry: RetryPolicy | null;
    attempt: number;
    retry_of: string | null;
    trace_id: string;
    /** Id of the span that asked for the run; absent where the request named none. */
    parent_span_id?: string;
    /** Id of the conversation that the run belongs to; when absent, its own, with the id of the run. */
    conversation_id?: string;
    /** Id of the ended run of the same conversation that this one continues. */
    follows?: string;
    /** Id of the run whose work this one is a part of. */
    parent_id?: string;
    /** Id of the run at the top of the tree; absent when the run has no parent. */
    root_id?: string;
  };
  /** `not_before` (ISO 8601) when a retry waits out its delay. */
  "run.queued": { not_before?: string };
  "run.started": { worker: string };
  "run.paused": JsonObject;
  "run.resumed": JsonObject;
  /** What clients want of a run; its owner follows the log and acts on it. */
  "run.cancel_requested": {
    reason: string;
    by?: Answerer;
    /** The failure with which the run ends instead of being cancelled: together with others it used too much. */
    failure?: Failure;
  };
  "run.pause_requested": { by?: Answerer };
  "run.resume_requested": { by?: Answerer };
  "run.ended": {
    status: TerminalStatus;
    failure?: Failure;
    metrics?: Metrics;
    retried_as?: string;
    /** Fields of the agent's answer that Proctor does not know, kept (invariant 6). */
    extensions?: JsonObject;
  };
  "artifact.added": {
    artifact: Artifact;
    /** Id of the step that the artifact belongs to. */
    step_id?: string;
    /** Set when a client gave the artifact, which it may do even after the run's end. */
    by?: "client";
  };
  /** A client took an artifact back. */
  "artifact.removed": { artifact_id: string };
  /** A client does the work of this run, step by step. */
  "step.added": { step_id: string; name: string; input: Json; additional_input: JsonObject };
  "step.changed": {
    step_id: string;
    status?: StepStatus;
    output?: Json;
    additional_output?: JsonObject;
    is_last?: boolean;
  };
  /** A whole message: of a client, or of an agent that does not stream. */
  "message.added": { message: Message };
  /** An agent begins to say something. */
  "message.opened": { id: string; role: "agent" };
  /** More text of the part with this number. */
  "message.extended": { id: string; part: number; text: string };
  /** The message is whole: number of characters of its texts, their sha256 in order of arrival, and the parts that are not texts. */
  "message.closed": { id: string; chars: number; sha256: string; parts: Part[] };
  /** The agent has the message. */
  "message.delivered": { id: string };
  "question.asked": { question: Question };
  "question.answered": { id: string; answer: Answer };
  /** The agent no longer asks the question, or the run ended. */
  "question.withdrawn": { id: string; reason: string };
  /** People were notified of the question, each by an envelope. */
  "question.notified": { id: string; to: string[] };
  /** The question was not answered in time: it is answered as the run's options say, the action is denied, or the run fails. */
  "question.expired": { id: string; effect: "answer" | "deny" | "fail"; answer?: Answer };
  /** The agent has the answer. */
  "question.delivered": { id: string };
  /** The data with which the driver can continue this session is sealed next to the run. `ids` may be shown. */
  "session.opened": { protocol: string; ids?: JsonObject };
  /** No process holds the session any more: any worker may continue it. */
  "session.parked": { check_at?: string };
  /** An artifact arrives piece by piece; `artifact.added` is the whole. */
  "artifact.opened": {
    id: string;
    name: string;
    /** Id of the artifact that the pieces become. */
    artifact_id?: string;
    content_type?: string;
    /** Fields that the artifact's record receives. */
    extensions?: JsonObject;
  };
  "artifact.extended": {
    id: string;
    size_bytes: number;
    /** The next piece of a text that can be shown, redacted; absent for bytes, and for texts that are too long. */
    text?: string;
    /** True where this piece replaces everything before it. */
    restart?: boolean;
  };
  /** A goal has its plan, which is an artifact of the run. */
  "plan.made": GoalPlan;
  /** A plan of an agent cannot be carried out; the agent receives the problems, and may plan again. */
  "plan.refused": { problems: PlanProblem[]; run_id?: string };
  /** A `foreach` has found its list. */
  "subtask.expanded": { task: string; items: number };
  /** A run was submitted for a sub-task. */
  "subtask.started": {
    key: SubtaskKey;
    attempt: number;
    run_id: string;
    agent: string;
    route?: RouteDecision;
    /** What the run is for, where it is not the sub-task's own work. */
    purpose?: "review" | "compensate";
  };
  /** A try has ended, and another one follows. */
  "subtask.retried": {
    key: SubtaskKey;
    attempt: number;
    run_id?: string;
    status: RunStatus;
    failure?: Failure;
    next: "retry" | "fallback" | "review";
    delay_ms: number;
    stop_ms?: number;
  };
  "subtask.reviewed": SubtaskReview & { key: SubtaskKey; attempt: number };
  /** Nothing more happens to the sub-task. */
  "subtask.settled": {
    key: SubtaskKey;
    status: SubtaskStatus;
    run_id?: string;
    run_status?: RunStatus;
    failure?: Failure;
    reason?: string;
    stop_ms?: number;
  };
  "process.exited": {
    code: number | null;
    signal: string | null;
    /** Number of processes that the agent left behind, which were killed. */
    leftover?: number;
  };
  log: {
    /** `message`: text that came over a connection and was neither event nor response. */
    stream: "stdout" | "stderr" | "message" | "platform";
    text: string;
    /** Number of bytes that were dropped, where the text is only the beginning of what came. */
    dropped_bytes?: number;
  };
  /** An environment was made for the run: for its program, or its terminal. */
  "environment.opened": EnvironmentFacts;
  /** The run's directory outlives the run: for good, or until the caller who asked for it has judged the run. */
  "workspace.kept": { path: string; until?: "judged" };
  /** A call of a tool as the platform saw it at the run's tool endpoint. */
  "tool.called": ObservedCall;
  /** A message as it travelled, where the run is recorded. What the agent meant by it is an event of its own. */
  "wire.message": WireMessage;
  violation: Violation;
  /** An event kind we do not know, kept with its own name inside. */
  unknown: { event_type: string; payload: Json };
}

type EventPayloads = AgentEventPayloads & PlatformEventPayloads;
export type EventType = keyof EventPayloads;

/** What an agent's message said about itself, apart from the payload: its own sequence, time, unknown fields. */
export type EventOrigin = JsonObject;

type EventOf<T extends EventType> = {
  run_id: string;
  /** Position of the event in its run's log, from 0 without gaps; never changes. */
  sequence: number;
  /** When the hub recorded the event, in ISO 8601. */
  timestamp: string;
  type: T;
  payload: EventPayloads[T];
  origin?: EventOrigin;
};

/** One event of a run, discriminated by `type`. */
export type RunEvent = { [T in EventType]: EventOf<T> }[EventType];

/** An event before it has a run and a place in the log. */
export type EventDraft = {
  [T in EventType]: { type: T; payload: EventPayloads[T]; origin?: EventOrigin };
}[EventType];
