// Tries A2A's rules on an agent, over every interface that its card names.
import type { AgentSpec } from "../../../core/agent.ts";
import { ProctorError } from "../../../core/errors.ts";
import {
  ruleOf,
  type Conformance,
  type ConformanceOptions,
  type RuleResult,
} from "../../../conformance/conformance.ts";
import { tryRules } from "../../../conformance/try-rules.ts";
import { isGone } from "../card/discover-card.ts";
import { settingsOf, type A2aSettings } from "../driver/settings.ts";
import { CHECK_TABLE } from "./check-table.ts";
import { noOccasion, type A2aFinding } from "./finding.ts";
import { hasOccasion, type A2aRule } from "./rule.ts";
import { RULES, type RuleId } from "./rules.ts";
import { describeTranscript, type Transcript } from "./transcript.ts";
import { createTrial, type Trial } from "./trial.ts";

const DEFAULT_TASK = "Say hello.";
/** How many rules are tried at the same time. */
const AT_ONCE = 8;
/** The variable that holds a token of somebody who may not do much. */
const INSUFFICIENT_TOKEN = "A2A_INSUFFICIENT_TOKEN";

export const a2aConformance: Conformance = {
  name: "A2A",
  rules: RULES.map(ruleOf),
  check,
};

async function* check(agent: AgentSpec, options: ConformanceOptions): AsyncGenerator<RuleResult> {
  const settings = settingsOf(agent);
  if ("refused" in settings) throw new ProctorError("USAGE", settings.refused.message);
  const { environment = {}, only, signal, task = DEFAULT_TASK, timeoutMs } = options;
  const token = environment[INSUFFICIENT_TOKEN];
  const trial = createTrial({
    spec: agent,
    settings,
    timeoutMs,
    signal,
    task,
    ...(token !== undefined && { insufficientToken: token }),
  });
  try {
    const { card, endpoints } = await trial.found();
    options.describeSubject?.({
      versions: [...new Set(endpoints.map(({ version }) => version))],
      bindings: [...new Set(endpoints.map(({ binding }) => binding))],
    });
    const rules = RULES.filter(
      (rule) =>
        only?.includes(rule.id) !== false && (card === undefined || hasOccasion(rule, card, endpoints)),
    );
    yield* tryRules<A2aRule & { id: RuleId }, Transcript>({
      agent: { ...agent, env: { ...agent.env, ...secretsOf(settings) } },
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

/** An agent that cannot even be found gives no occasion for the rest. */
async function tryOne(id: RuleId, trial: Trial): Promise<A2aFinding> {
  const { discovery } = await trial.found();
  if (discovery.ok) return CHECK_TABLE[id](trial);
  const finding =
    id === "a2a.card.found"
      ? await CHECK_TABLE[id](trial)
      : noOccasion("the agent has no card that can be read");
  const isUnreachable = discovery.tried.some(({ error }) => error !== undefined && isGone(error));
  return isUnreachable ? { ...finding, unreachable: true } : finding;
}

/** What the options hold that must not be shown. */
function secretsOf({ auth, tls }: A2aSettings): Record<string, string> {
  const values = Object.entries({ ...auth, ...tls });
  const secret = values.filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === "string" && /token|password|api_key|secret|private_key/.test(entry[0]),
  );
  return Object.fromEntries(secret);
}
