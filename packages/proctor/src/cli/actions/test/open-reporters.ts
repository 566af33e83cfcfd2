// The reporters of `proctor test`, each with the place it writes to.
import type { Reporter, Write } from "../../../suites/reporter.ts";
import { REPORTER_NAMES, type ReporterName } from "../../../suites/reporters/catalogue.ts";
import type { CliIo } from "../../cli-io.ts";
import { createPaint } from "../../terminal/paint.ts";
import {
  announceReports,
  createReportPlaces,
  readReporterFlags,
  type WantedReport,
} from "../report-places.ts";

import { testExitCode } from "./test-exit-code.ts";

export interface OpenReporters {
  reporters: Reporter[];
  close(): void;
  /** Prints where the reports are: below the console's report, or on stderr where stdout belongs to another report. */
  announce(): void;
}

/** Opens the reporters. Where all reports go to files, the console has stdout, unless that is taken. */
export async function openReporters(
  flags: readonly string[],
  io: CliIo,
  { stdoutTaken = false }: { stdoutTaken?: boolean } = {},
): Promise<OpenReporters> {
  const asked = readReporterFlags(flags, REPORTER_NAMES);
  const onStdout = asked.filter(({ file }) => file === undefined);
  const wanted: WantedReport<ReporterName>[] =
    onStdout.length > 0 || stdoutTaken ? asked : [{ name: "console", file: undefined }, ...asked];
  const places = createReportPlaces(io.cwd);
  try {
    const reporters: Reporter[] = [];
    for (const { name, file } of wanted) {
      const reporter = await (file === undefined
        ? createReporter(name, writeToStdout(name, io), io)
        : createReporter(name, places.open(name, file)));
      places.beforeClose(() => reporter.close?.());
      reporters.push(reporter);
    }
    const isConsole = !stdoutTaken && onStdout.every(({ name }) => name === "console");
    const announce = (): void => announceReports(asked, isConsole ? io.stdout : io.stderr);
    return { reporters, close: () => places.close(), announce };
  } catch (error) {
    places.close();
    throw error;
  }
}

/** The github reporter writes workflow commands on purpose, and escapes what agents say itself. */
function writeToStdout(name: ReporterName, { stdout }: CliIo): Write {
  if (name !== "github" || stdout.writeCommand === undefined) return (text) => void stdout.write(text);
  return (text) => void stdout.writeCommand?.(text);
}

type ClosableReporter = Reporter & { close?(): void };

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
      return (await import("../../../suites/reporters/html/html-reporter.ts")).htmlReporter({
        write,
        exitCode: testExitCode,
      });
    default:
      return name satisfies never;
  }
}
