// What a hub keeps of a trial of an agent's conformance: its verdict, its counts, and the rules that were broken. The whole document is the
// trial's own report.

export interface ConformanceReport {
  protocol: string;
  /** The protocol and its versions as people write them: `A2A 1.0`. */
  title: string;
  transport: string;
  /** The version of Proctor that tried the rules. */
  proctor_version: string;
  /** When the first rule was tried, in ISO 8601. */
  checked_at: string;
  strict: boolean;
  /** False when the agent could not be reached, and no rule was kept. */
  reachable: boolean;
  verdict: "pass" | "fail" | "unevaluated";
  counts: ConformanceCounts;
  /** The rules that were not kept; at most `MAX_BROKEN`. */
  broken: readonly BrokenRule[];
}

export interface ConformanceCounts {
  passed: number;
  failed: number;
  /** Number of broken rules that are only a `should`. */
  warnings: number;
  /** Number of broken rules that are Proctor's own, or a `may`. */
  advice: number;
  disputed: number;
  /** Number of rules for which there was no occasion, and whose outcome would have mattered. */
  unevaluated: number;
}

export interface BrokenRule {
  id: string;
  title: string;
  /** Whose rule it is: the protocol's document, or Proctor. */
  owner: "document" | "proctor";
  /** The section of the document that has the rule. */
  section?: string;
  level: "must" | "should" | "may";
  grade: "failed" | "warning" | "advice" | "disputed";
  /** What was observed. */
  reason?: string;
}

export const MAX_BROKEN = 200;
export const MAX_REASON_CHARS = 500;
/** Characters of the longest id, title or section that is kept. */
export const MAX_WORDS_CHARS = 300;
