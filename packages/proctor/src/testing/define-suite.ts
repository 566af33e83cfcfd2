// `import { defineSuite } from "proctor"`: suites written in TypeScript or JavaScript.
import type { SuiteDefinition } from "../suites/format/gen/suite-types.ts";

export type {
  AgentDefinition,
  CheckDefinition,
  DefaultsDefinition,
  SuiteDefinition,
  TestDefinition,
} from "../suites/format/gen/suite-types.ts";

/** Returns the definition unchanged. Its type lets an editor complete checks and their settings. */
export function defineSuite(definition: SuiteDefinition): SuiteDefinition {
  return definition;
}
