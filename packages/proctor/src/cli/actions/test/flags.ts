// The flags of `proctor test` and `proctor validate`.
import { InvalidArgumentError } from "commander";
import { REPORTER_NAMES } from "../../../suites/reporters/catalogue.ts";
import {
  environmentFlags,
  flag,
  jsonFlag,
  HUB_FLAGS,
  list,
  positiveInteger,
  positiveNumber,
  reporterFlag,
  wholeNumber,
  type FlagsOf,
} from "../../flags.ts";

function hiddenIdFlag() {
  const made = list("--id <id>", "the same as --only");
  made.option.hideHelp();
  return made;
}

/** Returns the flag `--no-record`, which is not the opposite of `--record <folder>`, although Commander would take it for that. */
function noRecordFlag() {
  const made = flag("--no-record", "keep no evaluation of it in the hub");
  made.option.negate = false;
  made.option.attributeName = () => "noRecord";
  return { ...made, name: "noRecord" as const };
}

export const TEST_FLAGS = [
  list("-a, --agent <address>", "test this agent instead of those the suites name (repeatable)"),
  list("--tag <tag>", "only tests with one of these tags; !tag leaves out (repeatable)"),
  list("-t, --only <test>", "only tests with this id, pattern of ids (*) or part of a name (repeatable)"),
  hiddenIdFlag(),
  reporterFlag(REPORTER_NAMES),
  flag("--list", "print the tests that would run, and run nothing"),
  flag("--runs <n>", "run every test n times, whatever the suite says", positiveInteger),
  flag("--concurrency <n>", "runs in flight at once (10)", positiveInteger),
  flag("--timeout <seconds>", "time limit of every run, whatever the suite says", positiveInteger),
  flag("--strict", "a violation of its protocol fails a run"),
  flag("--canary", "give every run a unique secret, and fail it where that turns up again"),
  flag(
    "--transports <addresses>",
    "run every test over each of these addresses of one agent, and fail where they differ (repeatable)",
    collectAddresses,
  ),
  flag("--fail-fast", "stop at the first test that fails"),
  flag("--max-cost <usd>", "start no further run once the cost reaches this amount", positiveNumber),
  flag("--retry-errors <n>", "retry a run up to n times after an infrastructure failure (1)", wholeNumber),
  flag("--shard <part/of>", "only one part of the tests, for machines that share them: 1/3", shard),
  flag("--resume", "go on where the last invocation was interrupted"),
  flag("--rerun-failed", "only what did not pass last time"),
  flag("--rescore", "re-grade the previous runs, without calling an agent"),
  flag("--results <file>", "which results --resume, --rerun-failed and --rescore go by (the last ones)"),
  flag("--cache", "take runs of the same content that the hub has already"),
  flag("--watch", "run again whenever a file changes"),
  flag("--record <folder>", "keep what travels between hub and agents"),
  noRecordFlag(),
  flag("--replay <folder>", "play what was recorded instead of calling agents"),
  flag("--baseline <file>", "compare with earlier results, and fail when something got worse"),
  flag("--without-judge", "run even if checks need a judge and none is configured"),
  flag("--otlp <url>", "send every run as a trace to this OpenTelemetry collector"),
  flag("--workers", "say at the end which worker carried out how many runs"),
  flag("--json", "the same as --reporter json: the report on stdout, and nothing else there"),
  ...environmentFlags(),
  ...HUB_FLAGS,
] as const;
export type TestFlags = FlagsOf<typeof TEST_FLAGS>;

/** Collects addresses, which are separated by commas. A comma inside a command line separates nothing: no address begins after it. */
function collectAddresses(value: string, before: readonly string[] | undefined): string[] {
  const addresses = value.split(/,(?=\s*[a-z][a-z0-9-]*\+[a-z]+:|\s*[A-Za-z0-9][\w.-]*\s*(?:,|$))/i);
  return [
    ...(before ?? []),
    ...addresses.map((address) => address.trim()).filter((address) => address !== ""),
  ];
}

function shard(value: string): { part: number; of: number } {
  const [, part = "0", of = "0"] = /^(\d{1,6})\/(\d{1,6})$/.exec(value) ?? [];
  const parsed = { part: Number(part), of: Number(of) };
  if (parsed.part >= 1 && parsed.part <= parsed.of) return parsed;
  throw new InvalidArgumentError("It must be like 2/3: the second part of three.");
}

export const VALIDATE_FLAGS = [
  flag("--without-judge", "accept checks that need a judge where none is configured"),
  jsonFlag("{suites}"),
] as const;
export type ValidateFlags = FlagsOf<typeof VALIDATE_FLAGS>;
