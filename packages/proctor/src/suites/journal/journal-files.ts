// Where journals are kept: one file for each invocation, in the data directory, the newest last by name.
import { messageOf } from "../../core/message-of.ts";
import { closeSync, mkdirSync, openSync, readdirSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { ProctorError } from "../../core/errors.ts";
import type { Write } from "../reporter.ts";

const NAME = /^\d{8}T\d{9}Z-[0-9a-f]{6}\.jsonl$/;
/** Number of journals that are kept; older ones are removed. */
const KEPT = 50;

function resultsFolder(dataDir: string): string {
  return join(dataDir, "results");
}

interface JournalFile {
  file: string;
  write: Write;
  close(): void;
}

export function createJournalFile(dataDir: string, now: Date, random: string): JournalFile {
  const folder = resultsFolder(dataDir);
  const file = join(folder, `${now.toISOString().replace(/[-:.]/g, "")}-${random}.jsonl`);
  let descriptor: number;
  try {
    mkdirSync(folder, { recursive: true });
    descriptor = openSync(file, "ax");
  } catch (cause) {
    const why = messageOf(cause);
    throw new ProctorError(
      "USAGE",
      `the results cannot be kept in ${folder} (${why})\nchoose another data directory with --database`,
      { cause },
    );
  }
  prune(folder);
  return {
    file,
    // Written at once, so that a run that was reported is never repeated, even after a crash.
    write(text) {
      const bytes = Buffer.from(text);
      for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written);
    },
    close: () => closeSync(descriptor),
  };
}

/** Path of the newest journal; undefined when there is none. */
export function latestJournal(dataDir: string): string | undefined {
  const folder = resultsFolder(dataDir);
  const name = journalsIn(folder).at(-1);
  return name === undefined ? undefined : join(folder, name);
}

function prune(folder: string): void {
  for (const name of journalsIn(folder).slice(0, -KEPT)) rmSync(join(folder, name), { force: true });
}

function journalsIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => NAME.test(name))
      .sort();
  } catch {
    return [];
  }
}
