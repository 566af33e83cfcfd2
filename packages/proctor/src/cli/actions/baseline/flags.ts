// The flags of `proctor baseline`.
import { choice, flag, jsonFlag, list, orElse, share, type FlagsOf } from "../../flags.ts";

/** Flags that choose results: files, or the last ones of the data directory. */
const RESULTS_FLAGS = [
  list(
    "--results <file>",
    "these results instead of the last ones; of machines that shared them, each part (repeatable)",
  ),
  flag("--database <url>", "whose last results (DATABASE_URL, file:./.proctor/proctor.db)"),
  flag("--config <file>", "read this file instead of proctor.yaml"),
] as const;
export type ResultsFlags = FlagsOf<typeof RESULTS_FLAGS>;

export const SAVE_BASELINE_FLAGS = [
  ...RESULTS_FLAGS,
  flag("--partial", "also results that were interrupted"),
  jsonFlag("what was saved"),
] as const;
export type SaveBaselineFlags = FlagsOf<typeof SAVE_BASELINE_FLAGS>;

export const COMPARE_BASELINE_FLAGS = [
  ...RESULTS_FLAGS,
  flag("--alpha <p>", "accepted false-alarm rate (0.05)", share),
  orElse(
    choice(
      "--fail-on <what>",
      "what ends with exit code 1: a significant regression, or any pass that became a fail",
      ["regression", "flip"],
    ),
    "regression",
  ),
  jsonFlag("the comparison"),
] as const;
export type CompareBaselineFlags = FlagsOf<typeof COMPARE_BASELINE_FLAGS>;
