import { expect, it } from "vitest";
import { EVERYTHING } from "../../test/support/conformance/documents.ts";
import { MAX_BROKEN, MAX_REASON_CHARS } from "../core/conformance-report.ts";
import { createDocument } from "./document.ts";
import { keptReport } from "./kept-report.ts";

const HEAD = {
  agent: "tried",
  protocol: "a2a",
  name: "A2A",
  transport: "http",
  versions: ["1.0"],
  proctor_version: "1.0.0",
  checked_at: "2026-01-01T00:00:00.000Z",
  strict: false,
  complete: true,
  interrupted: false,
};

it("The report that a hub keeps has the broken rules, the worst first, and none that was kept", () => {
  const results = EVERYTHING;
  const kept = keptReport(createDocument(HEAD, { results, durationMs: 1 }));
  expect(kept).toMatchObject({ title: "A2A 1.0", verdict: "fail" });
  const grades = kept.broken.map(({ grade }) => grade);
  const order = ["failed", "warning", "disputed", "advice"];
  expect(grades).toEqual(grades.toSorted((one, other) => order.indexOf(one) - order.indexOf(other)));
  expect(grades.filter((grade) => grade === "failed")).toHaveLength(kept.counts.failed);
});

it("The report that a hub keeps is bounded, however many rules were broken and however long their reasons are", () => {
  const rule = {
    id: "a.b",
    title: "about it",
    level: "must" as const,
    owner: "document" as const,
    section: "1",
  };
  const results = Array.from({ length: MAX_BROKEN + 5 }, () => ({
    rule,
    outcome: "fail" as const,
    reason: "x".repeat(MAX_REASON_CHARS * 20),
    durationMs: 1,
  }));
  const kept = keptReport(createDocument(HEAD, { results, durationMs: 1 }));
  expect(kept.broken).toHaveLength(MAX_BROKEN);
  expect(kept.counts.failed).toBe(MAX_BROKEN + 5);
  expect(kept.broken[0]?.reason?.length).toBeLessThan(MAX_REASON_CHARS + 40);
});
