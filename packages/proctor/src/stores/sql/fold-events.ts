// The fold over what is about to be appended, before any of it is written.
import type { Artifact } from "../../core/artifact.ts";
import { applyEvent, type RunState } from "../../core/fold.ts";
import type { NewEvent } from "../../core/ports/store.ts";

/** An artifact and where in the log it is. */
export interface PlacedArtifact {
  sequence: number;
  artifact: Artifact;
  /** Name of a client's file next to the blobs; null for an agent's artifact, whatever it says. */
  storedAs: string | null;
}

interface Folded {
  state: RunState | null;
  artifacts: PlacedArtifact[];
  /** Ids of artifacts that are removed, after `artifacts` were added. */
  removed: string[];
  /** Characters that the events added to the state, roughly. */
  weight: number;
}

/** Folds the events. Throws ILLEGAL_TRANSITION when one is not allowed in its place. */
export function foldEvents(
  before: RunState | null,
  runId: string,
  firstSequence: number,
  events: readonly NewEvent[],
): Folded {
  let state = before;
  let weight = 0;
  const artifacts: PlacedArtifact[] = [];
  const removed: string[] = [];
  for (let index = 0; index < events.length; index++) {
    const event = events[index];
    if (event === undefined) break;
    const { draft, timestamp, payload } = event;
    const after = applyEvent(state, runId, draft, timestamp);
    // The fold leaves out artifacts above the limit, and so does the table.
    if (draft.type === "artifact.added" && after !== state) {
      const { artifact, by } = draft.payload;
      const storedAs = by === "client" ? (artifact.stored_as ?? null) : null;
      artifacts.push({ sequence: firstSequence + index, artifact, storedAs });
      weight += payload.length;
    }
    if (draft.type === "artifact.removed") removed.push(draft.payload.artifact_id);
    state = after;
  }
  return { state, artifacts, removed, weight };
}
