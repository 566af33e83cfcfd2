// The reporters by name, each in a line: what the help, the shells' completion and the documents say about them.

export const REPORTERS = {
  console: "for people: live progress on a terminal, plain lines in a pipe",
  json: "one JSON document",
  jsonl: "a line of JSON for each run and each case, as they end",
  junit: "JUnit XML, for CI systems",
  markdown: "a comment for a pull request",
  tap: "TAP 14, for harnesses of the Test Anything Protocol",
  github: "annotations in GitHub Actions",
  html: "one page with everything in it, to read and to send",
} as const satisfies Record<string, string>;

export type ReporterName = keyof typeof REPORTERS;

/** Names of the reporters, which `Object.keys` returns as mere strings. */
export const REPORTER_NAMES = Object.keys(REPORTERS) as readonly ReporterName[];
