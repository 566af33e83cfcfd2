// What a client has been told of a task in a stream, small enough to remember: so that after a cut only what is new is told. Texts and bytes
// are remembered by their hashes.
import { hash } from "node:crypto";
import type { A2aArtifact, A2aPart, A2aTask, ArtifactUpdate, StreamResponse, TaskStatus } from "../model.ts";

export interface Told {
  /** Remembers a frame. Returns false for a status that was sent before, word for word. */
  note(event: StreamResponse): boolean;
  /** Returns what a task has beyond what was sent: updates that bring a client up to date. */
  news(task: A2aTask): StreamResponse[];
  /** The agent's id of the task; undefined until a frame names it. */
  readonly taskId: string | undefined;
  /** Last state that was sent. */
  readonly state: string | undefined;
  /** True when the stream is a single message, which nothing follows. */
  readonly isMessage: boolean;
}

/** Hashes of parts that are remembered; an artifact beyond that is sent again as a whole. */
const MAX_PARTS = 20_000;
/** Characters of JSON up to which a part itself is remembered: a hash of most pieces of a text would hardly be smaller. */
const SHORT = 128;

export function createTold(): Told {
  const artifacts = new Map<string, string[]>();
  let remembered = 0;
  let taskId: string | undefined;
  let status: TaskStatus | undefined;
  let isMessage = false;

  function noteParts({ artifactId, parts }: A2aArtifact, append: boolean): void {
    const before = append ? (artifacts.get(artifactId) ?? []) : [];
    remembered += parts.length;
    if (remembered <= MAX_PARTS) artifacts.set(artifactId, [...before, ...parts.map(markOf)]);
    else artifacts.delete(artifactId);
  }

  function appendParts({ artifactId, parts }: A2aArtifact): void {
    const known = artifacts.get(artifactId);
    remembered += parts.length;
    if (known === undefined) return noteParts({ artifactId, parts }, false);
    if (remembered <= MAX_PARTS) known.push(...parts.map(markOf));
    else artifacts.delete(artifactId);
  }

  function noteTask(task: A2aTask): void {
    taskId ??= task.id;
    status = task.status;
    for (const artifact of task.artifacts ?? []) noteParts(artifact, false);
  }

  function isTold(next: TaskStatus): boolean {
    if (status === undefined || status === next) return status === next;
    // Most differ in something that is quick to compare.
    if (status.state !== next.state || status.timestamp !== next.timestamp) return false;
    if (status.message?.messageId !== next.message?.messageId) return false;
    return JSON.stringify(status) === JSON.stringify(next);
  }

  function newsOf(task: A2aTask, artifact: A2aArtifact): StreamResponse[] {
    const told = artifacts.get(artifact.artifactId);
    const marks = artifact.parts.map(markOf);
    const isLonger = told !== undefined && told.every((mark, index) => mark === marks[index]);
    if (isLonger && told.length === marks.length) return [];
    const artifactUpdate: ArtifactUpdate = {
      taskId: task.id,
      contextId: task.contextId ?? "",
      artifact: isLonger ? { ...artifact, parts: artifact.parts.slice(told.length) } : artifact,
      ...(isLonger && { append: true }),
    };
    return [{ artifactUpdate }];
  }

  return {
    note(event) {
      if (event.task) noteTask(event.task);
      else if (event.message) isMessage = true;
      else if (event.statusUpdate) {
        taskId ??= event.statusUpdate.taskId;
        if (isTold(event.statusUpdate.status)) return false;
        ({ status } = event.statusUpdate);
      } else if (event.artifactUpdate) {
        const { artifact, append } = event.artifactUpdate;
        taskId ??= event.artifactUpdate.taskId;
        if (append === true) appendParts(artifact);
        else noteParts(artifact, false);
      }
      return true;
    },
    news(task) {
      const news = (task.artifacts ?? []).flatMap((artifact) => newsOf(task, artifact));
      if (isTold(task.status)) return news;
      const { id, contextId = "" } = task;
      return [...news, { statusUpdate: { taskId: id, contextId, status: task.status } }];
    },
    get taskId() {
      return taskId;
    },
    get state() {
      return status?.state;
    },
    get isMessage() {
      return isMessage;
    },
  };
}

function markOf(part: A2aPart): string {
  const text = JSON.stringify(part);
  return text.length <= SHORT ? text : hash("sha256", text, "base64");
}
