// Tries A2A's rules on an agent, over every interface that its card names.
import type { AgentSpec } from "../../../core/agent.ts";
import {
  ruleOf,
  type Conformance,
  type ConformanceOptions,
  type RuleResult,
} from "../../../conformance/conformance.ts";
import { tryRules } from "../../../conformance/try-rules.ts";
import { CHECK_TABLE } from "./check-table.ts";
import { noOccasion, type A2aFinding } from "./finding.ts";
import { isUnreachable, openTrial, subjectOf } from "./open-trial.ts";
import { hasOccasion, type A2aRule } from "./rule.ts";
import { RULES, type RuleId } from "./rules.ts";
import { describeTranscript, type Transcript } from "./transcript.ts";
import type { Trial } from "./trial.ts";

/** Rules that are tried at the same time. */
const AT_ONCE = 8;

export const a2aConformance: Conformance = {
  name: "A2A",
  rules: RULES.map(ruleOf),
  check,
};

async function* check(agent: AgentSpec, options: ConformanceOptions): AsyncGenerator<RuleResult> {
  const { trial, spec } = openTrial(agent, options);
  const { only } = options;
  try {
    const { card, endpoints } = await trial.found();
    options.describeSubject?.(subjectOf(endpoints));
    const rules = RULES.filter(
      (rule) =>
        only?.includes(rule.id) !== false && (card === undefined || hasOccasion(rule, card, endpoints)),
    );
    yield* tryRules<A2aRule & { id: RuleId }, Transcript>({
      agent: spec,
      options,
      rules,
      tryRule: ({ id }) => tryOne(id, trial),
      describe: describeTranscript,
      atOnce: AT_ONCE,
    });
  } finally {
    await trial.close();
  }
}

/** An agent that cannot even be found leaves nothing else to try. */
async function tryOne(id: RuleId, trial: Trial): Promise<A2aFinding> {
  const { discovery } = await trial.found();
  if (discovery.ok) return CHECK_TABLE[id](trial);
  const finding =
    id === "a2a.card.found"
      ? await CHECK_TABLE[id](trial)
      : noOccasion("the agent has no card that can be read");
  return isUnreachable(discovery) ? { ...finding, unreachable: true } : finding;
}
