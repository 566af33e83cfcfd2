// What trying one rule of conformance showed: the same for every protocol. The evidence is the protocol's own record of what was
// said.
import type { JsonObject } from "../core/json.ts";
import { shorten } from "../core/shorten.ts";

export interface Finding<Evidence> {
  outcome: "pass" | "fail" | "unevaluated";
  reason?: string;
  /** What the rule expects; `got` is what was seen instead. Both are absent where the reason says it. */
  expected?: string;
  got?: string;
  /** A command line that reproduces the result, without credentials. */
  reproduce?: string;
  /** True when the agent could not be reached. */
  unreachable?: true;
  /** The advice to show instead of the rule's own. */
  advice?: string;
  /** The record of what was sent and received. */
  evidence?: Evidence;
  /** What the protocol's own report format says about the rule, whatever its outcome. */
  record?: JsonObject;
}

export function pass<Evidence>(evidence?: Evidence): Finding<Evidence> {
  return { outcome: "pass", ...(evidence && { evidence }) };
}

export function fail<Evidence>(reason: string, evidence?: Evidence): Finding<Evidence> {
  return { outcome: "fail", reason, ...(evidence && { evidence }) };
}

export function unevaluated<Evidence>(reason: string, evidence?: Evidence): Finding<Evidence> {
  return { outcome: "unevaluated", reason, ...(evidence && { evidence }) };
}

/** Fails with the first problem there is. */
export function judge<Evidence>(
  evidence: Evidence,
  problems: Iterable<string | undefined>,
): Finding<Evidence> {
  for (const problem of problems) if (problem !== undefined) return fail(problem, evidence);
  return pass(evidence);
}

/** Returns the line of a program's stderr that names an error, or else its last line. */
export function errorLine(lines: readonly string[]): string | undefined {
  const line = lines.findLast((text) => /^\S*(Error|Exception)\b/.test(text)) ?? lines.at(-1);
  return line === undefined ? undefined : shorten(line.trim(), 160);
}

/** Returns a value that an agent sent as JSON that fits into a sentence. */
export function showValue(value: unknown): string {
  return value === undefined ? "missing" : shorten(JSON.stringify(value), 80);
}

const SHOWN_CHARS = 400;
const SHOWN_MESSAGES = 6;

/** Shortens a piece of evidence; `hide` replaces secrets before anything is cut. */
export function evidenceText(text: string, hide: (text: string) => string): string {
  return shorten(hide(text), SHOWN_CHARS);
}

/** Returns the first messages, each in the form that `show` gives it, and how many more there were. */
export function firstMessages<Message, Shown>(
  messages: readonly Message[],
  show: (message: Message) => Shown,
): { received: Shown[]; more_messages?: number } {
  return {
    received: messages.slice(0, SHOWN_MESSAGES).map(show),
    ...(messages.length > SHOWN_MESSAGES && { more_messages: messages.length - SHOWN_MESSAGES }),
  };
}
