import { describeTraceability } from "../traceability.case.ts";
import { RULES } from "./conform/rules.ts";

describeTraceability({
  name: "document 002",
  folder: new URL(".", import.meta.url),
  conformance: {
    rules: RULES,
    ownRules: [
      "term.answer.useful",
      "term.request.unknown_fields",
      "term.invalid.complete",
      "term.invalid.exit",
    ],
    ruleTests: ["fails $id", "passes every rule"],
  },
  sections: [
    ["Overview", 3],
    ["Communication Flow", 3],
    ["Request Format", 1],
    ["Request Fields", 6],
    ["Example Request Sequence", 1],
    ["Response Format", 1],
    ["Response Fields", 3],
    ["Response Examples", 1],
    ["Agent Lifecycle", 3],
    ["Reading Input Correctly", 2],
    ["Writing Output Correctly", 1],
    ["Logging (stderr)", 2],
    ["Complete Example", 2],
    ["Error Handling", 6],
    ["SDK Support", 1],
    ["Minimal Python Agent", 1],
    ["Legacy Format Support", 1],
  ],
});
