// Writes the suite format as the TypeScript types of `defineSuite`. The file is committed, because type checks need it; a test checks
// that it is up to date.
import { writeFileSync } from "node:fs";
import { CASE_CHECKS } from "../packages/proctor/src/suites/checks/registry.ts";
import { suiteJsonSchema } from "./suite-format/json-schema.ts";
import { suiteTypeText } from "./suite-format/type-text.ts";

export const TYPES = new URL("../packages/proctor/src/suites/format/gen/suite-types.ts", import.meta.url);

/** The file as it must be. */
export function suiteTypes(): string {
  return suiteTypeText(
    suiteJsonSchema(),
    CASE_CHECKS.map(({ type }) => type),
  );
}

if (process.argv[1]?.endsWith("suite-types.ts")) writeFileSync(TYPES, suiteTypes());
