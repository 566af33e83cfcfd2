// The reports that `proctor conform` was asked for: opened before anything is tried, written at the end.
import type { ConformDocument } from "../../../conformance/document.ts";
import { loadReport, REPORT_NAMES } from "../../../conformance/reports/catalogue.ts";
import type { Report } from "../../../conformance/reports/report.ts";
import type { Write } from "../../../suites/reporter.ts";
import type { CliIo } from "../../cli-io.ts";
import { announceReports, createReportPlaces, readReporterFlags } from "../report-places.ts";

export interface ConformReports {
  /** True when stdout is for one of them. */
  hasStdout: boolean;
  write(document: ConformDocument): void;
  close(): void;
  /** Prints where the reports are: below what is shown of the trial, or on stderr where stdout belongs to a document. */
  announce(): void;
}

export async function openConformReports(
  flags: readonly string[],
  io: CliIo,
  { stdoutTaken }: { stdoutTaken: boolean },
): Promise<ConformReports> {
  const wanted = readReporterFlags(stdoutTaken ? [...flags, "json"] : flags, REPORT_NAMES);
  const hasStdout = wanted.some(({ file }) => file === undefined);
  const places = createReportPlaces(io.cwd);
  const opened: { report: Report; write: Write }[] = [];
  try {
    for (const { name, file } of wanted) {
      // The command itself prints what --json asks for.
      if (file === undefined && stdoutTaken) continue;
      const write =
        file === undefined ? (text: string) => void io.stdout.write(text) : places.open(name, file);
      opened.push({ report: await loadReport(name), write });
    }
  } catch (error) {
    places.close();
    throw error;
  }
  return {
    hasStdout,
    write(document) {
      for (const { report, write } of opened) write(report(document));
    },
    close: () => places.close(),
    announce: () => announceReports(wanted, hasStdout ? io.stderr : io.stdout),
  };
}
