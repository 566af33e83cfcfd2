// What happens to the questions of a run. Without these options nobody can be asked: actions are denied, and a run that needs
// input fails at once.
import type { Json, JsonObject } from "./json.ts";
import type { QuestionKind } from "./question.ts";

/** Most people who may be notified of one question. */
export const MAX_NOTIFIED = 20;

export const POLICY_NAMES = ["ask", "ask_human", "allow", "deny", "simulate"] as const;
/**
 * `ask`: any client may answer; `ask_human`: only a person; `simulate`: only the simulated user of a suite; `allow` and `deny` answer
 * at once; `{answer}` gives this text or data.
 */
export type Policy = (typeof POLICY_NAMES)[number] | PolicyAnswer;

export interface PolicyAnswer extends JsonObject {
  answer: Json;
}

export interface ConversationOptions extends JsonObject {
  /** The policy for each kind of question; `ask` for a kind that is not named. */
  policy?: Partial<Record<QuestionKind, Policy>>;
  /** Rules that are tried before `policy`; the first rule that fits decides. */
  rules?: PolicyRule[];
  /** Seconds until a question that says nothing about it expires: 3600 unless set, 30 days at most. */
  expires_seconds?: number;
  /** How each kind of question is answered once it has expired. Otherwise actions are denied, and the run fails. */
  silence?: Partial<Record<QuestionKind, SilencePolicy>>;
  /** People (`user:ada`) who are notified by an envelope of each question that a person may answer, and who may answer by one. */
  notify?: string[];
}

export type SilencePolicy = "allow" | "deny" | PolicyAnswer;

/** A rule fits when everything that it names fits. */
export interface PolicyRule extends JsonObject {
  kind?: QuestionKind;
  /** The tool that the question's subject names; `*` stands for any characters. */
  tool?: string;
  /** A path that the question's subject names; `*` and `**` as in file patterns. */
  path?: string;
  /** A text that the question contains. */
  text?: string;
  policy: Policy;
}
