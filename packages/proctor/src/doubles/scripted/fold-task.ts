// What an event changes of a task. Pure. A task that a script sends replaces the status, and keeps artifacts and history that it does
// not mention: clients that ask later find all that was sent.
import type { A2aArtifact, A2aMessage, A2aTask, StreamResponse } from "../../protocols/a2a/model.ts";

export function foldTask(task: A2aTask, event: StreamResponse): A2aTask {
  const { task: sent, statusUpdate, artifactUpdate, message } = event;
  if (sent !== undefined) {
    return { ...withStatus(task, sent), ...sent, id: task.id, ...keepLists(task, sent) };
  }
  if (statusUpdate !== undefined) {
    const { status, metadata } = statusUpdate;
    const next = { ...withStatus(task, { status }), status };
    return metadata === undefined ? next : { ...next, metadata: { ...task.metadata, ...metadata } };
  }
  if (artifactUpdate !== undefined) {
    const { artifact, append } = artifactUpdate;
    return { ...task, artifacts: withArtifact(task.artifacts ?? [], artifact, append === true) };
  }
  if (message !== undefined) return { ...task, history: [...(task.history ?? []), message] };
  return task;
}

/** Adds a message of the user to the history, after the last message of the agent. */
export function foldMessage(task: A2aTask, said: A2aMessage): A2aTask {
  const { message, ...status } = task.status;
  // Taking the message out leaves the state, which is required.
  const rest = status as A2aTask["status"];
  const before = [...(task.history ?? []), ...(message === undefined ? [] : [message])];
  return { ...task, status: rest, history: [...before, said] };
}

/** Replaces the status; the message of the former one moves to the history. */
function withStatus(task: A2aTask, next: Pick<A2aTask, "status">): A2aTask {
  const { message } = task.status;
  if (message === undefined || message === next.status.message) return task;
  return { ...task, history: [...(task.history ?? []), message] };
}

function keepLists(task: A2aTask, sent: A2aTask): Pick<A2aTask, "artifacts" | "history"> {
  const artifacts = sent.artifacts ?? task.artifacts;
  const history: A2aMessage[] | undefined = sent.history ?? withStatus(task, sent).history;
  return { ...(artifacts && { artifacts }), ...(history && { history }) };
}

/** Adds an artifact. A chunk without a beginning counts as one, because the agents of the conformance kits send such chunks. */
function withArtifact(
  artifacts: readonly A2aArtifact[],
  artifact: A2aArtifact,
  append: boolean,
): A2aArtifact[] {
  const index = artifacts.findIndex(({ artifactId }) => artifactId === artifact.artifactId);
  const before = artifacts[index];
  if (before === undefined) return [...artifacts, artifact];
  const next = append ? { ...before, ...artifact, parts: [...before.parts, ...artifact.parts] } : artifact;
  return artifacts.with(index, next);
}

/** Returns the task in the form that a client asked for: with the last messages of its history, with or without artifacts. */
export function viewTask(
  task: A2aTask,
  { historyLength, artifacts = true }: { historyLength?: number | undefined; artifacts?: boolean } = {},
): A2aTask {
  const { history, artifacts: made, ...rest } = task;
  const shown =
    historyLength === undefined
      ? history
      : history?.slice(history.length - Math.min(historyLength, history.length));
  return {
    // Taking two keys out leaves the others, among them those that are required.
    ...(rest as A2aTask),
    ...(artifacts && made && { artifacts: made }),
    ...(shown && shown.length > 0 && { history: shown }),
  };
}
