// For machines: one JSON document, in snake_case like everything Proctor sends.
import type { JsonObject } from "../../core/json.ts";
import type { Reporter, Write } from "../reporter.ts";
import { caseDocument, caseIdentity, summaryDocument } from "./case-document.ts";

export function jsonReporter({ write }: { write: Write }): Reporter {
  const cases: JsonObject[] = [];
  return {
    start() {},
    caseEnded(result) {
      cases.push(caseDocument(result));
    },
    end(summary) {
      const not_run = summary.notRun.map(caseIdentity);
      write(`${JSON.stringify({ summary: summaryDocument(summary), cases, not_run }, null, 2)}\n`);
    },
  };
}
