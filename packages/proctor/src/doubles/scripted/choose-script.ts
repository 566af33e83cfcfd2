// Which script a message is answered from: the one that its directives bring or name, else what was primed, else the first rule that fits.
import { parsePattern } from "../../core/parse-pattern.ts";
import { withinCpuTime } from "../../runtime/cpu-limit.ts";
import { MAX_PATTERN_TEXT } from "../tools/guarded-pattern.ts";
import type { Script } from "./script.ts";
import type { Values } from "./variables.ts";

/** A condition for messages; every given field has to hold. */
export interface RuleCondition {
  testCaseId?: string;
  /** The whole text of the message. */
  text?: string;
  contains?: string;
  textPrefix?: string;
  regex?: string;
  messageIdPrefix?: string;
  contextId?: string;
}

export interface Rule {
  when: RuleCondition;
  script: Script;
  /** Whether the rule is about a task, whose first message chose it, or about each message: then it always plays the first turn. */
  each: "task" | "message";
  /** Number of tasks, or messages, that the rule answers; any number when absent. */
  times?: number;
}

export interface AskedMessage {
  text: string;
  messageId: string;
  contextId: string | undefined;
  testCaseId: string | undefined;
}

export interface Match {
  rule: Rule;
  /** Values of the regular expression's groups. */
  groups: Values;
}

/** Returns the first rule that fits and is not used up. Throws where a regular expression takes too long. */
export function findRule(rules: Iterable<CountedRule>, asked: AskedMessage): Match | undefined {
  for (const counted of rules) {
    const { rule, used } = counted;
    if (rule.times !== undefined && used >= rule.times) continue;
    const groups = matchRule(counted, asked);
    if (groups === undefined) continue;
    counted.used += 1;
    return { rule, groups };
  }
  return undefined;
}

export interface CountedRule {
  rule: Rule;
  pattern: RegExp | undefined;
  used: number;
}

/** Throws a SyntaxError for a pattern that is not valid. */
export function countRule(rule: Rule): CountedRule {
  const { regex } = rule.when;
  return { rule, pattern: regex === undefined ? undefined : parsePattern(regex), used: 0 };
}

const NO_GROUPS: Values = {};
/** Milliseconds that a pattern may take, because a client waits for the answer. */
const PATTERN_LIMIT_MS = 500;

function matchRule({ rule: { when }, pattern }: CountedRule, asked: AskedMessage): Values | undefined {
  const { testCaseId, text, contains, textPrefix, messageIdPrefix, contextId } = when;
  if (testCaseId !== undefined && asked.testCaseId !== testCaseId) return undefined;
  if (contextId !== undefined && asked.contextId !== contextId) return undefined;
  if (messageIdPrefix !== undefined && !asked.messageId.startsWith(messageIdPrefix)) return undefined;
  if (text !== undefined && asked.text.trim() !== text.trim()) return undefined;
  if (contains !== undefined && !asked.text.includes(contains)) return undefined;
  if (textPrefix !== undefined && !asked.text.startsWith(textPrefix)) return undefined;
  if (pattern === undefined) return NO_GROUPS;
  const beginning = asked.text.slice(0, MAX_PATTERN_TEXT);
  const found = withinCpuTime(`the pattern /${when.regex}/`, () => pattern.exec(beginning), PATTERN_LIMIT_MS);
  if (found === null) return undefined;
  const numbered = found.map((group, index) => [String(index), group ?? ""] as const);
  return { ...Object.fromEntries(numbered), ...definedOnly(found.groups ?? {}) };
}

function definedOnly(groups: Record<string, string | undefined>): Values {
  return Object.fromEntries(Object.entries(groups).map(([name, group]) => [name, group ?? ""]));
}
