// `proctor evaluations`: what suites found, as the hub keeps it.
import type { Command } from "commander";
import {
  EXPORT_EVALUATION_FLAGS,
  LIST_EVALUATIONS_FLAGS,
  REMOVE_EVALUATION_FLAGS,
  SHOW_EVALUATION_FLAGS,
} from "../actions/evaluations/flags.ts";
import type { Execute } from "../compose/compose.ts";
import { defineCommand } from "./define-command.ts";
import { documentFlags } from "../flags.ts";

const NAMED = "id of the evaluation, the beginning of it, or last";
const EVALUATION = ["<evaluation>", NAMED] as const;

export function defineEvaluations(program: Command, execute: Execute): void {
  const evaluations = program
    .command("evaluations")
    .summary("list, show, compare, remove and export what suites found")
    .description(
      "List, show, compare, remove and export evaluations: invocations of suites with all their verdicts. One is named by its id, by the beginning of its id, or by `last`, the newest.",
    );
  defineCommand(evaluations, execute, {
    name: "list",
    summary: "list evaluations, newest first",
    flags: LIST_EVALUATIONS_FLAGS,
    examples: ["proctor evaluations list", "proctor evaluations list --suite smoke --status completed"],
    action: async () => (await import("../actions/evaluations/list-evaluations.ts")).listEvaluations,
  });
  defineCommand(evaluations, execute, {
    name: "show",
    summary: "show what one evaluation found",
    description: "Show one evaluation and the cases that did not pass.",
    arguments: [EVALUATION],
    flags: SHOW_EVALUATION_FLAGS,
    examples: ["proctor evaluations show last", "proctor evaluations show 0190c3a4 --all"],
    action: async () => (await import("../actions/evaluations/show-evaluation.ts")).showEvaluation,
  });
  defineCommand(evaluations, execute, {
    name: "compare",
    summary: "say what got worse from one evaluation to another",
    arguments: [
      ["<before>", NAMED],
      ["<after>", NAMED],
    ],
    flags: documentFlags("the comparison"),
    examples: ["proctor evaluations compare 0190c3a4 last"],
    note: "The exit code is 1 when something got significantly worse, and 3 when something\ncould not be compared.",
    action: async () => (await import("../actions/evaluations/compare-evaluations.ts")).compareEvaluationsOf,
  });
  defineCommand(evaluations, execute, {
    name: "remove",
    summary: "remove an evaluation",
    description: "Remove an evaluation with its cases. Its runs are kept, unless --runs.",
    arguments: [EVALUATION],
    flags: REMOVE_EVALUATION_FLAGS,
    examples: ["proctor evaluations remove 0190c3a4", "proctor evaluations remove last --runs"],
    action: async () => (await import("../actions/evaluations/remove-evaluation.ts")).removeEvaluation,
  });
  defineCommand(evaluations, execute, {
    name: "export",
    summary: "write an evaluation as JSON, or as a baseline",
    arguments: [EVALUATION],
    flags: EXPORT_EVALUATION_FLAGS,
    examples: [
      "proctor evaluations export last -o results.json",
      "proctor evaluations export last --format baseline -o baseline.json",
    ],
    action: async () => (await import("../actions/evaluations/export-evaluation.ts")).exportEvaluation,
  });
}
