// The one thing commands, suites and surfaces talk to. Two implementations: in this process (engine/hub.ts), and a hub
// elsewhere over HTTP (cli/http-hub.ts). hub.case.ts holds both to the same promises.
import type { Agent, AgentSpec } from "../agent.ts";
import type { Artifact } from "../artifact.ts";
import type { RunEvent } from "../event.ts";
import type { JsonObject } from "../json.ts";
import type { Page, PageRequest } from "../page.ts";
import type { Run } from "../run.ts";
import type { RunOptions } from "../run-options.ts";
import type { Constraints, Context, RetryPolicy, Task } from "../task.ts";
import type { ByteRange } from "./blob-store.ts";
import type { RunQuery } from "./store.ts";

export interface RunRequest {
  /** A registered name, an address, or the long form. */
  agent: string | AgentSpec;
  task: Task;
  constraints?: Constraints;
  context?: Context;
  metadata?: JsonObject;
  retry?: RetryPolicy;
  options?: RunOptions;
  /** The client's own name for the run, to find it by: at most 400 characters, need not be unique. */
  alias?: string;
}

export interface SubmitOptions {
  idempotencyKey?: string;
  /** 32 hex digits; a new one when absent. */
  traceId?: string;
}

export interface NewAgent extends AgentSpec {
  name: string;
}

export interface Hub {
  submit(request: RunRequest, options?: SubmitOptions): Promise<{ run: Run; created: boolean }>;
  run(id: string): Promise<Run>;
  runs(query: RunQuery): Promise<Page<Run>>;
  /** One page of the log, in order: what came after the sequence `after`. */
  events(id: string, page: { after?: number; limit?: number }): Promise<RunEvent[]>;
  /** Replays the log after `after` (-1 for all), then follows it live; ends after `run.ended`. */
  follow(id: string, after: number, signal: AbortSignal): AsyncIterable<RunEvent>;
  /** Cancelling a cancelled run is a no-op; any other ended run is ILLEGAL_TRANSITION. */
  cancel(id: string, reason?: string): Promise<Run>;
  pause(id: string): Promise<Run>;
  resume(id: string): Promise<Run>;
  artifact(runId: string, artifactId: string): Promise<Artifact>;
  /** The bytes; ARTIFACT_NOT_FOUND when the artifact has none here. */
  readArtifact(runId: string, artifactId: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array>>;

  agents(page: PageRequest): Promise<Page<Agent>>;
  agent(name: string): Promise<Agent>;
  addAgent(agent: NewAgent, options?: { replace?: boolean }): Promise<Agent>;
  removeAgent(name: string): Promise<void>;

  close(): Promise<void>;
}
