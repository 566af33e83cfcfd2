// What `proctor conform` needs of a protocol: its list of rules, and a way to try each on an agent. The same for agents, clients and gateways.
import type { AgentSpec } from "../core/agent.ts";
import type { JsonObject } from "../core/json.ts";
import type { RuleOwner } from "../core/violation-owner.ts";

export interface ConformanceRule {
  /** Stable id of the rule, with dots: `atp.version.major`. */
  id: string;
  /** Owner of the rule. A rule of Proctor's own is advice: it is shown, and fails nothing. */
  owner: RuleOwner;
  /** The section of the protocol's document that has the rule; absent for our own. */
  section?: string;
  /** What an agent must do, in one line. */
  title: string;
  /** `must`: breaking it is a failure. `should`: a warning, which fails only with `--strict`. `may`: something to know, never a failure. */
  level: "must" | "should" | "may";
  /** Says why the rule is disputed, and by which section. It is shown, and fails nothing. */
  disputed?: string;
}

export interface RuleResult {
  rule: ConformanceRule;
  /** `unevaluated` when the agent or its transport gave no occasion; never a pass. */
  outcome: "pass" | "fail" | "unevaluated";
  /** Why the rule did not pass. */
  reason?: string;
  /** What the rule expects, in words or as a value; absent where the reason says it. */
  expected?: string;
  /** What was seen instead. */
  got?: string;
  /** A command line that reproduces the result, for bug reports. It names credentials, and never contains them. */
  reproduce?: string;
  /** True when the agent could not be reached, so that the result says nothing about what it does. */
  unreachable?: true;
  /** The messages that were sent and received, shortened. */
  evidence?: JsonObject;
  /** What the protocol's own report format says about the rule. */
  record?: JsonObject;
  durationMs: number;
}

export interface ConformanceOptions {
  /** Limit of one exchange with the agent, in milliseconds. */
  timeoutMs: number;
  signal: AbortSignal;
  /** Ids of the rules to try, or prefixes of ids; all rules are tried when absent. */
  only?: readonly string[];
  /** The task that the agent is given where a rule needs it to do something. */
  task?: string;
  /** Variables that the agent needs in its environment. */
  environment?: Readonly<Record<string, string>>;
  /** Called with what the agent offers, once the protocol knows it. */
  describeSubject?: (subject: ConformanceSubject) => void;
}

/** What an agent turned out to offer, for reports. */
export interface ConformanceSubject {
  /** Versions of the protocol that were tried: `1.0`. */
  versions?: readonly string[];
  /** The protocol's own words for the ways in which the agent was reached: `JSONRPC`. */
  bindings?: readonly string[];
  /** What the protocol's own report format says about the whole. */
  record?: JsonObject;
}

export interface Conformance {
  /** Display name of the protocol: `A2A`. Its id in capitals when absent. */
  name?: string;
  /** Versions of the protocol's document that the rules come from; absent where they depend on the agent. */
  versions?: readonly string[];
  rules: readonly ConformanceRule[];
  /** Tries the rules and yields the results in the order of the list. Never throws for what the agent does. */
  check(agent: AgentSpec, options: ConformanceOptions): AsyncIterable<RuleResult>;
}

/** A rule in a protocol's list; one without a section is Proctor's own. */
export type RuleEntry = Omit<ConformanceRule, "owner">;

export function ruleOf({ id, title, level, section, disputed }: RuleEntry): ConformanceRule {
  return {
    id,
    title,
    level,
    ...(disputed !== undefined && { disputed }),
    ...(section === undefined ? { owner: "proctor" } : { owner: "document", section }),
  };
}

/** Returns a reason on one line, because what an agent said may have several. */
export function joinLines(text: string): string {
  if (!/[\r\n]/.test(text)) return text;
  const lines = text.split(/[\r\n]/).map((line) => line.trim());
  return lines.filter((line) => line !== "").join(" ⏎ ");
}
