// What k attempts are worth, estimated without bias from n runs, also when n is more than k.
import { requirePart } from "./argument-rules.ts";

/** At least one of k passes: 1 - C(n-c, k) / C(n, k). M. Chen et al., Evaluating Large Language Models Trained on Code (2021). */
export function passAtK(runs: number, passed: number, k: number): number | undefined {
  const allFail = passHatK(runs, runs - passed, k);
  return allFail === undefined ? undefined : 1 - allFail;
}

/** All of k pass: C(c, k) / C(n, k). S. Yao et al., τ-bench (2024). */
export function passHatK(runs: number, passed: number, k: number): number | undefined {
  requirePart("passed", passed, "runs", runs);
  if (!Number.isInteger(k) || k < 1) throw new RangeError(`k must be a whole number from 1, not ${k}`);
  if (k > runs) return undefined;
  let share = 1;
  for (let drawn = 0; drawn < k && share > 0; drawn++) share *= Math.max(0, passed - drawn) / (runs - drawn);
  return share;
}
