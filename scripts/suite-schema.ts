// Writes the suite format down for editors: as JSON Schema, and as the TypeScript types of `defineSuite`. A test checks
// that both are up to date.
import { readFileSync, writeFileSync } from "node:fs";
import { CASE_CHECKS } from "../packages/proctor/src/suites/checks/registry.ts";
import { suiteJsonSchema } from "../packages/proctor/src/suites/format/json-schema.ts";
import { suiteTypeText } from "../packages/proctor/src/suites/format/type-text.ts";

const SCHEMA = new URL("../packages/proctor/suite.schema.json", import.meta.url);
const TYPES = new URL("../packages/proctor/src/suites/format/gen/suite-types.ts", import.meta.url);

interface Written {
  file: URL;
  text: string;
}

/** The two files as they must be. */
export function suiteFormatFiles(): Written[] {
  const schema = suiteJsonSchema();
  const caseChecks = CASE_CHECKS.map(({ type }) => type);
  return [
    { file: SCHEMA, text: `${JSON.stringify(schema, null, 2)}\n` },
    { file: TYPES, text: suiteTypeText(schema, caseChecks) },
  ];
}

export function isUpToDate({ file, text }: Written): boolean {
  return readFileSync(file, "utf8") === text;
}

if (process.argv[1]?.endsWith("suite-schema.ts")) {
  for (const { file, text } of suiteFormatFiles()) writeFileSync(file, text);
}
