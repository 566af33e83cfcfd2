// The suite format as the TypeScript types of `defineSuite`, which scripts/generate.ts writes to a file.
import { CASE_CHECKS } from "../packages/proctor/src/suites/checks/registry.ts";
import { suiteJsonSchema } from "./suite-format/json-schema.ts";
import { suiteTypeText } from "./suite-format/type-text.ts";

export const TYPES = new URL("../packages/proctor/src/suites/format/gen/suite-types.ts", import.meta.url);

/** Returns the text of the file. */
export function suiteTypes(): string {
  return suiteTypeText(
    suiteJsonSchema(),
    CASE_CHECKS.map(({ type }) => type),
  );
}
