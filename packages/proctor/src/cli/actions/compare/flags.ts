// The flags of `proctor compare`.
import {
  choice,
  documentFlags,
  flag,
  list,
  positiveInteger,
  positiveNumber,
  share,
  type FlagsOf,
} from "../../flags.ts";

export const COMPARE_FLAGS = [
  flag("--runs <n>", "run every test n times with each, whatever the suite says", positiveInteger),
  list("--tag <tag>", "only tests with one of these tags; !tag leaves out (repeatable)"),
  list("--only <id>", "only the test with this id (repeatable)"),
  flag("--concurrency <n>", "runs in flight at once (10)", positiveInteger),
  flag("--timeout <seconds>", "time limit of every run, whatever the suite says", positiveInteger),
  flag("--max-cost <usd>", "start no further run once the cost reaches this amount", positiveNumber),
  list("-r, --reporter <name[=file]>", "reports of the tests, as in proctor test (repeatable)"),
  flag("--without-judge", "run even if checks need a judge and none is configured"),
  flag("--alpha <p>", "accepted false-alarm rate (0.05)", share),
  choice("--fail-on <what>", "end with exit code 1 when the second is worse", ["worse"]),
  ...documentFlags("the comparison"),
] as const;
export type CompareFlags = FlagsOf<typeof COMPARE_FLAGS>;
