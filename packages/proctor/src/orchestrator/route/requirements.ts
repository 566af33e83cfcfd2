// What a question asks of an agent, in the words of the registry.
import type { CandidateQuery } from "../../core/ports/candidates.ts";
import { STAGES, type Stage } from "../../core/registration.ts";
import type { RouteQuestion } from "./contract.ts";

/** Returns the requirements of a question. A label `stage` that names a stage asks for the stage itself. */
export function requirementsOf({ capability, version, input, labels }: RouteQuestion): CandidateQuery {
  const { stage, ...others } = labels ?? {};
  const asked = STAGES.find((name): name is Stage => name === stage);
  const rest = asked === undefined ? labels : others;
  return {
    ...(capability !== undefined && { capability }),
    ...(version !== undefined && { version }),
    ...(input !== undefined && { input }),
    ...(rest !== undefined && { labels: rest }),
    ...(asked !== undefined && { stage: asked }),
  };
}
