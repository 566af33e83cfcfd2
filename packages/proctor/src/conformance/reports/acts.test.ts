// The report that ACTS defines: a document for each binding, with counts by level.
import { describe, expect, it } from "vitest";
import type { RuleResult } from "../conformance.ts";
import { createDocument, type ConformDocument } from "../document.ts";
import type { JsonObject } from "../../core/json.ts";
import { actsReport } from "./acts.ts";

function result(id: string, level: "must" | "should", runs: JsonObject, suite = "core"): RuleResult {
  const rule = { id: `acts.${id}`, title: `about ${id}`, level, owner: "document" as const, section: "1" };
  const record = { suite: { id: suite, name: suite.toUpperCase() }, id, name: rule.title, level, runs };
  return { rule, outcome: "pass", durationMs: 1, record };
}

function documentOf(...results: RuleResult[]): ConformDocument {
  const agent = { name: "Writer", version: "2.1" };
  const head = {
    agent: "a2a+http://h",
    protocol: "a2a",
    name: "ACTS",
    transport: "http",
    record: { acts_version: "1.0", spec_version: "1.0", agent },
    proctor_version: "0.1.0",
    checked_at: "2026-11-17T14:00:00.000Z",
    strict: false,
    complete: true,
    interrupted: false,
  };
  return createDocument(head, { results, durationMs: 5 });
}

const failure = { message: "seen", step_id: "send", expected: "1", actual: "2", assertion_path: "a.b" };
const pass = { result: "pass", duration_ms: 2, steps: [{ id: "send", result: "pass", duration_ms: 2 }] };

describe("The report of ACTS", () => {
  it("is one document where one binding was tried, with suites, tests, failures and counts", () => {
    const report: unknown = JSON.parse(
      actsReport(
        documentOf(
          result("A-1", "must", { jsonrpc: pass }),
          result("A-2", "must", {
            jsonrpc: { result: "fail", duration_ms: 3, failure, configuration: "auth" },
          }),
          result(
            "B-1",
            "should",
            { jsonrpc: { result: "skip", duration_ms: 0, skip_reason: "no" } },
            "other",
          ),
        ),
      ),
    );
    const none = { total: 0, passed: 0, failed: 0, skipped: 0, errors: 0 };
    expect(report).toEqual({
      acts_version: "1.0",
      spec_version: "1.0",
      generated_at: "2026-11-17T14:00:00.000Z",
      sdk: { name: "Writer", version: "2.1", language: "unknown" },
      transport: "jsonrpc",
      environment: { runner: "proctor 0.1.0" },
      summary: {
        ...none,
        total: 3,
        passed: 1,
        failed: 1,
        skipped: 1,
        duration_ms: 5,
        by_level: {
          must: { ...none, total: 2, passed: 1, failed: 1 },
          should: { ...none, total: 1, skipped: 1 },
          may: none,
        },
      },
      suites: [
        {
          id: "core",
          name: "CORE",
          tests: [
            { id: "A-1", name: "about A-1", level: "must", ...pass },
            {
              id: "A-2",
              name: "about A-2",
              level: "must",
              result: "fail",
              duration_ms: 3,
              failure,
              configuration: "auth",
            },
          ],
        },
        {
          id: "other",
          name: "OTHER",
          tests: [
            {
              id: "B-1",
              name: "about B-1",
              level: "should",
              result: "skip",
              duration_ms: 0,
              skip_reason: "no",
            },
          ],
        },
      ],
    });
  });

  it("is a list where several bindings were tried, and leaves out of each what was not tried over it", () => {
    const error = { result: "error", duration_ms: 1, failure: { message: "gone" } };
    const both = result("A-1", "must", { rest: pass, grpc: error });
    const reports = JSON.parse(
      actsReport(documentOf(both, result("A-2", "must", { rest: pass }))),
    ) as JsonObject[];
    expect(reports).toMatchObject([
      { transport: "grpc", summary: { total: 1, errors: 1 } },
      { transport: "rest", summary: { total: 2, passed: 2 } },
    ]);
  });
});
