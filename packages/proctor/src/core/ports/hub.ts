// The one thing commands, suites and surfaces talk to. Two implementations: in this process (engine/hub.ts), and a hub
// elsewhere over HTTP (hub/http-hub.ts). hub.case.ts holds both to the same promises.
import type { Agent, AgentSpec } from "../agent.ts";
import type { AgentProfile } from "../agent-profile.ts";
import type { Artifact } from "../artifact.ts";
import type { EventDraft, RunEvent } from "../event.ts";
import type { ForkPoint, ForkRequest } from "../fork.ts";
import type { JsonObject } from "../json.ts";
import type { Message, NewMessage } from "../message.ts";
import type { NumberedPage, Page, PageRequest } from "../page.ts";
import type { NewAnswer } from "../question.ts";
import type { Run } from "../run.ts";
import type { RunOptions } from "../run-options.ts";
import type { Constraints, Context, RetryPolicy, Task } from "../task.ts";
import type { ByteRange } from "./blob-store.ts";
import type { Step } from "../step.ts";
import type { OpenQuestion, QuestionQuery, RunPageQuery, RunQuery, TreeTally } from "./store.ts";
import type { Verification, VerifyRequest } from "./verify.ts";
import type { WorkspaceView } from "./workspaces.ts";

export interface RunRequest {
  /** The agent: a registered name, an address, or the long form. */
  agent: string | AgentSpec;
  task: Task;
  constraints?: Constraints;
  context?: Context;
  metadata?: JsonObject;
  retry?: RetryPolicy;
  options?: RunOptions;
  /** The client's own name for the run, to find it by: at most 400 characters, need not be unique. */
  alias?: string;
  /** The conversation that the run joins, at most 400 characters; one of its own when absent, or that of the run it follows. */
  conversation_id?: string;
  /** Id of an ended run of the same conversation to continue from. */
  follows?: string;
  /** Id of the run whose work this one is a part of. */
  parent_id?: string;
  /** The client's message, where it is more than the task's text; recorded as the run's first message. */
  message?: NewMessage;
}

/** A message and the run in which it was said. */
export interface ConversationMessage {
  run_id: string;
  /** Sequence of the event that completed the message; null for what stands in the task or in the run's result. */
  sequence: number | null;
  message: Message;
}

/** The runs that belong together, oldest first, and what was said in them. */
export interface Conversation {
  id: string;
  runs: Run[];
  messages: ConversationMessage[];
  /** True when more was said than is shown; the newest messages are shown. */
  cut: boolean;
}

export interface SubmitOptions {
  idempotencyKey?: string;
  /** Id of the trace, 32 hex digits; a new one when absent. */
  traceId?: string;
  /** Id of the span that asks, in that trace: 16 hex digits. */
  parentSpanId?: string;
}

/**
 * A run whose client does the work: it has no agent, and is running from its creation. An environment and tools would have no user
 * there: `context.environment`, `options.tools` and `options.canary` are refused.
 */
export interface ClientRunRequest extends Omit<RunRequest, "agent" | "retry"> {}

/** What the client of such a run may report. All of it is checked against the run and its steps, and written, or nothing is. */
export type ClientDraft = Extract<
  EventDraft,
  { type: "step.added" | "step.changed" | "run.paused" | "run.resumed" | "run.ended" }
>;

/** A file that a client gives to a run. It is kept unchanged: no secrets are looked for in it. */
export interface NewFile {
  /** The base name of the file. */
  fileName: string;
  /**
   * The path of the file, with `/`, its name included; for display only. In this process it is read after the content, so that a form
   * may send the file before the path.
   */
  relativePath: string;
  contentType: string;
  stepId?: string;
  /** The most bytes that the file may have; with more, nothing is kept and the answer is PAYLOAD_TOO_LARGE. */
  maxBytes: number;
  /**
   * A name, beginning with `<run id>_`, that the bytes also get in the artifacts directory; none when absent. NAME_TAKEN when another
   * file has it.
   */
  storedAs?: string;
  content: AsyncIterable<Uint8Array>;
}

export type { NumberedPage };

/** A client's run and its steps, as of one event of its log. */
export interface ClientState {
  run: Run;
  steps: readonly Step[];
  /** Sequence of the last event that the run and its steps take into account. */
  sequence: number;
}

export interface NewAgent extends AgentSpec, AgentProfile {
  name: string;
}

export interface Submitted {
  run: Run;
  /** False for a run that existed before, found by its idempotency key. */
  created: boolean;
  /** The request's message besides its task, as it was recorded; absent where it has none, or a hub elsewhere recorded it. */
  message?: Message;
}

export interface Hub {
  submit(request: RunRequest, options?: SubmitOptions): Promise<Submitted>;
  run(id: string): Promise<Run>;
  runs(query: RunQuery): Promise<Page<Run>>;
  /** Resolves with one page of the log: the events after the sequence `after`, in order. */
  events(id: string, page: { after?: number; limit?: number }): Promise<RunEvent[]>;
  /**
   * Replays the log after `after` (-1 for all), then follows it live; ends after `run.ended`. A reader that has seen `run.ended` gets
   * what clients have added since, and no more.
   */
  follow(id: string, after: number, signal: AbortSignal): AsyncIterable<RunEvent>;
  /** Cancelling a cancelled run is a no-op; any other ended run is ILLEGAL_TRANSITION. */
  cancel(id: string, reason?: string): Promise<Run>;
  pause(id: string): Promise<Run>;
  resume(id: string): Promise<Run>;
  /**
   * Says something to a run that has not ended; resolves when it is in the log. A repeated id changes nothing. Throws RUN_ENDED,
   * NOT_SUPPORTED, LIMIT_REACHED, PAYLOAD_TOO_LARGE.
   */
  say(id: string, message: NewMessage): Promise<Message>;
  /**
   * Answers an open question; resolves when it is in the log. A repeated id of an answer changes nothing. Throws QUESTION_NOT_FOUND,
   * ANSWERED_ALREADY, RUN_ENDED, FORBIDDEN, INVALID_REQUEST.
   */
  answer(id: string, answer: NewAnswer): Promise<Run>;
  /** Resolves with what was said in a run: the task, then everything in the order of the log, then the result of an agent that says nothing. */
  messages(id: string): Promise<ConversationMessage[]>;
  /** Lists questions that are not answered yet, those of the oldest run first. */
  questions(query: QuestionQuery): Promise<Page<OpenQuestion>>;
  /** Throws CONVERSATION_NOT_FOUND. */
  conversation(id: string): Promise<Conversation>;
  /** Resolves with the points from which another run can continue this one; none while it has not ended. */
  forkPoints(id: string): Promise<ForkPoint[]>;
  /** Makes a run that continues from a point of an ended one. Throws NOT_SUPPORTED where that is impossible, and what `submit` throws. */
  fork(id: string, request: ForkRequest, options?: SubmitOptions): Promise<Submitted>;
  /** Resolves with what a run and everything below it have used together. */
  tally(id: string): Promise<TreeTally>;
  /** Creates a run that waits for `start`; nothing happens before. */
  prepare(request: RunRequest, options?: SubmitOptions): Promise<{ run: Run; created: boolean }>;
  /** Queues a prepared run; a no-op for one that is queued or further. */
  start(id: string): Promise<Run>;
  openClientRun(request: ClientRunRequest, options?: SubmitOptions): Promise<{ run: Run; created: boolean }>;
  /**
   * Writes what the client of a client run did. `drafts` receives the run and its steps as they are, and is called again when another writer
   * was faster. Throws ILLEGAL_TRANSITION, STEP_NOT_FOUND, LIMIT_REACHED; INVALID_REQUEST for
   * a run that an agent performs.
   */
  tell(id: string, drafts: (state: ClientState) => readonly ClientDraft[]): Promise<ClientState>;
  /** Resolves with the steps of any run, and the sequence up to which they are folded. */
  steps(id: string): Promise<ClientState>;
  /**
   * Resolves when the bytes are on disk and the artifact in the log. Allowed after the run's end. Throws STEP_NOT_FOUND,
   * PAYLOAD_TOO_LARGE, LIMIT_REACHED, NAME_TAKEN, or what the content throws; then nothing is kept.
   */
  addFile(runId: string, file: NewFile): Promise<Artifact>;
  removeArtifact(runId: string, artifactId: string): Promise<void>;
  /** Cancels the run if it has not ended, then removes it with its log, artifacts and bytes: rows first, then files. */
  remove(id: string): Promise<void>;
  /** Lists runs by page number, newest first, with their total number. */
  runsPage(page: RunPageQuery): Promise<{ items: Run[]; total: number }>;
  artifact(runId: string, artifactId: string): Promise<Artifact>;
  /** Reads the artifact's bytes; throws ARTIFACT_NOT_FOUND when this hub has none. */
  readArtifact(runId: string, artifactId: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array>>;
  /**
   * The directory of an ended run, as far as its options kept or held it: the directory itself, or a copy of it on this machine that
   * goes with `release` or `close`. NOT_FOUND when there is none.
   */
  openWorkspace(runId: string): Promise<WorkspaceView>;
  /** Resolves with the same directory as a tar stream; throws PAYLOAD_TOO_LARGE above 1 GiB or 100,000 entries. */
  packWorkspace(runId: string): Promise<AsyncIterable<Uint8Array>>;
  /** Judges an ended run in the environment of its work. Throws what keeps the environment from being made. */
  verify(request: VerifyRequest, signal: AbortSignal): Promise<Verification>;
  /** Removes what was held of an ended run for its checks: its directory and its terminal. A no-op where nothing is held. */
  release(runId: string): Promise<void>;

  agents(page: PageRequest): Promise<Page<Agent>>;
  agent(name: string): Promise<Agent>;
  addAgent(agent: NewAgent, options?: { replace?: boolean }): Promise<Agent>;
  removeAgent(name: string): Promise<void>;

  close(): Promise<void>;
}
