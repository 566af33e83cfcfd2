// What became of a step or a test, in the four words of ACTS (its section 13.3): `skip` and `error` say nothing about the agent.
import type { Transcript } from "../conform/transcript.ts";
import type { Mismatch } from "./match.ts";

export type Result = "pass" | "fail" | "skip" | "error";

export interface Verdict {
  result: Result;
  /** Reason why it is not a pass. */
  message?: string;
  /** Path in the answer; next to it what was asserted there, and what was found. */
  path?: string;
  expected?: string;
  actual?: string;
  /** Exchange that the verdict is about. */
  transcript?: Transcript;
}

export const PASS: Verdict = { result: "pass" };

export function failed(message: string, transcript?: Transcript): Verdict {
  return { result: "fail", message, ...(transcript && { transcript }) };
}

export function skipped(message: string): Verdict {
  return { result: "skip", message };
}

/** Returns the verdict of an assertion that does not hold; a pass where it does. */
export function verdictOf(mismatch: Mismatch | undefined, transcript?: Transcript): Verdict {
  return mismatch ? { result: "fail", ...mismatch, ...(transcript && { transcript }) } : PASS;
}

/** Resolves with the first verdict that is not a pass. */
export async function firstTrouble(checks: Iterable<() => Verdict | Promise<Verdict>>): Promise<Verdict> {
  for (const check of checks) {
    const verdict = await check();
    if (verdict.result !== "pass") return verdict;
  }
  return PASS;
}
