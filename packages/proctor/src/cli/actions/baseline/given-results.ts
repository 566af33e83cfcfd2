// The results that a command is about: the files it was given, as one, or else the last ones of the data directory.
import { ProctorError } from "../../../core/errors.ts";
import type { ResultSet } from "../../../suites/compare/comparison.ts";
import { mergeResults } from "../../../suites/compare/merge-results.ts";
import { readResults } from "../../../suites/compare/read-results.ts";
import { latestJournal } from "../../../suites/journal/journal-files.ts";
import type { ResultsFlags } from "./flags.ts";
import { loadHubConfig, type CommandContext } from "../../compose/compose.ts";
import { pathOf } from "../path-of.ts";

export async function givenResults(flags: ResultsFlags, context: CommandContext): Promise<ResultSet> {
  const { results = [], database, config } = flags;
  if (results.length > 0) {
    const files = [...new Set(results.map((file) => pathOf(file, context.io.cwd)))];
    return mergeResults(await Promise.all(files.map(readResults)));
  }
  const { dataDir } = await loadHubConfig(context, {
    ...(database !== undefined && { database }),
    ...(config !== undefined && { config }),
  });
  const latest = latestJournal(dataDir);
  if (latest !== undefined) return readResults(latest);
  throw new ProctorError(
    "USAGE",
    "there are no results here yet\nrun `proctor test` first, or name them: --results <file>",
  );
}
