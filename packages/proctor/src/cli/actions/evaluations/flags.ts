// The flags of `proctor evaluations`.
import type { EvaluationStatus } from "../../../core/evaluation.ts";
import { choice, documentFlags, flag, HUB_FLAGS, PAGE_FLAGS, type Flag, type FlagsOf } from "../../flags.ts";

/** The statuses, written out here because every start of the program loads the flags. */
const STATUSES = { running: true, completed: true, interrupted: true } satisfies Record<
  EvaluationStatus,
  true
>;

export const LIST_EVALUATIONS_FLAGS = [
  flag("--suite <name>", "only evaluations with this suite"),
  flag("--agent <name>", "only evaluations with this agent"),
  // The dots make commander collect several values.
  choice(
    "--status <status...>",
    "only evaluations in one of these statuses",
    Object.keys(STATUSES),
  ) as Flag as Flag<"status", EvaluationStatus[], false>,
  ...PAGE_FLAGS,
] as const;
export type ListEvaluationsFlags = FlagsOf<typeof LIST_EVALUATIONS_FLAGS>;

export const SHOW_EVALUATION_FLAGS = [
  flag("--all", "show the cases that passed, too"),
  ...documentFlags("{evaluation, cases}"),
] as const;
export type ShowEvaluationFlags = FlagsOf<typeof SHOW_EVALUATION_FLAGS>;

export const REMOVE_EVALUATION_FLAGS = [
  flag("--runs", "remove the runs that were made for it, too"),
  ...documentFlags("{id, removed}"),
] as const;
export type RemoveEvaluationFlags = FlagsOf<typeof REMOVE_EVALUATION_FLAGS>;

export const EXPORT_EVALUATION_FLAGS = [
  choice("--format <format>", "json has everything; baseline is a file for --baseline (json)", [
    "json",
    "baseline",
  ]),
  flag("-o, --output <file>", "write it to this file"),
  ...HUB_FLAGS,
] as const;
export type ExportEvaluationFlags = FlagsOf<typeof EXPORT_EVALUATION_FLAGS>;
