// What reviewing agents answer, in the spellings they have, and what contradicts itself.
import { describe, expect, it } from "vitest";
import type { Json } from "../../core/json.ts";
import { parseVerdict } from "./parse-verdict.ts";

const UNDERSTOOD: [string, Json, object][] = [
  ["the documented form", { verdict: "approve", score: 0.9 }, { verdict: "approve", score: 0.9 }],
  ["upper case", { verdict: "RETRY", feedback: ["a"] }, { verdict: "retry", feedback: ["a"] }],
  ["spaces and dashes", { verdict: " Changes-requested " }, { verdict: "retry" }],
  ["decision", { decision: "rejected", reason: "no" }, { verdict: "reject", reason: "no" }],
  ["recommendation", { recommendation: "needs human" }, { verdict: "escalate" }],
  ["approved: true", { approved: true }, { verdict: "approve" }],
  ["approved: false with feedback", { approved: false, feedback: "x" }, { verdict: "retry", feedback: "x" }],
  ["approved: false alone", { approved: false, reasoning: "no" }, { verdict: "reject", reason: "no" }],
  ["approved: false beside a verdict", { verdict: "escalate", approved: false }, { verdict: "escalate" }],
  ["a bare word", "LGTM", { verdict: "approve" }],
  ["a fence", 'Here:\n```json\n{"verdict": "retry"}\n```\n', { verdict: "retry" }],
  ["thoughts first", '<think>{"verdict":"reject"}</think>{"verdict":"approve"}', { verdict: "approve" }],
  ["a wrapped object", { review: { verdict: "reject" } }, { verdict: "reject" }],
  ["a wrapped text", { result: '{"verdict": "approve"}' }, { verdict: "approve" }],
  ["the same verdict twice", '{"verdict":"retry"} {"decision":"revise"}', { verdict: "retry" }],
  [
    "several kinds of feedback",
    { verdict: "retry", comments: "c", issues: [1] },
    { verdict: "retry", feedback: { comments: "c", issues: [1] } },
  ],
  ["empty flags", { verdict: "approve", must_fix: [], blocking: false }, { verdict: "approve" }],
  [
    "a reason that is data",
    { verdict: "reject", reason: { a: 1 } },
    { verdict: "reject", reason: '{"a":1}' },
  ],
];

const CONTRADICTIONS: [string, Json][] = [
  ["two fields", { verdict: "approve", decision: "reject" }],
  ["a verdict and a flag", { verdict: "approve", approved: false }],
  ["a flag and a verdict", { verdict: "reject", approved: true }],
  ["two objects in a text", '{"verdict":"approve"} then {"verdict":"reject"}'],
  ["approval with must_fix", { verdict: "approve", must_fix: ["the title"] }],
  ["approval with blocking", { approved: true, blocking: true }],
  ["approval with a blocking issue", { verdict: "approve", issues: [{ severity: "Critical" }] }],
  ["a contradiction in a fence", '```json\n{"verdict":"approve","blockers":1}\n```'],
];

const NONSENSE: [string, Json][] = [
  ["nothing", null],
  ["a number", 7],
  ["a list", ["approve"]],
  ["an empty object", {}],
  ["prose", "I would approve this, mostly."],
  ["an unknown word", { verdict: "maybe" }],
  ["a verdict of another type", { verdict: 1 }],
  ["a flag of another type", { approved: "yes" }],
  ["an unknown word beside a known one", { verdict: "approve", decision: "absolutely not" }],
  ["pass or fail", { verdict: "fail" }],
];

describe("What a reviewing agent answered", () => {
  it.each(UNDERSTOOD)("is understood as a verdict: %s", (_name, output, expected) => {
    expect(parseVerdict(output)).toEqual(expected);
  });

  it.each(CONTRADICTIONS)("is trouble where it contradicts itself: %s", (_name, output) => {
    expect(parseVerdict(output)).toEqual({
      trouble: expect.stringMatching(/^the reviewer contradicts itself: /) as string,
    });
  });

  it.each(NONSENSE)("is trouble where it is no verdict: %s", (_name, output) => {
    expect(parseVerdict(output)).toEqual({
      trouble: expect.stringMatching(/^the reviewer gave no verdict: .*expected approve, retry/) as string,
    });
  });

  it("is quoted only in part where it is long", () => {
    const { trouble } = parseVerdict("x".repeat(100_000)) as { trouble: string };
    expect(trouble.length).toBeLessThan(400);
  });
});
