// A run as a task of A2A, and what changed in it as an event of a stream.
import { artifactName, type Artifact } from "../../../core/artifact.ts";
import type { Hub, ConversationMessage } from "../../../core/ports/hub.ts";
import { isTerminal, type Run } from "../../../core/run.ts";
import type { A2aMessage, A2aPart, A2aTask, StreamResponse, TaskStatus } from "../model.ts";
import { sentAs } from "../sent-as.ts";
import { encodeArtifact, encodeArtifacts, encodeGrowing } from "./artifacts.ts";
import type { GrowingArtifact } from "./growing-artifacts.ts";
import { encodeMessage, noteMessage, type MessageScope } from "./messages.ts";
import type { Place } from "./place.ts";
import { questionMessage } from "./question-message.ts";
import type { Change, Says } from "./task-fold.ts";
import { shownQuestion, stateOf } from "./task-state.ts";

/** State of a task: its newest attempt, and what was said in all of them. */
export interface TaskView {
  /** Id of the first attempt. */
  taskId: string;
  run: Run;
  messages: readonly ConversationMessage[];
  /** Messages, and the questions and answers between them. */
  history: readonly ConversationMessage[];
  /** Artifacts that are not whole yet; none when absent. */
  growing?: readonly GrowingArtifact[];
  /** Time at which the task came into its state, in ISO 8601. */
  since: string;
}

export interface DocumentOptions {
  hub: Pick<Hub, "readArtifact">;
  place: Place;
}

export interface TaskShape {
  /** Newest messages of the history that are shown; all when absent. */
  historyLength?: number | undefined;
  /** False for no artifacts at all, not even an empty list. True when absent. */
  artifacts?: boolean;
}

/** Newest messages that are shown: a client that wants more reads the conversation at the neutral API. */
const MAX_HISTORY = 1000;
/** Key of the surface's own fields in a run's metadata. */
export const OWN_METADATA = "a2a";

export async function taskDocument(
  { taskId, run, messages, history, growing = [], since }: TaskView,
  { hub, place }: DocumentOptions,
  { historyLength, artifacts = true }: TaskShape = {},
): Promise<A2aTask> {
  const scope = { taskId, run, place };
  const kept = Math.min(historyLength ?? MAX_HISTORY, MAX_HISTORY);
  const { [OWN_METADATA]: _, ...metadata } = run.metadata;
  return {
    id: taskId,
    contextId: run.conversation_id,
    status: statusDocument(messages, since, scope),
    ...(artifacts && {
      artifacts: [
        ...(await encodeArtifacts(run.artifacts, { hub, place, runId: run.id })),
        ...growing.map((artifact) => encodeGrowing(artifact, artifact.text)),
      ],
    }),
    ...(kept > 0 && { history: history.slice(-kept).map(({ message }) => encodeMessage(message, scope)) }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
}

function statusDocument(
  messages: readonly ConversationMessage[],
  timestamp: string,
  scope: MessageScope,
): TaskStatus {
  const { run } = scope;
  const message = statusMessage(messages, scope);
  return { state: stateOf(run), ...(message && { message }), timestamp };
}

/** Returns the question that the task waits with, why it failed, or the last message of its agent. */
function statusMessage(
  messages: readonly ConversationMessage[],
  scope: MessageScope,
): A2aMessage | undefined {
  const { run } = scope;
  const question = shownQuestion(run);
  if (question) return questionMessage(question, scope);
  if (!isTerminal(run.status) || run.retried_as !== null) return undefined;
  if (run.failure !== null) return noteMessage(`${run.id}:failure`, run.failure.message, scope);
  const last = messages.findLast(({ message: { role } }) => role === "agent");
  return last && encodeMessage(last.message, scope);
}

export async function changeEvent(
  change: Change,
  taskId: string,
  { hub, place }: DocumentOptions,
): Promise<StreamResponse> {
  const { run, timestamp } = change;
  const contextId = run.conversation_id;
  if (change.kind === "piece") {
    const { artifact, text, append } = change.piece;
    return {
      artifactUpdate: {
        taskId,
        contextId,
        artifact: encodeGrowing(artifact, text),
        append,
        lastChunk: false,
      },
    };
  }
  if (change.kind === "artifact") {
    const { isShown } = change;
    const whole = await encodeArtifact(change.artifact, { hub, place, runId: run.id });
    const artifact = isShown ? { ...whole, parts: [nothingMore(change.artifact)] } : whole;
    return { artifactUpdate: { taskId, contextId, artifact, append: isShown, lastChunk: true } };
  }
  const { state, says, metadata } = change;
  const message = says && saysMessage(says, change, { taskId, run, place });
  const status = message ? { state, message, timestamp } : { state, timestamp };
  return {
    statusUpdate: metadata ? { taskId, contextId, status, metadata } : { taskId, contextId, status },
  };
}

/** Returns an empty part, because an artifact needs at least one. */
function nothingMore(artifact: Artifact): A2aPart {
  const { content_type: mediaType } = artifact;
  return {
    text: "",
    ...(sentAs(artifact) === undefined && { filename: artifactName(artifact) }),
    ...(mediaType !== undefined && { mediaType }),
  };
}

function saysMessage(says: Says, { run, sequence }: Change, scope: MessageScope): A2aMessage {
  switch (says.kind) {
    case "message":
      return encodeMessage(says.message, scope);
    case "question":
      return questionMessage(says.question, scope);
    case "note":
      return noteMessage(`${run.id}:${sequence}`, says.text, scope);
  }
}
