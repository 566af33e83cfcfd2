// The report that ACTS defines (its section 13): a document for one binding; where several were tried, a list of them.
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import type { ConformDocument } from "../document.ts";
import type { Report } from "./report.ts";

const COUNTED = { pass: "passed", fail: "failed", skip: "skipped", error: "errors" } as const;
type Counts = Record<"total" | (typeof COUNTED)[keyof typeof COUNTED], number>;

interface Tested {
  suite: JsonObject;
  test: JsonObject;
}

export const actsReport: Report = (document) => {
  const transports = [...new Set(document.rules.flatMap(({ record }) => Object.keys(runsOf(record))))];
  const reports = transports.toSorted().map((transport) => reportOf(document, transport));
  return `${JSON.stringify(reports.length === 1 ? reports[0] : reports, null, 2)}\n`;
};

function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function runsOf(record: JsonObject | undefined): JsonObject {
  return objectOf(record?.["runs"]);
}

function reportOf({ rules, record = {}, checked_at, proctor_version }: ConformDocument, transport: string) {
  const { acts_version, spec_version } = record;
  const { name = "", version = "" } = objectOf(record["agent"]);
  const tested = rules.flatMap(({ record: of }) => {
    const run = runsOf(of)[transport];
    return of && isJsonObject(run) ? [testedOf(of, run)] : [];
  });
  return {
    acts_version,
    spec_version,
    generated_at: checked_at,
    // A card says nothing about what its agent is written in.
    sdk: { name, version, language: "unknown" },
    transport,
    environment: { runner: `proctor ${proctor_version}` },
    summary: summaryOf(tested),
    suites: suitesOf(tested),
  };
}

function testedOf({ suite, id, name, level }: JsonObject, run: JsonObject): Tested {
  return { suite: objectOf(suite), test: { id, name, level, ...run } };
}

function summaryOf(tested: readonly Tested[]): JsonObject {
  const durations = tested.map(({ test }) => Number(test["duration_ms"] ?? 0));
  const ofLevel = (level: string): Counts => countsOf(tested.filter(({ test }) => test["level"] === level));
  return {
    ...countsOf(tested),
    duration_ms: durations.reduce((sum, each) => sum + each, 0),
    by_level: { must: ofLevel("must"), should: ofLevel("should"), may: ofLevel("may") },
  };
}

function countsOf(tested: readonly Tested[]): Counts {
  const counts: Counts = { total: tested.length, passed: 0, failed: 0, skipped: 0, errors: 0 };
  for (const { test } of tested) {
    const result = Object.entries(COUNTED).find(([word]) => word === test["result"])?.[1];
    if (result !== undefined) counts[result]++;
  }
  return counts;
}

function suitesOf(tested: readonly Tested[]): JsonObject[] {
  const suites = new Map<string, JsonObject & { tests: Json[] }>();
  for (const { suite, test } of tested) {
    const id = JSON.stringify(suite["id"]);
    const known = suites.get(id) ?? { ...suite, tests: [] };
    known.tests.push(test);
    suites.set(id, known);
  }
  return [...suites.values()];
}
