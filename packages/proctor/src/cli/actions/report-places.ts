// The reports that `--reporter` asks for, and the files that they go to. Files are opened before anything runs: a report that cannot be
// written is found out first, not last.
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { ProctorError } from "../../core/errors.ts";
import { suggest } from "../../core/suggest.ts";
import { bufferWrites } from "../../suites/buffer-writes.ts";
import type { Write } from "../../suites/reporter.ts";
import type { CliOutput } from "../cli-io.ts";

export interface WantedReport<Name extends string> {
  name: Name;
  /** File that the report goes to; stdout when undefined. */
  file: string | undefined;
}

/** Reads `name` and `name=file`. At most one report can have stdout. */
export function readReporterFlags<Name extends string>(
  flags: readonly string[],
  names: readonly Name[],
): WantedReport<Name>[] {
  const wanted = flags.map((flag) => readReporterFlag(flag, names));
  if (wanted.filter(({ file }) => file === undefined).length > 1) {
    throw new ProctorError(
      "USAGE",
      "only one reporter can write to stdout\ngive the others a file: --reporter junit=report.xml",
    );
  }
  return wanted;
}

function readReporterFlag<Name extends string>(flag: string, names: readonly Name[]): WantedReport<Name> {
  const at = flag.indexOf("=");
  const [word, file] = at === -1 ? [flag, undefined] : [flag.slice(0, at), flag.slice(at + 1)];
  const name = names.find((known) => known === word);
  if (name === undefined) {
    const similar = suggest(word, names);
    const next = similar === undefined ? `there are: ${names.join(", ")}` : `did you mean ${similar}?`;
    throw new ProctorError("USAGE", `unknown reporter "${word}"\n${next}`);
  }
  if (file === "")
    throw new ProctorError(
      "USAGE",
      `--reporter ${name}= names no file\nfor example: --reporter ${name}=report.txt`,
    );
  return { name, file };
}

/** Says where the reports are that went to files. */
export function announceReports(wanted: readonly WantedReport<string>[], output: CliOutput): void {
  for (const { file } of wanted) if (file !== undefined) output.write(`report  ${file}\n`);
}

export interface ReportPlaces {
  /** Opens the file of a report, and returns what writes to it. */
  open(name: string, file: string): Write;
  /** Calls `closer` at the end, before the files that were opened until now are closed. */
  beforeClose(closer: () => void): void;
  /** Writes what waits and closes everything; a second call does nothing. */
  close(): void;
}

export function createReportPlaces(cwd: string): ReportPlaces {
  const closers: (() => void)[] = [];
  return {
    open(name, file) {
      const descriptor = openReport(name, file, cwd);
      closers.push(() => closeSync(descriptor));
      const { write, flush } = bufferWrites(writeTo(descriptor, file));
      closers.push(flush);
      return write;
    },
    beforeClose: (closer) => void closers.push(closer),
    close() {
      const errors: unknown[] = [];
      for (const one of closers.splice(0).reverse()) {
        try {
          one();
        } catch (error) {
          errors.push(error);
        }
      }
      // An incomplete report must not pass for a report.
      if (errors.length > 0) throw errors[0];
    },
  };
}

function openReport(name: string, file: string, cwd: string): number {
  const path = resolve(cwd, file);
  try {
    mkdirSync(dirname(path), { recursive: true });
    return openSync(path, "w");
  } catch (error) {
    throw unwritable(`--reporter ${name}=${file}`, error);
  }
}

function writeTo(descriptor: number, file: string): Write {
  return (text) => {
    try {
      const bytes = Buffer.from(text);
      for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written);
    } catch (error) {
      throw unwritable(file, error);
    }
  };
}

function unwritable(what: string, error: unknown): ProctorError {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return new ProctorError(
    code === "ENOSPC" ? "STORE_FULL" : "USAGE",
    `${what}: the report cannot be written (${message})\nchoose a path that can be written`,
    { cause: error },
  );
}
