// The list of checks. A new one is a file in this folder and a line here.
import { register } from "../check.ts";
import type { RegisteredCheck } from "../check.ts";
import { all } from "./all.ts";
import { any } from "./any.ts";
import { artifactExists } from "./artifact-exists.ts";
import { artifactHash } from "./artifact-hash.ts";
import { artifactType } from "./artifact-type.ts";
import { atLeast } from "./at-least.ts";
import { behavior } from "./behavior.ts";
import { composite } from "./composite.ts";
import { contains } from "./contains.ts";
import { equals } from "./equals.ts";
import { events } from "./events.ts";
import { forbiddenTools } from "./forbidden-tools.ts";
import { jsonPartial } from "./json-partial.ts";
import { jsonPath } from "./json-path.ts";
import { maxCost } from "./max-cost.ts";
import { maxLatency } from "./max-latency.ts";
import { maxSteps } from "./max-steps.ts";
import { maxTokens } from "./max-tokens.ts";
import { maxToolCalls } from "./max-tool-calls.ts";
import { minToolCalls } from "./min-tool-calls.ts";
import { mustUseTools } from "./must-use-tools.ts";
import { negate, NOT } from "./negate.ts";
import { noErrors } from "./no-errors.ts";
import { noLoops } from "./no-loops.ts";
import { noViolations } from "./no-violations.ts";
import { none } from "./none.ts";
import { observedEqualsReported } from "./observed-equals-reported.ts";
import { regex } from "./regex.ts";
import { schema } from "./schema.ts";
import { sections } from "./sections.ts";
import { security } from "./security.ts";
import { similarity } from "./similarity.ts";
import { status } from "./status.ts";
import { toolOrder } from "./tool-order.ts";

/** What holds other checks finds them here. */
const registry = { find: findCheck, types: checkTypes };

export const CHECKS: readonly RegisteredCheck[] = [
  register(contains),
  register(equals),
  register(regex),
  register(similarity),
  register(schema),
  register(jsonPath),
  register(jsonPartial),
  register(artifactExists),
  register(artifactType),
  register(artifactHash),
  register(sections),
  register(security),
  register(noErrors),
  register(mustUseTools),
  register(forbiddenTools),
  register(maxToolCalls),
  register(minToolCalls),
  register(toolOrder),
  register(noLoops),
  register(observedEqualsReported),
  register(behavior),
  register(maxLatency),
  register(maxSteps),
  register(maxTokens),
  register(maxCost),
  register(noViolations),
  register(events),
  register(status),
  register(all(registry)),
  register(any(registry)),
  register(none(registry)),
  register(atLeast(registry)),
  register(composite(registry)),
];

/** Also by its name with `not_` in front, which turns it round. */
export function findCheck(type: string): RegisteredCheck | undefined {
  const found = CHECKS.find((check) => check.type === type);
  if (found || !type.startsWith(NOT)) return found;
  const turned = CHECKS.find((check) => check.type === type.slice(NOT.length));
  return turned && negate(turned);
}

/** Every name that a suite may use. */
export function checkTypes(): string[] {
  return CHECKS.flatMap(({ type }) => [type, `${NOT}${type}`]);
}
