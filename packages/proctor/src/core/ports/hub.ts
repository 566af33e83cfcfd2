// The one thing commands, suites and surfaces talk to. Two implementations: in this process (engine/hub.ts), and a hub
// elsewhere over HTTP (hub/http-hub.ts). hub.case.ts holds both to the same promises.
import type { Agent, AgentSpec } from "../agent.ts";
import type { Artifact } from "../artifact.ts";
import type { EventDraft, RunEvent } from "../event.ts";
import type { JsonObject } from "../json.ts";
import type { NumberedPage, Page, PageRequest } from "../page.ts";
import type { Run } from "../run.ts";
import type { RunOptions } from "../run-options.ts";
import type { Constraints, Context, RetryPolicy, Task } from "../task.ts";
import type { ByteRange } from "./blob-store.ts";
import type { Step } from "../step.ts";
import type { RunPageQuery, RunQuery } from "./store.ts";

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

/**
 * A run whose client does the work: it has no agent, and is running from its creation on. Nobody needs an environment or tools
 * there: `context.environment`, `options.tools` and `options.canary` are refused.
 */
export interface ClientRunRequest extends Omit<RunRequest, "agent" | "retry"> {}

/** What the client of such a run may tell. Checked as a whole against the run and its steps, written all or nothing. */
export type ClientDraft = Extract<
  EventDraft,
  { type: "step.added" | "step.changed" | "run.paused" | "run.resumed" | "run.ended" }
>;

/** A file that a client gives to a run. Kept as it comes: nothing is looked for in it. */
export interface NewFile {
  /** Base name. */
  fileName: string;
  /**
   * Where it belongs, with `/`, the file name included. Display only. In this process it is looked at after the content has been
   * read, so that a form may name it after its file.
   */
  relativePath: string;
  contentType: string;
  stepId?: string;
  /** At most so many bytes, or PAYLOAD_TOO_LARGE and nothing is kept. */
  maxBytes: number;
  /**
   * The name under which the bytes also stand in the artifacts directory; none when absent. Begins with `<run id>_`; NAME_TAKEN when
   * there is one.
   */
  storedAs?: string;
  content: AsyncIterable<Uint8Array>;
}

export type { NumberedPage };

/** A client's run and its steps, as of one event of its log. */
export interface ClientState {
  run: Run;
  steps: readonly Step[];
  /** Of that event. */
  sequence: number;
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
  /**
   * Replays the log after `after` (-1 for all), then follows it live; ends after `run.ended`. Whoever has seen that gets what clients
   * have added since, and no more.
   */
  follow(id: string, after: number, signal: AbortSignal): AsyncIterable<RunEvent>;
  /** Cancelling a cancelled run is a no-op; any other ended run is ILLEGAL_TRANSITION. */
  cancel(id: string, reason?: string): Promise<Run>;
  pause(id: string): Promise<Run>;
  resume(id: string): Promise<Run>;
  /** Creates a run that waits for `start`; nothing happens before. */
  prepare(request: RunRequest, options?: SubmitOptions): Promise<{ run: Run; created: boolean }>;
  /** Queues a prepared run; a no-op for one that is queued or further. */
  start(id: string): Promise<Run>;
  openClientRun(request: ClientRunRequest, options?: SubmitOptions): Promise<{ run: Run; created: boolean }>;
  /**
   * Tells what the client of a client run did; the drafts see the steps as they are, and are written in the same commit. May be asked
   * for the drafts again when somebody else was faster. Throws ILLEGAL_TRANSITION, STEP_NOT_FOUND, LIMIT_REACHED; INVALID_REQUEST for
   * a run that an agent performs.
   */
  tell(id: string, drafts: (state: ClientState) => readonly ClientDraft[]): Promise<ClientState>;
  /** The steps of any run, and the sequence up to which they are folded. */
  steps(id: string): Promise<ClientState>;
  /**
   * Resolves when the bytes are on disk and the artifact in the log. Allowed after the run's end. Throws STEP_NOT_FOUND,
   * PAYLOAD_TOO_LARGE, LIMIT_REACHED, NAME_TAKEN, or what the content throws; then nothing is kept.
   */
  addFile(runId: string, file: NewFile): Promise<Artifact>;
  removeArtifact(runId: string, artifactId: string): Promise<void>;
  /** Cancels it if it is live, then removes it with its log, artifacts and bytes: rows first, then files. */
  remove(id: string): Promise<void>;
  /** Runs by page number, newest first, and how many there are. */
  runsPage(page: RunPageQuery): Promise<{ items: Run[]; total: number }>;
  artifact(runId: string, artifactId: string): Promise<Artifact>;
  /** The bytes; ARTIFACT_NOT_FOUND when the artifact has none here. */
  readArtifact(runId: string, artifactId: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array>>;

  agents(page: PageRequest): Promise<Page<Agent>>;
  agent(name: string): Promise<Agent>;
  addAgent(agent: NewAgent, options?: { replace?: boolean }): Promise<Agent>;
  removeAgent(name: string): Promise<void>;

  close(): Promise<void>;
}
