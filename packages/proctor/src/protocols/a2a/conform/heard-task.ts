// A task as a listener knows it from the frames of a stream, to be compared with the task that is read.
import type { A2aArtifact, A2aPart, A2aTask } from "../model.ts";
import type { StreamFrame } from "../service.ts";
import { isTerminalState } from "../states.ts";

export interface HeardTask {
  id: string | undefined;
  states: string[];
  /** Content of each artifact by its id, its pieces joined. */
  contents: Record<string, string>;
}

export function heardTask(frames: readonly StreamFrame[]): HeardTask {
  const heard: HeardTask = { id: undefined, states: [], contents: {} };
  for (const { event } of frames) {
    const { task, statusUpdate, artifactUpdate } = event;
    heard.id ??= task?.id ?? statusUpdate?.taskId ?? artifactUpdate?.taskId;
    const state = task?.status.state ?? statusUpdate?.status.state;
    if (state !== undefined) heard.states.push(state);
    if (task?.artifacts !== undefined) heard.contents = contentsOf(task.artifacts);
    if (artifactUpdate === undefined) continue;
    const { artifact, append = false } = artifactUpdate;
    const before = append ? (heard.contents[artifact.artifactId] ?? "") : "";
    heard.contents[artifact.artifactId] = before + contentOf(artifact.parts);
  }
  return heard;
}

/** Returns whether the frames bring the end of the task, and what follows it. A last snapshot of the task is allowed: section 11.7. */
export function endOf(frames: readonly StreamFrame[]): { hasEnded: boolean; late: StreamFrame[] } {
  const ended = frames.findIndex(({ event }) =>
    isTerminalState(event.statusUpdate?.status.state ?? event.task?.status.state ?? ""),
  );
  const late = frames.slice(ended + 1).filter(({ event }) => event.task === undefined);
  return { hasEnded: ended !== -1, late };
}

/** Returns the content of each artifact of a task, by its id. */
export function contentsOf(artifacts: readonly A2aArtifact[] = []): Record<string, string> {
  return Object.fromEntries(artifacts.map(({ artifactId, parts }) => [artifactId, contentOf(parts)]));
}

/** Texts joined, since agents keep pieces apart or together. */
function contentOf(parts: readonly A2aPart[]): string {
  return parts.map(({ text, raw, url, data }) => text ?? raw ?? url ?? JSON.stringify(data ?? null)).join("");
}

/** State and artifacts in one line. */
export function essence(state: string | undefined, contents: Record<string, string>): string {
  const sorted = Object.entries(contents).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `${state ?? "no state"} ${JSON.stringify(sorted)}`;
}

/** Returns the same without the ids of artifacts, which are others in every task. */
export function outline(state: string | undefined, contents: Record<string, string>): string {
  return `${state ?? "no state"} ${JSON.stringify(Object.values(contents).toSorted())}`;
}

export const essenceOf = ({ status, artifacts }: A2aTask): string =>
  essence(status.state, contentsOf(artifacts));
