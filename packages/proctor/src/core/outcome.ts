// What came of a check, of a run and of a case. What could not be evaluated is never a pass.

export const OUTCOMES = ["pass", "fail", "unevaluated"] as const;
export type Outcome = (typeof OUTCOMES)[number];
