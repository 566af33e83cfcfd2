// Tries ATP's rules on an agent, one after another. What the agent does is never an exception, only a finding.
import type { AgentSpec } from "../../../core/agent.ts";
import { createRedactor } from "../../../core/redact.ts";
import {
  joinLines,
  ruleOf,
  type Conformance,
  type ConformanceOptions,
  type RuleResult,
} from "../../conformance.ts";
import { CHECK_TABLE } from "./check-table.ts";
import { transportOf } from "./exchange.ts";
import { describeExchange, unevaluated, type Finding } from "./finding.ts";
import { describeSilence } from "./judgement.ts";
import type { AtpRule } from "./rule.ts";
import { RULES, type RuleId } from "./rules.ts";
import { createTrial, type Trial } from "./trial.ts";

const DEFAULT_TASK = "Say hello.";

export const atpConformance: Conformance = {
  rules: RULES.map(ruleOf),
  check,
};

async function* check(agent: AgentSpec, options: ConformanceOptions): AsyncGenerator<RuleResult> {
  const transport = transportOf(agent);
  if (transport === undefined) throw new Error(`no such ATP transport: ${agent.transport}`);
  const { environment = {}, only, signal, task = DEFAULT_TASK, timeoutMs } = options;
  const trial = createTrial({ spec: agent, transport, timeoutMs, signal, task, environment });
  const hide = hideSecrets(agent, environment);
  for (const definition of RULES) {
    const { on }: AtpRule = definition;
    if (on?.includes(transport) === false || only?.includes(definition.id) === false) continue;
    const startedAt = performance.now();
    const finding = await tryOne(definition.id, trial);
    // What was broken off tells nothing about the agent.
    if (signal.aborted) return;
    yield report(definition, finding, performance.now() - startedAt, hide);
  }
}

/** An agent that does not even answer the plainest request gives no occasion for the rest. */
async function tryOne(id: RuleId, trial: Trial): Promise<Finding> {
  const { ended, ...basic } = await trial.basic();
  const stuck = ended.unreachable || ((ended.overtime || ended.lingered) && basic.response === undefined);
  if (stuck && id !== "atp.response.given") {
    const why = describeSilence({ ended, ...basic });
    return unevaluated(`it does not answer the plainest request: ${why}`);
  }
  return CHECK_TABLE[id](trial);
}

function report(
  { advice: usual, ...rule }: AtpRule,
  { outcome, reason, exchange, advice = usual }: Finding,
  durationMs: number,
  hide: (text: string) => string,
): RuleResult {
  const said = reason === undefined ? undefined : joinLines(hide(reason));
  return {
    rule: ruleOf(rule),
    outcome,
    ...(said !== undefined && { reason: outcome === "fail" ? `${said}\n${advice}` : said }),
    ...(exchange && outcome !== "pass" && { evidence: describeExchange(exchange, hide) }),
    durationMs,
  };
}

function hideSecrets(
  { env = {}, headers = {} }: AgentSpec,
  environment: Readonly<Record<string, string>>,
): (text: string) => string {
  const secrets = Object.entries({ ...headers, ...env, ...environment });
  const redactor = createRedactor(secrets.map(([name, value]) => ({ name, value })));
  return (text) => redactor.text(text);
}
