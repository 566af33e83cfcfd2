// Which runs of `proctor test` are not made again: those of an interrupted invocation, of the cache, of recordings.
import { resolve } from "node:path";
import { ProctorError } from "../../../core/errors.ts";
import { latestJournal } from "../../../suites/journal/journal-files.ts";
import { openJournal, type OpenJournal } from "../../../suites/journal/read-journal.ts";
import { caseIdentifier } from "../../../suites/plan.ts";
import type { Recall } from "../../../suites/run/attempt.ts";
import { recallCached, recallFirst, rescoreFrom, resumeFrom } from "../../../suites/run/recall.ts";
import { replayFrom } from "../../../suites/run/recording-files.ts";
import type { TestFlags } from "./flags.ts";
import { loadHubConfig, type CommandContext, type HubSession } from "../../compose/compose.ts";

export interface Earlier {
  journal: OpenJournal;
  /** Identifiers of the cases that did not pass, for `--rerun-failed`. */
  failed?: ReadonlySet<string>;
  close(): Promise<void>;
}

export async function openEarlier(flags: TestFlags, context: CommandContext): Promise<Earlier | undefined> {
  if (flags.resume !== true && flags.rerunFailed !== true && flags.rescore !== true) return undefined;
  const file = await earlierFile(flags, context);
  if (file === undefined) {
    // The first invocation of all has nothing to go on from, and everything to do.
    if (flags.resume === true) return undefined;
    throw new ProctorError(
      "USAGE",
      "there are no earlier results here\nrun `proctor test` first, or name them: --results <file>",
    );
  }
  const journal = await openJournal(file);
  const close = (): Promise<void> => journal.close();
  if (flags.rerunFailed !== true) return { journal, close };
  const failed = journal.cases
    .filter(({ outcome }) => outcome !== "pass")
    .map(({ suite, test_id, agent }) => caseIdentifier(suite, test_id, agent));
  return { journal, failed: new Set(failed), close };
}

async function earlierFile(
  { results, ...flags }: TestFlags,
  context: CommandContext,
): Promise<string | undefined> {
  if (results !== undefined) return resolve(context.io.cwd, results);
  const { dataDir } = await loadHubConfig(context, flags);
  return latestJournal(dataDir);
}

export function recallOf(
  flags: TestFlags,
  earlier: Earlier | undefined,
  { hub }: HubSession,
  cwd: string,
): Recall | undefined {
  const recalls: Recall[] = [];
  if (flags.rescore === true && earlier) recalls.push(rescoreFrom(earlier.journal));
  if (flags.resume === true && earlier) recalls.push(resumeFrom(earlier.journal));
  if (flags.cache === true) recalls.push(recallCached(hub));
  if (flags.replay !== undefined) {
    recalls.push(replayFrom(resolve(cwd, flags.replay)));
  }
  return recalls.length === 0 ? undefined : recallFirst(recalls);
}
