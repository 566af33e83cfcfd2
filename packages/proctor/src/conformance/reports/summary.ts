// A small document that a registry can poll: who was tried, when, by what, and what it comes to. Its fields are only ever added to.
import type { Report } from "./report.ts";

const SCHEMA_VERSION = 1;

export const summaryReport: Report = (document) => {
  const { rules: _, baseline: __, record: ___, summary, ...head } = document;
  const { duration_ms: ____, ...counts } = summary;
  return `${JSON.stringify({ schema_version: SCHEMA_VERSION, ...head, counts }, null, 2)}\n`;
};
