// The list of checks. A new one is a file in this folder and a line here.
import { register } from "../check.ts";
import type { RegisteredCheck } from "../check.ts";
import { artifactExists } from "./artifact-exists.ts";
import { contains } from "./contains.ts";
import { noErrors } from "./no-errors.ts";

export const CHECKS: readonly RegisteredCheck[] = [
  register(artifactExists),
  register(contains),
  register(noErrors),
];

export function findCheck(type: string): RegisteredCheck | undefined {
  return CHECKS.find((check) => check.type === type);
}
