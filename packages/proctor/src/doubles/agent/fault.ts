// What a mock agent does wrong on demand, from the words of `--fault`: docs/reference/recordings.md, "Faults".
import { ProctorError } from "../../core/errors.ts";
import { suggest } from "../../core/suggest.ts";

/** What goes wrong in an answer. Messages are counted from 1, in the order in which the agent would send them. */
export type Fault =
  /** One message, or each with a probability, is not sent. */
  | { kind: "drop"; message: number }
  | { kind: "drop"; probability: number }
  /** One message, or every one, is sent later. */
  | { kind: "delay"; delayMs: number; message?: number }
  /** Everything before the response comes in another order. */
  | { kind: "reorder" }
  /** One byte of the message is changed. */
  | { kind: "corrupt"; message: number }
  /** The connection is cut, or the program crashes, after this many messages. */
  | { kind: "cut"; after: number }
  | { kind: "duplicate"; message: number }
  /** Something that is not a message comes before the message. */
  | { kind: "garbage"; message: number }
  /** After this many messages nothing more comes, and nothing is closed. */
  | { kind: "stall"; after: number };

/** Notation of each fault. */
export const FAULT_FORMS: Record<Fault["kind"], string> = {
  drop: "drop:<n> or drop:<p>%",
  delay: "delay:<ms> or delay:<ms>:<n>",
  reorder: "reorder",
  corrupt: "corrupt:<n>",
  cut: "cut:<n>",
  duplicate: "duplicate:<n>",
  garbage: "garbage:<n>",
  stall: "stall:<n>",
};

const MAX_DELAY_MS = 3_600_000;

/** Reads a fault in its notation; throws USAGE. */
export function parseFault(spec: string): Fault {
  const [word = "", ...values] = spec.split(":");
  const [first, second] = values;
  switch (word) {
    case "drop":
      if (values.length !== 1 || first === undefined) break;
      if (first.endsWith("%")) {
        const percent = numberIn(first.slice(0, -1), /^\d+(\.\d+)?$/, 0, 100);
        if (percent !== undefined) return { kind: "drop", probability: percent / 100 };
        break;
      }
      return { kind: "drop", message: count(spec, word, first, 1) };
    case "delay": {
      const delayMs = numberIn(first, /^\d+$/, 0, MAX_DELAY_MS);
      if (delayMs === undefined || values.length > 2) break;
      return second === undefined
        ? { kind: "delay", delayMs }
        : { kind: "delay", delayMs, message: count(spec, word, second, 1) };
    }
    case "reorder":
      if (values.length === 0) return { kind: "reorder" };
      break;
    case "corrupt":
    case "duplicate":
    case "garbage":
      if (values.length === 1) return { kind: word, message: count(spec, word, first, 1) };
      break;
    case "cut":
    case "stall":
      if (values.length === 1) return { kind: word, after: count(spec, word, first, 0) };
      break;
    default:
      throw unknownFault(word);
  }
  throw malformed(spec, word);
}

function count(spec: string, word: Fault["kind"], value: string | undefined, least: number): number {
  const number = numberIn(value, /^\d+$/, least, Number.MAX_SAFE_INTEGER);
  if (number === undefined) throw malformed(spec, word);
  return number;
}

/** Returns undefined for a text that does not have the form, or is out of bounds. */
export function numberIn(
  value: string | undefined,
  form: RegExp,
  least: number,
  most: number,
): number | undefined {
  if (value === undefined || !form.test(value)) return undefined;
  const number = Number(value);
  return number >= least && number <= most ? number : undefined;
}

function malformed(spec: string, word: Fault["kind"]): ProctorError {
  return malformedFault(spec, FAULT_FORMS[word]);
}

export function malformedFault(spec: string, form: string): ProctorError {
  const shown = JSON.stringify(spec.slice(0, 80));
  return new ProctorError("USAGE", `the fault ${shown} is not complete or not valid\nwrite ${form}`);
}

/** Returns the error for an unknown fault; `forms` are the notations of all faults. */
export function unknownFault(
  word: string,
  forms: Readonly<Record<string, string>> = FAULT_FORMS,
): ProctorError {
  const meant = suggest(word, Object.keys(forms));
  const known = `all faults: ${Object.values(forms).join(", ")}`;
  return new ProctorError(
    "USAGE",
    `unknown fault ${JSON.stringify(word.slice(0, 80))}\n${meant === undefined ? known : `did you mean "${meant}"?  ${known}`}`,
  );
}
