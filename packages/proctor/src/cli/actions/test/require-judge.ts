// Whether there is a judge for the checks that need one. Decided before anything runs: an agent whose answer cannot be judged is paid
// for nothing.
import { ProctorError } from "../../../core/errors.ts";
import {
  checksForJudge,
  CONFIGURE_JUDGE,
  missingJudge,
  type NeedsJudge,
} from "../../../suites/judge/missing-judge.ts";
import type { SuiteTest } from "../../../suites/suite.ts";
import { loadHubConfig, type CommandContext } from "../../compose/compose.ts";
import type { HubFlags } from "../../flags.ts";

/** Throws JUDGE_MISSING, unless --without-judge is given. */
export async function requireJudge(
  tests: Iterable<SuiteTest>,
  flags: HubFlags & { withoutJudge?: boolean },
  context: CommandContext,
): Promise<void> {
  if (flags.withoutJudge === true) return;
  const missing = missingJudge(await unjudged(tests, flags, context));
  if (missing === undefined) return;
  const next = `${CONFIGURE_JUDGE}\nor add --without-judge: then these checks stay unevaluated`;
  throw new ProctorError("JUDGE_MISSING", `${missing.place}  ${missing.message}\n${next}`);
}

/** Returns the checks that lack a judge. The configuration is read only if a check needs one. */
export async function unjudged(
  tests: Iterable<SuiteTest>,
  flags: HubFlags,
  context: CommandContext,
): Promise<NeedsJudge[]> {
  const checks = checksForJudge(tests);
  if (checks.length === 0) return [];
  const { judge } = await loadHubConfig(context, flags);
  return judge ? [] : checks;
}
