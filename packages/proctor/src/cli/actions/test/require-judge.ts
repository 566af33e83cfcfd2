// Whether a judge is there for the checks that ask one. Found out before anything runs: an agent whose answer nobody will judge is
// paid for nothing.
import { ProctorError } from "../../../core/errors.ts";
import { checksForJudge, CONFIGURE_JUDGE, missingJudge } from "../../../suites/judge/missing-judge.ts";
import type { SuiteCheck, SuiteTest } from "../../../suites/suite.ts";
import { loadHubConfig, type CommandContext, type HubFlags } from "../../context.ts";

export interface JudgeFlags {
  withoutJudge?: boolean;
}

/** Throws JUDGE_MISSING, unless somebody said that it may be missing. */
export async function requireJudge(
  tests: Iterable<SuiteTest>,
  flags: HubFlags & JudgeFlags,
  context: CommandContext,
): Promise<void> {
  if (flags.withoutJudge === true) return;
  const missing = missingJudge(await unjudged(tests, flags, context));
  if (missing === undefined) return;
  const next = `${CONFIGURE_JUDGE}\nor add --without-judge: then these checks stay unevaluated`;
  throw new ProctorError("JUDGE_MISSING", `${missing.place}  ${missing.message}\n${next}`);
}

/** The checks that nobody will judge. The configuration is read only where one of them asks for a judge. */
export async function unjudged(
  tests: Iterable<SuiteTest>,
  flags: HubFlags,
  context: CommandContext,
): Promise<SuiteCheck[]> {
  const checks = checksForJudge(tests);
  if (checks.length === 0) return [];
  const { judge } = await loadHubConfig(context, flags);
  return judge ? [] : checks;
}
