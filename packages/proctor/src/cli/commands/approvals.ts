// `proctor approvals`: everything that waits for a person, and deciding it.
import type { Command } from "commander";
import { DECIDE_FLAGS, LIST_APPROVALS_FLAGS } from "../actions/approvals/flags.ts";
import { ANSWER_FLAGS } from "../actions/runs/flags.ts";
import type { Execute } from "../compose/compose.ts";
import { defineCommand } from "./define-command.ts";
import { documentFlags } from "../flags.ts";

const WHICH = [
  ["<run>", "id of the run or goal that asks, the beginning of it, or last"],
  ["[question]", "id of the question, or the beginning of it; not needed when only one is open"],
] as const;

export function defineApprovals(program: Command, execute: Execute): void {
  const approvals = program
    .command("approvals")
    .summary("see and decide what waits for a person")
    .description(
      "See and decide what waits for a person: plans, reviews and questions of all goals and runs.",
    );
  defineCommand(approvals, execute, {
    name: "list",
    summary: "list everything that waits for a person",
    description: "List everything that waits for a person, what the oldest run asks first.",
    flags: LIST_APPROVALS_FLAGS,
    examples: ["proctor approvals list", "proctor approvals list --goal 0190c3a4-… --json"],
    action: async () => (await import("../actions/approvals/list-approvals.ts")).listApprovals,
  });
  defineCommand(approvals, execute, {
    name: "show",
    summary: "show what is asked, by whom and for what",
    arguments: WHICH,
    flags: documentFlags("the question, and who asks it"),
    examples: ["proctor approvals show last", "proctor approvals show 0190c3a4-… plan --json"],
    action: async () => (await import("../actions/approvals/show-approval.ts")).showApproval,
  });
  defineCommand(approvals, execute, {
    name: "approve",
    summary: "choose the option that allows it",
    arguments: WHICH,
    flags: DECIDE_FLAGS,
    examples: ["proctor approvals approve last"],
    action: async () => (await import("../actions/approvals/decide-approval.ts")).approve,
  });
  defineCommand(approvals, execute, {
    name: "reject",
    summary: "choose the option that denies it",
    arguments: WHICH,
    flags: DECIDE_FLAGS,
    examples: ['proctor approvals reject last --text "Not before Monday"'],
    action: async () => (await import("../actions/approvals/decide-approval.ts")).reject,
  });
  defineCommand(approvals, execute, {
    name: "answer",
    summary: "answer with an option, words or data",
    description:
      "Answer with an option, words or data. Without an answer in the flags, a terminal asks for one.",
    arguments: WHICH,
    flags: ANSWER_FLAGS,
    examples: ['proctor approvals answer last --option retry --data \'{"feedback": "shorter"}\''],
    action: async () => (await import("../actions/runs/answer-run.ts")).answerRun,
  });
}
