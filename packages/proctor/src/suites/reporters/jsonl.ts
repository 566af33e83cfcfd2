// For machines that read along: a line of JSON per run and per case as they end, then one for the rest. Nothing is kept in
// between.
import type { JsonObject } from "../../core/json.ts";
import { printable } from "../../core/printable.ts";
import type { Reporter, Write } from "../reporter.ts";
import { attemptDocument, caseDocument, caseIdentity, endDocument } from "./case-document.ts";

export function jsonlReporter({ write }: { write: Write }): Reporter {
  // What `printable` replaces stands only inside strings, where `\u…` means the same: the line stays one line for readers
  // that also break at U+2028 or U+0085, and does nothing to a terminal.
  const line = (document: JsonObject): void => write(`${printable(JSON.stringify(document))}\n`);
  return {
    start() {},
    attemptEnded(planned, attempt) {
      line({ type: "run", ...caseIdentity(planned), ...attemptDocument(attempt) });
    },
    caseEnded(result) {
      line({ type: "case", ...caseDocument(result) });
    },
    end(summary) {
      line({ type: "summary", ...endDocument(summary) });
    },
  };
}
