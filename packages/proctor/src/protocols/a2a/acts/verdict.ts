// What became of a step or a test, in the four words of ACTS (its section 13.3): `skip` and `error` say nothing about the agent.
import type { Transcript } from "../conform/transcript.ts";
import type { Mismatch } from "./match.ts";

export type Result = "pass" | "fail" | "skip" | "error";

export interface Verdict {
  result: Result;
  /** Why it is no pass. */
  message?: string;
  /** Where in the answer, what was asserted there, and what stood there. */
  path?: string;
  expected?: string;
  actual?: string;
  /** The exchange behind it. */
  transcript?: Transcript;
}

export const PASS: Verdict = { result: "pass" };

export function failed(message: string, transcript?: Transcript): Verdict {
  return { result: "fail", message, ...(transcript && { transcript }) };
}

export function skipped(message: string): Verdict {
  return { result: "skip", message };
}

/** The verdict of an assertion that does not hold; a pass where it does. */
export function verdictOf(mismatch: Mismatch | undefined, transcript?: Transcript): Verdict {
  return mismatch ? { result: "fail", ...mismatch, ...(transcript && { transcript }) } : PASS;
}

/** The first that is no pass. */
export async function firstTrouble(checks: Iterable<() => Verdict | Promise<Verdict>>): Promise<Verdict> {
  for (const check of checks) {
    const verdict = await check();
    if (verdict.result !== "pass") return verdict;
  }
  return PASS;
}
