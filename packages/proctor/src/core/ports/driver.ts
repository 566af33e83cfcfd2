// The half of a protocol that makes us drive an agent. A driver only translates: time, limits, redaction, retries and
// storage belong to the engine.
import type { AgentSpec } from "../agent.ts";
import type { EventDraft } from "../event.ts";
import type { Failure } from "../failure.ts";
import type { Json, JsonObject } from "../json.ts";
import type { Message } from "../message.ts";
import type { Metrics } from "../metrics.ts";
import type { Answer, NewQuestion, QuestionKind } from "../question.ts";
import type { TerminalStatus } from "../run.ts";
import type { RunOptions } from "../run-options.ts";
import type { Constraints, Context, Task } from "../task.ts";
import type { Environment } from "./environments.ts";

/** One attempt, as the driver needs to know it. Secrets are real here and go nowhere but to the agent. */
export interface Job {
  runId: string;
  spec: AgentSpec;
  task: Task;
  constraints: Constraints;
  context: Context;
  metadata: JsonObject;
  traceId: string;
  /** Whether the driver reports every message that travels as a `wire.message`. */
  record?: boolean;
  /** Where the agent's program runs; on the hub's machine itself when absent. */
  environment?: Environment;
  /** The terminal that a terminal agent types into; present where the driver needs one. */
  terminal?: Environment;
  options?: RunOptions;
  /** Variables that the platform gives to the agent's program: its model endpoint. */
  env?: Readonly<Record<string, string>>;
  /** The client's message, where it was more than the task's text. */
  message?: Message;
  /** What was said earlier in the conversation; absent when this run begins it. */
  conversation?: JobConversation;
  /** Present when a worker resumes a session that was parked. */
  resume?: {
    /** Number of messages and answers that wait for the agent: `say` and `answer` are called for each, once the session is open. */
    pending: number;
    /** Whether the session is opened only to cancel the agent's work. */
    cancel?: boolean;
  };
  /** Replaces secrets; absent when the run has none. Only for content that must not change its form when the engine replaces them. */
  redact?: (content: Uint8Array) => Uint8Array;
}

export interface JobConversation {
  id: string;
  /** Resolves with the messages of the runs that this one follows, oldest first: those of the user's side, and the agent's answers. */
  history(): Promise<Message[]>;
  /** The last continuation that this driver reported, in the run that this one follows or in this run before it was parked. */
  continuation?: Json;
}

/** How the engine stops an attempt: first it asks (`cancel`), after a grace it insists (`kill`). */
export interface StopSignals {
  /** The driver tells the agent to stop in its protocol's words, and keeps reporting what still comes. */
  cancel: AbortSignal;
  /** The driver releases everything now: connections, processes, their children. */
  kill: AbortSignal;
}

/** An artifact as it arrived, with its bytes. The engine stores, hashes, redacts and records it. */
export type ReceivedArtifact =
  | {
      type: "file";
      path: string;
      content?: Uint8Array;
      /** Reads the content piece by piece, once, where it is too large for `content`. */
      read?: () => AsyncIterable<Uint8Array>;
      content_type?: string;
      size_bytes?: number;
      content_hash?: string;
      extensions?: JsonObject;
    }
  | { type: "structured"; name: string; data: Json; schema?: string; extensions?: JsonObject }
  | {
      type: "reference";
      path: string;
      /** The path is an address of something that is not in the run's directory, and is not looked for there. */
      elsewhere?: true;
      content_type?: string;
      size_bytes?: number;
      content_hash?: string;
      extensions?: JsonObject;
    };

/** How the agent says it ended. The engine may know better (time, budget, cancellation). */
export interface AgentEnd {
  status: TerminalStatus;
  failure?: Failure;
  metrics?: Metrics;
  extensions?: JsonObject;
}

/** What a driver reports, in the order in which it happened. */
export type AgentReport =
  | { kind: "event"; event: AgentEventDraft }
  | { kind: "artifact"; artifact: ReceivedArtifact }
  /** A whole message of the agent. */
  | { kind: "message"; message: Message }
  /** The next piece of a message that the agent is saying; the first opens it, `last` closes it. `part` numbers its texts from 0. */
  | { kind: "text"; messageId: string; part: number; text: string; last: boolean }
  /** A piece of an artifact. `append: false` replaces what came before. */
  | {
      kind: "chunk";
      artifactId: string;
      name: string;
      content: Uint8Array;
      content_type?: string;
      append: boolean;
      last: boolean;
      /** Fields for the record of the whole artifact; those of its first piece count. */
      extensions?: JsonObject;
    }
  /** The agent needs something. The question is answered by `answer`, or the run is stopped. */
  | { kind: "question"; question: NewQuestion }
  | { kind: "withdrawn"; questionId: string; reason: string }
  /** The data to continue this session later, in this run or in one that follows it; it is sealed. `ids` may be shown. */
  | { kind: "session"; continuation: Json; ids?: JsonObject }
  /** The last report of a session that holds no resources here: an answer, or the time `checkAt`, opens it again. */
  | { kind: "parked"; checkAt?: string }
  | { kind: "end"; end: AgentEnd };

/** The events that a driver may report: those of agents, and what the driver observed of them. */
export type AgentEventDraft = Exclude<
  EventDraft,
  {
    type:
      | `run.${string}`
      | `step.${string}`
      | `artifact.${string}`
      | `message.${string}`
      | `question.${string}`
      | `session.${string}`
      | "tool.called"
      | "workspace.kept"
      | "environment.opened";
  }
>;

/**
 * A started attempt. Iterating it yields reports and ends after exactly one of kind "end" or "parked". It never throws for anything
 * the agent does. Not reading it holds the agent back (its pipe or socket fills up). Leaving the loop early stops it.
 */
export interface AgentSession extends AsyncIterable<AgentReport> {
  /** Present where the agent itself can be paused: a process is stopped and continued. */
  pause?(): void;
  resume?(): void;
  /** Resolves when the agent has the message. Absent where an agent at work takes no messages. */
  say?(message: Message): Promise<void>;
  /** Resolves when the agent has the answer. Every driver that reports questions has this method. */
  answer?(questionId: string, answer: Answer): Promise<void>;
}

/** Which messages a protocol's agents take, and which questions they may ask. */
export interface Talks {
  /** Whether messages reach an agent that is at work. */
  says?: boolean;
  /** Kinds of questions that the agents may ask. */
  asks?: readonly QuestionKind[];
  /** Whether a session can be left and opened again, even by another process. */
  parks?: boolean;
  /** Whether a run may follow another: the driver continues from a continuation, or sends the history. */
  follows?: boolean;
  /** Whether every run receives all that was said before it, so that one may continue from any message of another. */
  history?: boolean;
  /** Whether a conversation has one run at a time; `parallel` when absent. */
  turns?: "serial" | "parallel";
}

export interface AgentDriver {
  /** Absent where the protocol's agents take a task and answer, and nothing else. */
  readonly talks?: Talks;
  /** What the protocol's agents need; the engine makes it before `open`. */
  readonly needs?: { terminal?: boolean; model?: boolean };
  /**
   * Its agents' work is other runs: it takes none of their slots, has more time to stop than they have, and a hub that stops leaves it to the
   * next hub. It parks.
   */
  readonly coordinates?: true;
  open(job: Job, signals: StopSignals): AgentSession;
}

/** Finds the driver for an agent; throws UNKNOWN_SCHEME when no protocol speaks its address. */
export type DriverLookup = (spec: AgentSpec) => AgentDriver;
