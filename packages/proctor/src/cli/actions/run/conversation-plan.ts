// Who answers the questions of a run: its policy, the answers that were given with the command, or the person at the terminal.
import type { ConversationOptions, Policy } from "../../../core/conversation-options.ts";
import { ProctorError } from "../../../core/errors.ts";
import { QUESTION_KINDS, type QuestionKind } from "../../../core/question.ts";
import type { RunFlags } from "./flags.ts";

export interface ConversationPlan {
  /** Options for the hub. Absent where no question can be answered. */
  conversation?: ConversationOptions;
  /** Whether the person at this terminal is asked. */
  asksHere: boolean;
  /** Answers to questions for input, in order. */
  answers: readonly string[];
  /** What happens to a question for input when the answers are used up; the person is asked when absent. */
  afterAnswers?: Policy;
}

/** The plan for a run whose questions are not answered here, such as one watched by a program that reads JSON. */
export const NOBODY_ASKED: ConversationPlan = { asksHere: false, answers: [] };

/** Plans the answers. Without a person at a terminal, kinds without a policy are denied: no question waits for an answer that cannot come. */
export function planConversation(
  { answer: answers = [], policy }: Pick<RunFlags, "answer" | "policy">,
  asksHere: boolean,
): ConversationPlan {
  if (!asksHere && answers.length === 0 && policy === undefined) return NOBODY_ASKED;
  const wanted: Partial<Record<QuestionKind, Policy>> = { ...(asksHere ? {} : denied()), ...policy };
  if (answers.length === 0) return { conversation: optionsOf(wanted), asksHere, answers };
  const after = policy?.input;
  if (after === "allow" || after === "simulate") {
    throw new ProctorError(
      "USAGE",
      `--answer and --policy input=${after} contradict each other\nleave out one of them`,
    );
  }
  // The hub would follow the policy before the command could answer: so the command follows it after its answers.
  const asked: Policy = after === "ask_human" ? after : "ask";
  return {
    conversation: optionsOf({ ...wanted, input: asked }),
    asksHere,
    answers,
    ...(wanted.input !== undefined && { afterAnswers: wanted.input }),
  };
}

function denied(): Record<QuestionKind, Policy> {
  return Object.fromEntries(QUESTION_KINDS.map((kind) => [kind, "deny"])) as Record<QuestionKind, Policy>;
}

function optionsOf(policy: Partial<Record<QuestionKind, Policy>>): ConversationOptions {
  return Object.keys(policy).length === 0 ? {} : { policy };
}
