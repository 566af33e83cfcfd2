// Who answers, as far as the hub knows it: a user's token answers as that user, and the token of an agent or a run speaks for no person.
import type { Caller } from "./caller.ts";
import { ProctorError } from "./errors.ts";
import type { NewAnswer } from "./question.ts";

/** Throws FORBIDDEN where a program says that it is a person. */
export function answerAs({ binding }: Caller, answer: NewAnswer): NewAnswer {
  const { by } = answer;
  if (binding?.kind === "user") return { ...answer, by: { kind: by?.kind ?? "human", name: binding.name } };
  const isProgram = binding?.kind === "agent" || binding?.kind === "run";
  if (!isProgram || by?.kind !== "human") return answer;
  throw new ProctorError(
    "FORBIDDEN",
    `this token is bound to the ${binding.kind} "${binding.name}", which is no person\nanswer with a token of a user: proctor token create --user <name> --scope runs:write`,
  );
}
