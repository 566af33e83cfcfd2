// Starts a reading of a peer's message and draws the conclusion: requests that are wrong are refused, answers are used as far as they can
// be.
import type { Json } from "../../core/json.ts";
import type { WireProblem } from "./codec.ts";
import { A2aError, type A2aReason, type FieldViolation } from "./errors.ts";
import { Reading, type Reader } from "./reading.ts";

/** Problems that the message of an error names; all that were noted are in its fields. */
const NAMED = 3;

/** Throws A2aError INVALID_PARAMS, which names every wrong field. */
export function readRequest(read: Reader, params: Json): Json {
  const reading = new Reading({ notesOdd: false });
  const result = read(params, reading);
  if (result === undefined || reading.found > 0) throw refusal("INVALID_PARAMS", "The parameters", reading);
  return result;
}

/** Throws A2aError INVALID_AGENT_RESPONSE where the value cannot be used. Paths begin with `root`. */
export function readAnswer(read: Reader, value: Json, root: string, problems: WireProblem[] = []): Json {
  const reading = new Reading({ root, notesOdd: true });
  const result = read(value, reading);
  if (result === undefined) throw refusal("INVALID_AGENT_RESPONSE", "The agent's answer", reading);
  for (const note of reading.notes) problems.push({ ...note, message: sentence(note, root) });
  return result;
}

function refusal(reason: A2aReason, whole: string, reading: Reading): A2aError {
  const fields: FieldViolation[] = reading.notes.map(({ path, message }) => ({
    field: path,
    description: message,
  }));
  const named = reading.notes.slice(0, NAMED).map((note) => sentence(note, whole));
  const more = reading.found - named.length;
  const message = `${named.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
  return new A2aError(reason, message, { fields });
}

function sentence({ path, message }: WireProblem, whole: string): string {
  return `${path === "" ? whole : path} ${message}`;
}
