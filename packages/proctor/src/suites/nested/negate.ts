// Every check turned round: `not_contains` passes where `contains` fails. What could not be evaluated stays so.
import type { RegisteredCheck } from "../check.ts";
import { opposite } from "./kleene.ts";

export const NOT = "not_";

export function negate(check: RegisteredCheck): RegisteredCheck {
  return {
    type: `${NOT}${check.type}`,
    config: check.config,
    needsWorkspace: (raw) => check.needsWorkspace(raw),
    needsJudge: (raw) => check.needsJudge(raw),
    judgesAnyEnd: check.judgesAnyEnd,
    files: (raw) => check.files(raw),
    bind(raw) {
      const evaluate = check.bind(raw);
      return async (subject) => {
        const verdict = await evaluate(subject);
        const { score } = verdict;
        const turned = { ...verdict, outcome: opposite(verdict.outcome) };
        return score === undefined ? turned : { ...turned, score: 1 - score };
      };
    },
  };
}
