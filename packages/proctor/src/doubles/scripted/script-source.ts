// Where scripts come from, and what is remembered of them: sequences by test case (document 001, section 3.2, "State Caching"), primed
// ones, and rules. One test case never sees what belongs to another.
import { quote } from "../../core/printable.ts";
import { A2aError } from "../../protocols/a2a/errors.ts";
import { messageOf } from "../../core/message-of.ts";
import { countRule, findRule, type AskedMessage, type CountedRule, type Rule } from "./choose-script.ts";
import type { Directives } from "./directives.ts";
import { createScript, readTurns, type Script, type Turn } from "./script.ts";
import type { Values } from "./variables.ts";

export interface ChosenScript {
  script: Script;
  groups: Values;
  /** True when the script answers this one message, whatever turn the task is at. */
  single: boolean;
}

export interface ScriptSource {
  /** Returns the script for a task's first message. Throws A2aError. */
  choose(asked: AskedMessage, directives: Directives): ChosenScript;
  /** Returns the script of a rule about single messages, which takes a later message out of its task's script. */
  chooseAgain(asked: AskedMessage): ChosenScript | undefined;
  /** Gives these turns to the next task, or to the next tasks of a test case. */
  prime(turns: readonly Turn[], testCaseId?: string): void;
  /** Adds a rule before all others, or replaces the one with this name. */
  put(name: string, rule: Rule): void;
  /** Removes a rule; returns false when there is none of this name. */
  remove(name: string): boolean;
  names(): string[];
  /** Forgets sequences, primed turns and the uses of rules, of one test case or of all. Rules stay. */
  clear(testCaseId?: string): void;
}

interface ScriptSourceOptions {
  rules: readonly Rule[];
  /** The script for a message that nothing else answers. */
  fallback?: Script | undefined;
  /** Throws A2aError for turns that could not be played. */
  check: (turns: readonly Turn[], name: string) => void;
}

const MAX_CASES = 10_000;
const MAX_PRIMED = 10_000;

export function createScriptSource({ rules, fallback, check }: ScriptSourceOptions): ScriptSource {
  const cases = new Map<string, Script>();
  const put = new Map<string, CountedRule>();
  const counted = rules.map(countRule);
  let primed: Script[] = [];

  function remember(testCaseId: string, script: Script): void {
    // A case that is used again counts as new.
    cases.delete(testCaseId);
    cases.set(testCaseId, script);
    const [oldest] = cases.keys();
    if (cases.size > MAX_CASES && oldest !== undefined) cases.delete(oldest);
  }

  function matching(asked: AskedMessage, among: (rule: CountedRule) => boolean): ChosenScript | undefined {
    try {
      const match = findRule([...put.values(), ...counted].filter(among), asked);
      if (match === undefined) return undefined;
      const { rule, groups } = match;
      return { script: rule.script, groups, single: rule.each === "message" };
    } catch (error) {
      throw new A2aError("INTERNAL", `a rule could not be tried: ${messageOf(error)}`);
    }
  }

  return {
    choose(asked, { responses }) {
      const { testCaseId } = asked;
      if (responses !== undefined) {
        const turns = readTurns(responses);
        check(turns, "responses_json");
        const script = createScript(testCaseId ?? "responses_json", turns);
        if (testCaseId !== undefined) remember(testCaseId, script);
        return { script, groups: {}, single: false };
      }
      const known = testCaseId === undefined ? primed.shift() : cases.get(testCaseId);
      if (known !== undefined) return { script: known, groups: {}, single: false };
      const chosen = matching(asked, () => true);
      if (chosen !== undefined) return chosen;
      if (fallback !== undefined) return { script: fallback, groups: {}, single: false };
      throw unanswered(asked);
    },
    chooseAgain: (asked) => matching(asked, ({ rule }) => rule.each === "message"),
    prime(turns, testCaseId) {
      check(turns, "the primed turns");
      if (testCaseId !== undefined) return remember(testCaseId, createScript(testCaseId, turns));
      if (primed.length >= MAX_PRIMED) throw new A2aError("RESOURCE_EXHAUSTED", "too much is primed");
      primed.push(createScript("primed", turns));
    },
    put: (name, rule) => void put.set(name, countRule(rule)),
    remove: (name) => put.delete(name),
    names: () => [...put.keys(), ...rules.map(({ script }) => script.name)],
    clear(testCaseId) {
      if (testCaseId !== undefined) return void cases.delete(testCaseId);
      cases.clear();
      primed = [];
      for (const rule of [...put.values(), ...counted]) rule.used = 0;
    },
  };
}

function unanswered({ testCaseId }: AskedMessage): A2aError {
  const what =
    testCaseId === undefined
      ? "no script answers this message; send the directives [test_case_id=…] and [responses_json=…], or give the agent a script"
      : `there is no script for the test case ${quote(testCaseId)}; send [responses_json=…] with its first message`;
  return new A2aError("INVALID_PARAMS", what, { fields: [{ field: "message.parts", description: what }] });
}
