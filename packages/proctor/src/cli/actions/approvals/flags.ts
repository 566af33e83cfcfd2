// The flags of `proctor approvals`.
import { QUESTION_KINDS } from "../../../core/question.ts";
import { choice, documentFlags, flag, PAGE_FLAGS, type FlagsOf } from "../../flags.ts";

export const LIST_APPROVALS_FLAGS = [
  flag("--goal <id>", "only what this goal, and the runs that work for it, wait for"),
  flag("--agent <name>", "only questions of this agent"),
  choice("--kind <kind>", "only questions of this kind", QUESTION_KINDS),
  flag("--all", "also questions that programs may answer"),
  ...PAGE_FLAGS,
] as const;
export type ListApprovalsFlags = FlagsOf<typeof LIST_APPROVALS_FLAGS>;

export const DECIDE_FLAGS = [
  flag("--text <text>", "say why, or what is to be different"),
  ...documentFlags("the run"),
] as const;
export type DecideFlags = FlagsOf<typeof DECIDE_FLAGS>;
