// Conformance reports over HTTP. What a client records is bounded here.
import { z } from "zod";
import { MAX_BROKEN, MAX_REASON_CHARS, MAX_WORDS_CHARS } from "../../core/conformance-report.ts";
import { boundedText } from "../../runtime/schemas/bounded.ts";

/** Characters for the note at the end of a shortened text, which says how much was left out. */
const NOTE_CHARS = 40;

const words = boundedText(MAX_WORDS_CHARS + NOTE_CHARS);
const name = z.string().regex(/^[\w.+-]{1,64}$/);
const count = z.int().min(0);

const BrokenRuleDocument = z
  .strictObject({
    id: words,
    title: words,
    owner: z.enum(["document", "proctor"]).describe("Whose rule it is: the protocol's document, or Proctor."),
    section: words.optional().describe("Where the document says it."),
    level: z.enum(["must", "should", "may"]),
    grade: z.enum(["failed", "warning", "advice", "disputed"]),
    reason: z
      .string()
      .max(MAX_REASON_CHARS + NOTE_CHARS)
      .optional()
      .describe("What was seen."),
  })
  .meta({ id: "BrokenRule" });

export const ConformanceReportDocument = z
  .strictObject({
    protocol: name,
    title: words.describe("The protocol and its versions as people write them."),
    transport: name,
    proctor_version: name.describe("The version of Proctor that tried the rules."),
    checked_at: z.iso.datetime(),
    strict: z.boolean(),
    reachable: z.boolean().describe("False when the agent could not be reached, and no rule was kept."),
    verdict: z.enum(["pass", "fail", "unevaluated"]),
    counts: z.strictObject({
      passed: count,
      failed: count,
      warnings: count,
      advice: count,
      disputed: count,
      unevaluated: count,
    }),
    broken: z.array(BrokenRuleDocument).max(MAX_BROKEN).describe("The rules that were not kept."),
  })
  .meta({ id: "ConformanceReport", description: "What the newest trial of an agent's conformance came to." });

export const ConformanceReportList = z
  .object({ items: z.array(ConformanceReportDocument).describe("One for each protocol that was tried.") })
  .meta({ id: "ConformanceReportList" });
