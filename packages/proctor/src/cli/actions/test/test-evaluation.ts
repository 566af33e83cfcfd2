// The evaluation that the hub keeps of `proctor test`, with what is known of where it runs.
import { hostname } from "node:os";
import type { EvaluationMetadata } from "../../../core/evaluation.ts";
import { gitHead } from "../../../runtime/files/git-head.ts";
import { formatIdentity, isAlive, ownIdentity, parseIdentity } from "../../../runtime/processes/identity.ts";
import { boundedName } from "../../../suites/evaluations/case-record.ts";
import { openRecorder, type Recorder } from "../../../suites/evaluations/recorder.ts";
import type { JournaledEvaluation } from "../../../suites/journal/journal.ts";
import type { Plan } from "../../../suites/plan.ts";
import type { CliIo } from "../../cli-io.ts";
import type { HubSession } from "../../compose/compose.ts";
import { version } from "../../version.ts";
import type { TestFlags } from "./flags.ts";
import type { Earlier } from "./test-recall.ts";
import { testExitCode } from "./test-exit-code.ts";

interface EvaluationOptions {
  flags: TestFlags;
  session: HubSession;
  io: CliIo;
  earlier: Earlier | undefined;
}

/** Resolves with undefined where no evaluation is kept: the flags say so, there is nothing to do, or runs are only re-graded. */
export async function openEvaluation(
  plan: Plan,
  { flags, session, io, earlier }: EvaluationOptions,
): Promise<Recorder | undefined> {
  if (flags.noRecord === true || flags.rescore === true || plan.cases.length === 0) return undefined;
  const before = flags.resume === true ? earlier?.journal.evaluation : undefined;
  const resume = before && { id: before.id, ...(isGone(before) && { replaces: before.owner }) };
  return openRecorder({
    evaluations: session.platform.evaluations,
    plan,
    metadata: await metadataOf(io),
    ...(resume !== undefined && { resume }),
    exitCode: testExitCode,
    warn: (message) => void io.stderr.write(`warning: ${message}\n`),
  });
}

/** Whether the client that recorded the evaluation ran on this machine and no longer runs. */
function isGone({ host, process: written }: JournaledEvaluation): boolean {
  const recorder = parseIdentity(written);
  return host === hostname() && recorder !== undefined && !isAlive(recorder);
}

/** Returns the journal's entry on the evaluation, for the invocation that resumes it. */
export function journaled({ id, owner }: Recorder): { evaluation?: JournaledEvaluation } {
  return id === undefined
    ? {}
    : { evaluation: { id, owner, host: hostname(), process: formatIdentity(ownIdentity()) } };
}

/** Resolves with the metadata. What a build server says wins over the checkout, which may be a detached head there. */
async function metadataOf({ cwd, env }: CliIo): Promise<EvaluationMetadata> {
  const { commit, branch } = await gitHead(cwd);
  const known = (...names: string[]): string | null =>
    names.map((name) => env[name] ?? "").find((value) => value !== "") ?? null;
  const nameOf = (value: string | null): string | null => (value === null ? null : boundedName(value));
  return {
    git_commit: nameOf(known("GITHUB_SHA", "CI_COMMIT_SHA") ?? commit),
    git_branch: nameOf(known("GITHUB_REF_NAME", "CI_COMMIT_REF_NAME") ?? branch),
    host: boundedName(hostname()),
    proctor_version: version(),
  };
}
