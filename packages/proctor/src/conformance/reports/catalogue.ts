// The reports by name, each in a line: what the help, the shells' completion and the documents say about them.
import type { Report } from "./report.ts";

export const REPORTS = {
  json: "one JSON document",
  junit: "JUnit XML, for CI systems",
  markdown: "a comment for a pull request, or the text of an issue",
  html: "one page with everything in it, to read and to send",
  badge: "an SVG image: the protocol, and whether the agent conforms to it",
  "badge-json": "the same for services that draw badges from an endpoint",
  summary: "a small JSON document for registries to poll",
  acts: "the report that ACTS defines, with --acts",
} as const satisfies Record<string, string>;

export type ReportName = keyof typeof REPORTS;

/** Names of the reports, which `Object.keys` returns as mere strings. */
export const REPORT_NAMES = Object.keys(REPORTS) as readonly ReportName[];

export async function loadReport(name: ReportName): Promise<Report> {
  switch (name) {
    case "json":
      return (await import("./json.ts")).jsonReport;
    case "junit":
      return (await import("./junit.ts")).junitReport;
    case "markdown":
      return (await import("./markdown.ts")).markdownReport;
    case "html":
      return (await import("./html.ts")).htmlReport;
    case "badge":
      return (await import("./badge.ts")).badgeReport;
    case "badge-json":
      return (await import("./badge-json.ts")).badgeJsonReport;
    case "summary":
      return (await import("./summary.ts")).summaryReport;
    case "acts":
      return (await import("./acts.ts")).actsReport;
    default:
      return name satisfies never;
  }
}
