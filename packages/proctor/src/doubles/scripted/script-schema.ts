// Scripts as they are written in YAML, or put over the control API. Strict: unknown keys, events that no client could read, patterns that are
// none and variables that nobody fills are refused. docs/reference/scripted-agent.md describes it.
import { z } from "zod";
import { given } from "../../core/given.ts";
import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { parsePattern } from "../../core/parse-pattern.ts";
import { quote } from "../../core/printable.ts";
import { didYouMean } from "../../core/suggest.ts";
import { addError, dispatch } from "../../runtime/yaml/findings.ts";
import { integerUpTo, json, positiveInteger } from "../../runtime/yaml/scalars.ts";
import { A2A_ERRORS, type A2aReason } from "../../protocols/a2a/errors.ts";
import { checkEvent } from "./check-turns.ts";
import type { Rule, RuleCondition } from "./choose-script.ts";
import type { Codecs } from "./complete-event.ts";
import { readFault, type ScriptedFault } from "./faults/fault.ts";
import {
  createScript,
  readEvent,
  type Script,
  type ScriptedEvent,
  type ScriptOptions,
  type Turn,
} from "./script.ts";
import { namesIn, VARIABLES } from "./variables.ts";

export interface ScriptFile {
  name?: string;
  /** Fields of the agent's card that replace the usual ones. */
  card?: JsonObject;
  seed?: number;
  rules: Rule[];
  fallback?: Script;
}

export interface ScriptSchemas {
  file: z.ZodType<ScriptFile>;
  /** Schema of one script with its condition, for the control API. */
  rule: z.ZodType<Rule>;
}

const MAX_SEED = 2 ** 32 - 1;
const text = z.string().min(1);
// The keys of a table are its reasons.
const reasons = Object.keys(A2A_ERRORS) as [A2aReason, ...A2aReason[]];

const fault = z.string().transform((spec, context): ScriptedFault => {
  try {
    return readFault(spec);
  } catch (error) {
    addError(context, error);
    return z.NEVER;
  }
});

const when: z.ZodType<RuleCondition> = z
  .strictObject({
    test_case_id: text.nullish(),
    text: text.nullish(),
    contains: text.nullish(),
    text_prefix: text.nullish(),
    regex: text.nullish(),
    message_id_prefix: text.nullish(),
    context_id: text.nullish(),
  })
  .superRefine(({ regex }, context) => {
    try {
      if (regex != null) parsePattern(regex);
    } catch (error) {
      addError(context, error, ["regex"]);
    }
  })
  .transform((value) => {
    const {
      test_case_id: testCaseId,
      text_prefix: textPrefix,
      message_id_prefix: messageIdPrefix,
      context_id: contextId,
      ...rest
    } = value;
    return given({ testCaseId, textPrefix, messageIdPrefix, contextId, ...rest });
  });

const conduct = {
  ended: z.enum(["play", "refuse"]).nullish(),
  cancel: z.enum(["accept", "refuse"]).nullish(),
  opening: z.enum(["auto", "task", "none"]).nullish(),
  templates: z.boolean().nullish(),
  faults: z.array(fault).nullish(),
};

export function scriptSchemas(codecs: Codecs): ScriptSchemas {
  const event = json.transform((value, context): ScriptedEvent => {
    try {
      const read = readEvent(value, "this");
      checkEvent(read, codecs);
      return read;
    } catch (error) {
      addError(context, error);
      return z.NEVER;
    }
  });
  const longTurn = z
    .strictObject({
      events: z.array(event).nullish(),
      error: z
        .strictObject({ reason: z.enum(reasons), message: text.nullish() })
        .transform(given)
        .nullish(),
      faults: z.array(fault).nullish(),
      stays_open: z.boolean().nullish(),
    })
    .transform(({ events, stays_open: staysOpen, ...rest }): Turn => {
      const { error, faults } = given({ ...rest });
      return {
        events: events ?? [],
        ...(error && { error }),
        ...(faults && { faults }),
        ...(staysOpen === true && { staysOpen }),
      };
    });
  const turn = dispatch<Turn>((value) =>
    Array.isArray(value) ? z.array(event).transform((events): Turn => ({ events })) : longTurn,
  );
  const scripted = {
    ...conduct,
    name: text.nullish(),
    turns: z.array(turn).min(1),
  };
  const ruleShape = z.strictObject({
    ...scripted,
    when: when.nullish(),
    each: z.enum(["task", "message"]).nullish(),
    times: positiveInteger.nullish(),
  });
  const rule = ruleShape.superRefine(checkVariables).transform((value): Rule => toRule(value, "script"));
  const file = z
    .strictObject({
      name: text.nullish(),
      description: z.string().nullish(),
      card: z.custom<JsonObject>(isJsonObject, '"card" must be a mapping (key: value)').nullish(),
      seed: integerUpTo(0, MAX_SEED).nullish(),
      ...conduct,
      scripts: z.array(ruleShape.superRefine(checkVariables)).nullish(),
      default: z.strictObject(scripted).superRefine(checkVariables).nullish(),
    })
    .superRefine(({ scripts, default: fallback }, context) => {
      // A misspelt key has been reported already.
      if (scripts?.length || fallback != null || context.issues.length > 0) return;
      addError(context, new Error('this script answers nothing\ngive it "scripts" or "default"'));
    })
    .transform(({ name, card, seed, scripts, default: fallback, ...common }): ScriptFile => {
      const shared = conductOf(common);
      return {
        ...given({ name, card, seed }),
        rules: (scripts ?? []).map((one, index) => toRule(one, `script ${index + 1}`, shared)),
        ...(fallback != null && { fallback: toScript(fallback, "default", shared) }),
      };
    });
  return { file, rule };
}

type Conduct = { [Key in keyof typeof conduct]?: z.infer<(typeof conduct)[Key]> };
interface WrittenScript extends Conduct {
  name?: string | null | undefined;
  turns: Turn[];
}

function conductOf({ ended, cancel, opening, templates, faults }: Conduct): ScriptOptions {
  return given({ ended, cancel, opening, templates, faults });
}

function toScript(written: WrittenScript, otherwise: string, shared: ScriptOptions = {}): Script {
  const own = conductOf(written);
  return createScript(written.name ?? otherwise, written.turns, {
    templates: true,
    ...shared,
    ...own,
    faults: [...(shared.faults ?? []), ...(own.faults ?? [])],
  });
}

function toRule(
  written: WrittenScript & {
    when?: RuleCondition | null | undefined;
    each?: Rule["each"] | null | undefined;
    times?: number | null | undefined;
  },
  otherwise: string,
  shared?: ScriptOptions,
): Rule {
  const { when: condition, each, times } = written;
  return {
    when: condition ?? {},
    script: toScript(written, otherwise, shared),
    each: each ?? "task",
    ...(times != null && { times }),
  };
}

/** Reports unknown variables, which would be sent as they are written. */
function checkVariables(
  {
    turns,
    when: condition,
    templates,
  }: Conduct & { turns?: readonly Turn[]; when?: RuleCondition | null | undefined },
  context: z.RefinementCtx,
): void {
  if (templates === false) return;
  const groups = [...(condition?.regex ?? "").matchAll(/\(\?<(\w+)>/g)].map(([, name = ""]) => name);
  const known: string[] = [...VARIABLES, ...groups];
  for (const [index, { events }] of (turns ?? []).entries()) {
    const unknown = namesIn(events).find((name) => !known.includes(name) && !/^\d+$/.test(name));
    if (unknown === undefined) continue;
    const hint = didYouMean(unknown, known, `known here: ${known.join(", ")}`);
    addError(context, new Error(`unknown variable ${quote(unknown)}\n${hint}`), ["turns", index]);
  }
}
