// Every check turned round: `not_contains` passes where `contains` fails. What could not be evaluated stays so.
import type { RegisteredCheck } from "../check.ts";
import { opposite } from "./kleene.ts";

export const NOT = "not_";

export function negate(check: RegisteredCheck): RegisteredCheck {
  return {
    type: `${NOT}${check.type}`,
    config: check.config,
    bind(raw) {
      const evaluate = check.bind(raw);
      return async (subject) => {
        const verdict = await evaluate(subject);
        return { ...verdict, outcome: opposite(verdict.outcome) };
      };
    },
  };
}
