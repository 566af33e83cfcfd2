// Tries a protocol's rules of conformance on an agent, and reports what each showed, in the order of the list. What is sent and what
// is expected is the protocol's; whatever the agent does is a finding, never an exception.
import type { AgentSpec } from "../core/agent.ts";
import type { JsonObject } from "../core/json.ts";
import { createRedactor, type Redactor } from "../core/redact.ts";
import {
  joinLines,
  ruleOf,
  type ConformanceOptions,
  type RuleEntry,
  type RuleResult,
} from "./conformance.ts";
import type { Finding } from "./finding.ts";

/** A rule, and what to do when an agent breaks it. */
export interface AdvisedRule extends RuleEntry {
  advice: string;
}

export interface RuleTrials<Rule extends AdvisedRule, Evidence> {
  agent: AgentSpec;
  options: ConformanceOptions;
  rules: readonly Rule[];
  tryRule: (rule: Rule) => Promise<Finding<Evidence>>;
  describe: (evidence: Evidence, hide: (text: string) => string) => JsonObject;
  /** Number of rules that are tried at the same time; 1 when absent. */
  atOnce?: number;
  /** Whether a rule is tried while no other is, because its finding depends on time or on what else the agent does. */
  isAlone?: (rule: Rule) => boolean;
}

export async function* tryRules<Rule extends AdvisedRule, Evidence>({
  agent,
  options: { environment = {}, signal },
  rules,
  tryRule,
  describe,
  atOnce = 1,
  isAlone = () => false,
}: RuleTrials<Rule, Evidence>): AsyncGenerator<RuleResult> {
  const redactor = redactorOf(agent, environment);
  const hide = (text: string): string => redactor.text(text);
  const running: Promise<RuleResult>[] = [];
  let wasAlone = false;

  async function start(rule: Rule): Promise<RuleResult> {
    const startedAt = performance.now();
    const { outcome, reason, evidence, record, advice = rule.advice, ...more } = await tryRule(rule);
    const said = reason === undefined ? undefined : joinLines(hide(reason));
    return {
      rule: ruleOf(rule),
      outcome,
      ...(said !== undefined && { reason: outcome === "fail" ? `${said}\n${advice}` : said }),
      ...mapped(outcome === "pass" ? seen(more) : more, hide),
      ...(evidence && outcome !== "pass" && { evidence: describe(evidence, hide) }),
      ...(record && { record: redactor.value(record) }),
      durationMs: performance.now() - startedAt,
    };
  }

  /** Yields the results of all but the last `left` rules. An aborted trial says nothing about the agent and has no result. */
  async function* settle(left: number): AsyncGenerator<RuleResult> {
    while (running.length > left) {
      const result = await running[0];
      if (signal.aborted) return;
      void running.shift();
      if (result) yield result;
    }
  }

  try {
    for (const rule of rules) {
      const alone = isAlone(rule);
      yield* settle(alone || wasAlone ? 0 : atOnce - 1);
      if (signal.aborted) return;
      wasAlone = alone;
      running.push(start(rule));
    }
    yield* settle(0);
  } finally {
    await Promise.allSettled(running);
  }
}

type Details = Pick<RuleResult, "expected" | "got" | "reproduce" | "unreachable">;

/** Keeps what was seen even where it is right, such as how long something took. */
function seen({ got }: Details): Details {
  return got === undefined ? {} : { got };
}

function mapped({ expected, got, reproduce, unreachable }: Details, hide: (text: string) => string): Details {
  return {
    ...(unreachable && { unreachable }),
    ...(expected !== undefined && { expected: hide(expected) }),
    ...(got !== undefined && { got: hide(got) }),
    ...(reproduce !== undefined && { reproduce: hide(reproduce) }),
  };
}

function redactorOf(
  { env = {}, headers = {} }: AgentSpec,
  environment: Readonly<Record<string, string>>,
): Redactor {
  const secrets = Object.entries({ ...headers, ...env, ...environment });
  return createRedactor(secrets.map(([name, value]) => ({ name, value })));
}
