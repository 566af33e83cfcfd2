// What the driver notes of an agent that speaks A2A and the run has no place for, and the surface reads again: so that a client of the hub
// sees what a client of the agent would.
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";

/** Kinds of part in which a file can come. */
export type SentAs = "text" | "raw";

/** Key of these notes among the extensions of an artifact and of a run. */
const KEY = "a2a";

/** Returns the note in a file's record about how it came. */
export function fileSentAs(kind: SentAs): JsonObject {
  return { [KEY]: { part: kind } };
}

/** Returns undefined for a file that did not come over A2A. */
export function sentAs(artifact: JsonObject): SentAs | undefined {
  const kind = note(artifact, "part");
  return kind === "text" || kind === "raw" ? kind : undefined;
}

/** Note at the end of a run whose agent answered with a message, and made no task. */
export const ANSWERED_BY_MESSAGE: JsonObject = { [KEY]: { answer: "message" } };

export function isAnsweredByMessage(extensions: JsonObject | null): boolean {
  return extensions !== null && note(extensions, "answer") === "message";
}

function note(extensions: JsonObject, name: string): Json | undefined {
  const notes = extensions[KEY];
  return isJsonObject(notes) ? notes[name] : undefined;
}
