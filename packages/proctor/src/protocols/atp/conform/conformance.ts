// Tries ATP's rules on an agent.
import type { AgentSpec } from "../../../core/agent.ts";
import {
  ruleOf,
  type Conformance,
  type ConformanceOptions,
  type RuleResult,
} from "../../../conformance/conformance.ts";
import { unevaluated } from "../../../conformance/finding.ts";
import { tryRules } from "../../../conformance/try-rules.ts";
import { CHECK_TABLE } from "./check-table.ts";
import { transportOf, type Exchange } from "./exchange.ts";
import { describeExchange, type AtpFinding } from "./finding.ts";
import { describeSilence } from "./judgement.ts";
import type { AtpRule } from "./rule.ts";
import { RULES, type RuleId } from "./rules.ts";
import { createTrial, type Trial } from "./trial.ts";

const DEFAULT_TASK = "Say hello.";
/** Rules that are tried at the same time on an agent that keeps tasks apart. */
const AT_ONCE = 4;
const KEEPS_TASKS_APART: RuleId = "atp.tasks.concurrent";

export const atpConformance: Conformance = {
  name: "ATP",
  versions: ["1.0"],
  rules: RULES.map(ruleOf),
  check,
};

async function* check(agent: AgentSpec, options: ConformanceOptions): AsyncGenerator<RuleResult> {
  const transport = transportOf(agent);
  if (transport === undefined) throw new Error(`no such ATP transport: ${agent.transport}`);
  const { environment = {}, only, signal, task = DEFAULT_TASK, timeoutMs } = options;
  const trial = createTrial({ spec: agent, transport, timeoutMs, signal, task, environment });
  const rules = RULES.filter(
    ({ id, on }: AtpRule & { id: RuleId }) =>
      on?.includes(transport) !== false && only?.includes(id) !== false,
  );
  // An agent that mixes tasks up would fail other rules for it, and a program that starts next to others is slower: both are tried one rule at a
  // time.
  const apart = rules.some(({ id }) => id === KEEPS_TASKS_APART)
    ? await tryOne(KEEPS_TASKS_APART, trial)
    : undefined;
  yield* tryRules<AtpRule & { id: RuleId }, Exchange>({
    agent,
    options,
    rules,
    tryRule: async ({ id }) => (id === KEEPS_TASKS_APART && apart ? apart : tryOne(id, trial)),
    describe: describeExchange,
    atOnce: apart?.outcome === "pass" ? AT_ONCE : 1,
    isAlone: ({ isTimed }) => isTimed === true,
  });
}

/** An agent that does not even answer the plainest request leaves nothing else to try. */
async function tryOne(id: RuleId, trial: Trial): Promise<AtpFinding> {
  const { ended, ...basic } = await trial.basic();
  const stuck = ended.unreachable || ((ended.overtime || ended.lingered) && basic.response === undefined);
  if (stuck && id !== "atp.response.given") {
    const why = describeSilence({ ended, ...basic });
    const finding = unevaluated<Exchange>(`it does not answer the plainest request: ${why}`);
    return ended.unreachable ? { ...finding, unreachable: true } : finding;
  }
  return CHECK_TABLE[id](trial);
}
