// `import { defineSuite } from "proctor"`: suites written in TypeScript or JavaScript.
import type { SuiteDefinition } from "../suites/format/gen/suite-types.ts";

export type {
  AgentDefinition,
  CheckDefinition,
  DefaultsDefinition,
  SuiteDefinition,
  TestDefinition,
} from "../suites/format/gen/suite-types.ts";

/** Gives back what it is given; here it is typed, so that an editor completes checks and their settings. */
export function defineSuite(definition: SuiteDefinition): SuiteDefinition {
  return definition;
}
