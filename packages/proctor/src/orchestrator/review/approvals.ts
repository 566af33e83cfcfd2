// What a goal asks people, and what happens when nobody answers. The engine keeps the time and writes down how a question closed; here is
// only what its options say, and what an answer means.
import type { ConversationOptions } from "../../core/conversation-options.ts";
import type { ApprovalPolicy } from "../../core/goal.ts";
import { isExpired } from "../../core/policy.ts";
import {
  DEFAULT_EXPIRY_SECONDS,
  MAX_EXPIRY_SECONDS,
  type Answer,
  type NewQuestion,
} from "../../core/question.ts";

/** Returns a goal's question with the time limit of its policy. */
export function questionFor(
  { on_silence: silence = "wait", after_seconds: seconds }: ApprovalPolicy,
  question: NewQuestion,
  nowMs: number,
): NewQuestion {
  const waits = silence === "wait" ? MAX_EXPIRY_SECONDS : (seconds ?? DEFAULT_EXPIRY_SECONDS);
  return { ...question, expires_at: new Date(nowMs + waits * 1000).toISOString() };
}

/**
 * `options.conversation` of a goal, and of the runs below it: a person answers, the named people are told, and where the policy answers
 * instead of them, the log says so.
 */
export function conversationFor({ on_silence: silence, notify }: ApprovalPolicy = {}): ConversationOptions {
  const answers = silence === "approve" ? "allow" : silence === "reject" ? "deny" : undefined;
  return {
    policy: { approval: "ask_human", permission: "ask_human", input: "ask_human", form: "ask_human" },
    ...(answers && { silence: { approval: answers } }),
    ...(notify && notify.length > 0 && { notify }),
  };
}

/** Returns the answer of a person or of the policy; undefined where no person answered and the goal is to halt. */
export function outcomeOf(answer: Answer): Answer | undefined {
  return isExpired(answer) ? undefined : answer;
}
