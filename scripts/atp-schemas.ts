// Writes the JSON Schemas of ATP into docs/reference/atp.md, from the schemas that Proctor itself uses.
// docs.test.ts checks that the page is up to date.
import { readFileSync, writeFileSync } from "node:fs";
import { atpJsonSchemas } from "./atp-json-schemas.ts";

const PAGE = new URL("../docs/reference/atp.md", import.meta.url);
const HEADING = "\n## JSON Schemas\n";

/** Returns the page with its last section replaced by the current schemas. */
export function withSchemas(page: string): string {
  const [before = ""] = page.split(HEADING);
  const blocks = Object.entries(atpJsonSchemas).map(
    ([name, schema]) => `### ${name}\n\n\`\`\`json\n${JSON.stringify(schema, null, 2)}\n\`\`\`\n`,
  );
  const intro =
    "\nDraft-07. What Proctor sends satisfies them; what it receives may depart from them where it can still be understood, and\n" +
    "each departure is recorded.\n\n";
  return `${before.trimEnd()}\n${HEADING}${intro}${blocks.join("\n")}`;
}

if (process.argv[1]?.endsWith("atp-schemas.ts")) writeFileSync(PAGE, withSchemas(readFileSync(PAGE, "utf8")));
