// For machines: one JSON document, in snake_case like everything Proctor sends. Each case is written as it ends, so that
// nothing is kept; what is known only at the end stands at the end.
import type { Json } from "../../core/json.ts";
import type { Reporter, Write } from "../reporter.ts";
import { caseDocument, endDocument } from "./case-document.ts";

export function jsonReporter({ write }: { write: Write }): Reporter {
  let count = 0;
  return {
    start() {
      write('{\n  "cases": [');
    },
    caseEnded(result) {
      write(`${count === 0 ? "" : ","}\n    ${indented(caseDocument(result), 4)}`);
      count += 1;
    },
    end(summary) {
      const rest = Object.entries(endDocument(summary)).map(
        ([key, value]) => `,\n  ${JSON.stringify(key)}: ${indented(value ?? null, 2)}`,
      );
      write(`${count === 0 ? "" : "\n  "}]${rest.join("")}\n}\n`);
    },
  };
}

function indented(value: Json, columns: number): string {
  // In JSON a line ends only where the layout says so: inside strings it is escaped.
  return JSON.stringify(value, null, 2).replaceAll("\n", `\n${" ".repeat(columns)}`);
}
