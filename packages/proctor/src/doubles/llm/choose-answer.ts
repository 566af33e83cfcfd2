// Finds the answer for a request: the first of the script that matches and is not used up, else the default, else an
// error that names the nearest.
import { messageOf } from "../../core/message-of.ts";
import type { LlmScript, ScriptedAnswer } from "../../core/llm-script.ts";
import { ApiError } from "../../runtime/openai/api-error.ts";
import { compileConditions, type Condition } from "./match-request.ts";
import type { ChatRequest } from "./read-chat.ts";

export interface Chosen {
  answer: ScriptedAnswer;
  /** Number of the answer in the script, from 1. */
  number: number | "default";
}

type ChooseAnswer = (request: ChatRequest) => Chosen;

interface Rule {
  number: number;
  answer: ScriptedAnswer;
  conditions: readonly Condition[];
  times: number | undefined;
  used: number;
}

const MAX_QUOTED_CHARS = 120;

/** The returned function throws ApiError. `redact` hides secrets before anything is shortened, because halves are not recognised. */
export function createChooser(script: LlmScript, redact: (text: string) => string): ChooseAnswer {
  const rules = script.answers.map(({ when, then: answer, times }, index): Rule => ({
    number: index + 1,
    answer,
    conditions: compileConditions(when),
    times,
    used: 0,
  }));
  const quote = (text: string): string => {
    const shown = redact(text);
    return JSON.stringify(shown.length > MAX_QUOTED_CHARS ? `${shown.slice(0, MAX_QUOTED_CHARS)}…` : shown);
  };

  function unmatched(request: ChatRequest): ApiError {
    const asked = `turn ${request.turn}, model ${quote(request.model)}`;
    const [nearest] = rules
      .map((rule) => ({ number: rule.number, reasons: reasonsAgainst(rule, request, quote) }))
      .sort((one, other) => one.reasons.length - other.reasons.length);
    const why =
      nearest === undefined
        ? "the script has none"
        : `nearest is answer ${nearest.number} of ${rules.length}: ${nearest.reasons.join("; ")}`;
    const message = `no answer of the script matches this request (${asked}) and it has no default; ${why}`;
    return new ApiError(400, message, { code: "no_answer_matches" });
  }

  // Nothing is awaited here, so that concurrent requests cannot share an answer that may be used once.
  return (request) => {
    for (const rule of rules) {
      if (isUsedUp(rule) || !applies(rule, request)) continue;
      rule.used++;
      return { answer: rule.answer, number: rule.number };
    }
    if (script.default !== undefined) return { answer: script.default, number: "default" };
    throw unmatched(request);
  };
}

function isUsedUp({ times, used }: Rule): boolean {
  return times !== undefined && used >= times;
}

function applies({ conditions, number }: Rule, request: ChatRequest): boolean {
  try {
    return conditions.every((condition) => condition.holds(request));
  } catch (error) {
    const why = messageOf(error);
    throw new ApiError(400, `answer ${number} could not be tried: ${why}`, { code: "answer_failed" });
  }
}

function reasonsAgainst(rule: Rule, request: ChatRequest, quote: (text: string) => string): string[] {
  const failed = rule.conditions.filter((condition) => !condition.holds(request));
  const times = rule.times === 1 ? "once" : `${rule.times} times`;
  return [
    ...(isUsedUp(rule) ? [`it is used up, it answers ${times}`] : []),
    ...failed.map((condition) => condition.why(request, quote)),
  ];
}
