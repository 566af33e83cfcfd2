// The examples of docs/reference/checks.md: each check, what it is shown on, and what the document says of it.
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { blocks } from "./markdown.ts";

export const CHECKS_DOCUMENT = readFileSync(
  new URL("../../../../docs/reference/checks.md", import.meta.url),
  "utf8",
);

const EXPECTED = /^# (pass|fail|unevaluated): (.*)$/gm;

export interface CheckExample {
  /** The first line of its block, which says what the example is shown on, unless that is the researcher. */
  head: string;
  check: { type: string; config?: object };
  expected: { outcome: string; message: string };
}

export function checkExamples(): CheckExample[] {
  return blocks(CHECKS_DOCUMENT, "yaml").flatMap((text) => {
    const expected = Array.from(text.matchAll(EXPECTED), ([, outcome = "", message = ""]) => ({
      outcome,
      message,
    }));
    if (expected.length === 0) return [];
    // The document is ours, and every check in it is looked at by the tests.
    const checks = parse(text) as CheckExample["check"][];
    if (checks.length !== expected.length) throw new Error(`not one comment for each check:\n${text}`);
    const [head = ""] = text.split("\n");
    return checks.map((check, index) => ({ head, check, expected: expected[index]! }));
  });
}

/** A message without what differs each time: where in the log an event stands, and how long something took. */
export function steadyMessage(message: string): string {
  return message.replaceAll(/\b(events?) \d+( to \d+)?/g, "$1 n").replaceAll(/\b[\d.]+ s\b/g, "n s");
}
