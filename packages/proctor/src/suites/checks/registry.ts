// The list of checks. A new one is a file in this folder and a line here.
import { register, registerCaseCheck } from "../check.ts";
import type { RegisteredCaseCheck, RegisteredCheck } from "../check.ts";
import { artifactExists } from "./artifact-exists.ts";
import { artifactHash } from "./artifact-hash.ts";
import { artifactType } from "./artifact-type.ts";
import { asked } from "./asked.ts";
import { askedPermissionFor } from "./asked-permission-for.ts";
import { behavior } from "./behavior.ts";
import { command } from "./command.ts";
import { composite } from "./composite.ts";
import { contains } from "./contains.ts";
import { codeExec, customCommand } from "./custom-command.ts";
import { equals } from "./equals.ts";
import { events } from "./events.ts";
import { factuality } from "./factuality.ts";
import { fileContains } from "./file-contains.ts";
import { fileCount } from "./file-count.ts";
import { findingsMatch } from "./findings-match.ts";
import { groups } from "./groups.ts";
import { javascript } from "./javascript.ts";
import { jsonPartial } from "./json-partial.ts";
import { jsonPath } from "./json-path.ts";
import { lint } from "./lint.ts";
import { llmEval } from "./llm-eval.ts";
import { llmJudge } from "./llm-judge.ts";
import { metricLimits } from "./metric-limits.ts";
import { forbiddenTools, mustUseTools } from "./named-tools.ts";
import { negate, NOT } from "../nested/negate.ts";
import { noErrors } from "./no-errors.ts";
import { noLoops } from "./no-loops.ts";
import { noViolations } from "./no-violations.ts";
import { npm } from "./npm.ts";
import { observedEqualsReported } from "./observed-equals-reported.ts";
import { performance } from "./performance.ts";
import { pytest } from "./pytest.ts";
import { refusal } from "./refusal.ts";
import { regex } from "./regex.ts";
import { schema } from "./schema.ts";
import { sections } from "./sections.ts";
import { security } from "./security.ts";
import { similarity } from "./similarity.ts";
import { status } from "./status.ts";
import { styles } from "./styles.ts";
import { maxToolCalls, minToolCalls } from "./tool-call-limits.ts";
import { toolOrder } from "./tool-order.ts";
import { verifier } from "./verifier.ts";
import { workspaceEntries } from "./workspace-entries.ts";

/** Registry in which checks that hold others find them. */
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
  register(asked),
  register(askedPermissionFor),
  ...metricLimits,
  register(noViolations),
  register(events),
  register(status),
  ...workspaceEntries,
  register(fileContains),
  register(fileCount),
  register(command),
  register(customCommand),
  register(codeExec),
  register(pytest),
  register(npm),
  register(lint),
  register(javascript),
  ...styles,
  register(refusal),
  register(findingsMatch),
  register(factuality),
  register(verifier),
  register(llmJudge),
  register(llmEval),
  ...groups(registry),
  register(composite(registry)),
];

/** The checks that judge all runs of a case together. */
export const CASE_CHECKS: readonly RegisteredCaseCheck[] = [registerCaseCheck(performance)];

export function findCaseCheck(type: string): RegisteredCaseCheck | undefined {
  return CASE_CHECKS.find((check) => check.type === type);
}

/** Finds a check by its name, or its opposite by the name with `not_` in front. */
export function findCheck(type: string): RegisteredCheck | undefined {
  const found = CHECKS.find((check) => check.type === type);
  if (found || !type.startsWith(NOT)) return found;
  const turned = CHECKS.find((check) => check.type === type.slice(NOT.length));
  return turned && negate(turned);
}

/** Every check name that a suite may use. */
export function checkTypes(): string[] {
  return [...CHECKS.flatMap(({ type }) => [type, `${NOT}${type}`]), ...CASE_CHECKS.map(({ type }) => type)];
}
