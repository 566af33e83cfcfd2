// The list of checks. A new one is a file in this folder and a line here.
import { register, registerCaseCheck } from "../check.ts";
import type { RegisteredCaseCheck, RegisteredCheck } from "../check.ts";
import { all } from "./all.ts";
import { any } from "./any.ts";
import { artifactExists } from "./artifact-exists.ts";
import { artifactHash } from "./artifact-hash.ts";
import { artifactType } from "./artifact-type.ts";
import { atLeast } from "./at-least.ts";
import { behavior } from "./behavior.ts";
import { command } from "./command.ts";
import { composite } from "./composite.ts";
import { contains } from "./contains.ts";
import { codeExec, customCommand } from "./custom-command.ts";
import { dirExists } from "./dir-exists.ts";
import { equals } from "./equals.ts";
import { events } from "./events.ts";
import { factuality } from "./factuality.ts";
import { fileContains } from "./file-contains.ts";
import { fileCount } from "./file-count.ts";
import { fileExists } from "./file-exists.ts";
import { fileNotExists } from "./file-not-exists.ts";
import { findingsMatch } from "./findings-match.ts";
import { forbiddenTools } from "./forbidden-tools.ts";
import { javascript } from "./javascript.ts";
import { jsonPartial } from "./json-partial.ts";
import { jsonPath } from "./json-path.ts";
import { lint } from "./lint.ts";
import { llmEval } from "./llm-eval.ts";
import { llmJudge } from "./llm-judge.ts";
import { maxCost } from "./max-cost.ts";
import { maxLatency } from "./max-latency.ts";
import { maxSteps } from "./max-steps.ts";
import { maxTokens } from "./max-tokens.ts";
import { maxToolCalls } from "./max-tool-calls.ts";
import { minToolCalls } from "./min-tool-calls.ts";
import { mustUseTools } from "./must-use-tools.ts";
import { negate, NOT } from "../nested/negate.ts";
import { noErrors } from "./no-errors.ts";
import { noLoops } from "./no-loops.ts";
import { noViolations } from "./no-violations.ts";
import { none } from "./none.ts";
import { npm } from "./npm.ts";
import { observedEqualsReported } from "./observed-equals-reported.ts";
import { passiveVoice } from "./passive-voice.ts";
import { performance } from "./performance.ts";
import { pytest } from "./pytest.ts";
import { readability } from "./readability.ts";
import { refusal } from "./refusal.ts";
import { regex } from "./regex.ts";
import { schema } from "./schema.ts";
import { sections } from "./sections.ts";
import { security } from "./security.ts";
import { sentenceLength } from "./sentence-length.ts";
import { similarity } from "./similarity.ts";
import { status } from "./status.ts";
import { styleRules } from "./style-rules.ts";
import { style } from "./style.ts";
import { tone } from "./tone.ts";
import { verifier } from "./verifier.ts";
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
  register(fileExists),
  register(fileNotExists),
  register(dirExists),
  register(fileContains),
  register(fileCount),
  register(command),
  register(customCommand),
  register(codeExec),
  register(pytest),
  register(npm),
  register(lint),
  register(javascript),
  register(style),
  register(tone),
  register(readability),
  register(passiveVoice),
  register(sentenceLength),
  register(styleRules),
  register(refusal),
  register(findingsMatch),
  register(factuality),
  register(verifier),
  register(llmJudge),
  register(llmEval),
  register(all(registry)),
  register(any(registry)),
  register(none(registry)),
  register(atLeast(registry)),
  register(composite(registry)),
];

/** Those that judge all runs of a case together. */
export const CASE_CHECKS: readonly RegisteredCaseCheck[] = [registerCaseCheck(performance)];

export function findCaseCheck(type: string): RegisteredCaseCheck | undefined {
  return CASE_CHECKS.find((check) => check.type === type);
}

/** Also by its name with `not_` in front, which turns it round. */
export function findCheck(type: string): RegisteredCheck | undefined {
  const found = CHECKS.find((check) => check.type === type);
  if (found || !type.startsWith(NOT)) return found;
  const turned = CHECKS.find((check) => check.type === type.slice(NOT.length));
  return turned && negate(turned);
}

/** Every name that a suite may use. */
export function checkTypes(): string[] {
  return [...CHECKS.flatMap(({ type }) => [type, `${NOT}${type}`]), ...CASE_CHECKS.map(({ type }) => type)];
}
