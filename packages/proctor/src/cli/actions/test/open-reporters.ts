// The reporters of `proctor test`, each with the place it writes to. Places are opened before anything runs: a report
// that cannot be written is found out first, not last.
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { ProctorError } from "../../../core/errors.ts";
import { suggest } from "../../../core/suggest.ts";
import { bufferWrites } from "../../../suites/buffer-writes.ts";
import type { Reporter, Write } from "../../../suites/reporter.ts";
import { REPORTER_NAMES, type ReporterName } from "../../../suites/reporters/catalogue.ts";
import type { CliIo } from "../../cli-io.ts";
import { createPaint } from "../../terminal/paint.ts";

export interface OpenReporters {
  reporters: Reporter[];
  close(): void;
  /** Prints where the reports are: below the console's report, or on stderr where stdout belongs to another report. */
  announce(): void;
}

interface Wanted {
  name: ReporterName;
  file: string | undefined;
}

/** Where all reports go to files, the console has stdout, unless that is taken. */
export async function openReporters(
  flags: readonly string[],
  io: CliIo,
  { stdoutTaken = false }: { stdoutTaken?: boolean } = {},
): Promise<OpenReporters> {
  const asked = flags.map(parseReporter);
  const onStdout = asked.filter(({ file }) => file === undefined);
  const wanted: Wanted[] =
    onStdout.length > 0 || stdoutTaken ? asked : [{ name: "console", file: undefined }, ...asked];
  if (onStdout.length > 1) {
    throw new ProctorError(
      "USAGE",
      "only one reporter can write to stdout\ngive the others a file: --reporter junit=report.xml",
    );
  }
  const closers: (() => void)[] = [];
  const close = () => {
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
  };
  try {
    const reporters: Reporter[] = [];
    for (const { name, file } of wanted) {
      const reporter = await openReporter(name, file, io, closers);
      closers.push(() => reporter.close?.());
      reporters.push(reporter);
    }
    const isConsole = !stdoutTaken && onStdout.every(({ name }) => name === "console");
    const output = isConsole ? io.stdout : io.stderr;
    const announce = (): void => {
      for (const { file } of asked) if (file !== undefined) output.write(`report  ${file}\n`);
    };
    return { reporters, close, announce };
  } catch (error) {
    close();
    throw error;
  }
}

function parseReporter(flag: string): Wanted {
  const at = flag.indexOf("=");
  const [word, file] = at === -1 ? [flag, undefined] : [flag.slice(0, at), flag.slice(at + 1)];
  const name = REPORTER_NAMES.find((known) => known === word);
  if (name === undefined) {
    const similar = suggest(word, REPORTER_NAMES);
    const next =
      similar === undefined ? `there are: ${REPORTER_NAMES.join(", ")}` : `did you mean ${similar}?`;
    throw new ProctorError("USAGE", `unknown reporter "${word}"\n${next}`);
  }
  if (file === "")
    throw new ProctorError(
      "USAGE",
      `--reporter ${name}= names no file\nfor example: --reporter ${name}=report.txt`,
    );
  return { name, file };
}

type ClosableReporter = Reporter & { close?(): void };

async function openReporter(
  name: ReporterName,
  file: string | undefined,
  io: CliIo,
  closers: (() => void)[],
): Promise<ClosableReporter> {
  if (file === undefined) return createReporter(name, writeToStdout(name, io), io);
  const descriptor = openReport(name, file, io.cwd);
  closers.push(() => closeSync(descriptor));
  const { write, flush } = bufferWrites(writeTo(descriptor, file));
  closers.push(flush);
  return createReporter(name, write);
}

/** The github reporter writes workflow commands on purpose, and escapes what agents say itself. */
function writeToStdout(name: ReporterName, { stdout }: CliIo): Write {
  if (name !== "github" || stdout.writeCommand === undefined) return (text) => void stdout.write(text);
  return (text) => void stdout.writeCommand?.(text);
}

/** Loads the reporter. `io` is given for stdout, which may be a terminal. */
async function createReporter(name: ReporterName, write: Write, io?: CliIo): Promise<ClosableReporter> {
  switch (name) {
    case "console":
      return (await import("../../../suites/reporters/console/console.ts")).consoleReporter({
        write,
        color: io !== undefined && createPaint(io.stdout, io.env).isColorSupported,
        live: io?.stdout.isTTY === true,
        columns: () => io?.stdout.columns ?? 80,
      });
    case "json":
      return (await import("../../../suites/reporters/json.ts")).jsonReporter({ write });
    case "jsonl":
      return (await import("../../../suites/reporters/jsonl.ts")).jsonlReporter({ write });
    case "junit":
      return (await import("../../../suites/reporters/junit.ts")).junitReporter({ write });
    case "markdown":
      return (await import("../../../suites/reporters/markdown.ts")).markdownReporter({ write });
    case "tap":
      return (await import("../../../suites/reporters/tap.ts")).tapReporter({ write });
    case "github":
      return (await import("../../../suites/reporters/github.ts")).githubReporter({ write });
    case "html":
      return (await import("../../../suites/reporters/html/html-reporter.ts")).htmlReporter({ write });
    default:
      return name satisfies never;
  }
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
