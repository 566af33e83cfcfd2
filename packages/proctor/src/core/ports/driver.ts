// The half of a protocol that makes us drive an agent. A driver only translates: time, limits, redaction, retries and
// storage belong to the engine.
import type { AgentSpec } from "../agent.ts";
import type { EventDraft } from "../event.ts";
import type { Failure } from "../failure.ts";
import type { Json, JsonObject } from "../json.ts";
import type { Metrics } from "../metrics.ts";
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
  /** The driver reports every message that travels as a `wire.message`. */
  record?: boolean;
  /** Where the agent's program runs; on the hub's machine itself when absent. */
  environment?: Environment;
  /** What a terminal agent types into; present where the driver needs one. */
  terminal?: Environment;
  options?: RunOptions;
  /** Variables that the platform gives to the agent's program: its model endpoint. */
  env?: Readonly<Record<string, string>>;
  /** Replaces secrets; absent when the run has none. Only for what must not change its form when the engine replaces them. */
  redact?: (content: Uint8Array) => Uint8Array;
}

/** How the engine stops an attempt: first it asks (`cancel`), after a grace it insists (`kill`). */
export interface StopSignals {
  /** The driver tells the agent to stop in its protocol's words, and keeps reporting what still comes. */
  cancel: AbortSignal;
  /** The driver releases everything now: connections, processes, their children. */
  kill: AbortSignal;
}

/** An artifact as it came, with its bytes. The engine stores, hashes, redacts and records it. */
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
  | { kind: "end"; end: AgentEnd };

/** The events a driver may report: what agents say, and what the driver saw of them. */
export type AgentEventDraft = Exclude<
  EventDraft,
  {
    type:
      | `run.${string}`
      | `step.${string}`
      | `artifact.${string}`
      | "tool.called"
      | "workspace.kept"
      | "environment.opened";
  }
>;

/**
 * A started attempt. Iterating it yields reports and ends after exactly one of kind "end". It never throws for anything
 * the agent does. Not reading it holds the agent back (its pipe or socket fills up). Leaving the loop early stops it.
 */
export interface AgentSession extends AsyncIterable<AgentReport> {
  /** Present where the agent itself can be paused: a process is stopped and continued. */
  pause?(): void;
  resume?(): void;
}

export interface AgentDriver {
  /** What its agents need; the engine makes it before `open`. */
  readonly needs?: { terminal?: boolean; model?: boolean };
  open(job: Job, signals: StopSignals): AgentSession;
}

/** Finds the driver for an agent; throws UNKNOWN_SCHEME when no protocol speaks its address. */
export type DriverLookup = (spec: AgentSpec) => AgentDriver;
