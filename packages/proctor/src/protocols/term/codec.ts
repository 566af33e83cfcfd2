// A line of an agent to what it asks for, and a step to the line that asks for the next. Document 002, "Request Format", "Response
// Format", "Legacy Format Support". Pure; unknown fields are kept.
import type { Violation } from "../../core/event.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { isTooDeep } from "../../core/json-depth.ts";
import { inexactViolations } from "../../core/json-numbers.ts";
import { oneLine } from "../one-line.ts";
import { firstObject } from "./first-object.ts";
import type { Keystrokes, StepRequest, TermAction, TermAnswer } from "./wire.ts";

export type DecodedAnswer =
  | { ok: true; answer: TermAnswer; violations: readonly Violation[] }
  /** The message is also what the agent gets. */
  | { ok: false; problem: Violation };

/** Seconds to wait for the screen after keystrokes. */
export const TYPING = { usual: 1, least: 0.1, most: 60 } as const;
/** The most entries that `commands` of one answer may have. */
const MAX_TYPED = 1000;

export const EMPTY_LINE: Violation = {
  rule: "term.line",
  message: "an empty line is no answer",
  where: "stdout",
};

/** With `lenient`, the first object is taken out of a line that has other text in it. */
export function decodeAnswer(line: string, lenient = false): DecodedAnswer {
  if (line.trim() === "") return { ok: false, problem: EMPTY_LINE };
  const parsed = parse(line);
  if (parsed !== undefined && isJsonObject(parsed)) return decodeObject(parsed, inexactViolations(line));
  const found = lenient ? firstObject(line) : undefined;
  if (found) {
    const message = "there is other text beside the JSON object in this line";
    return decodeObject(found, [{ rule: "term.json", message }]);
  }
  if (parsed === undefined) {
    const message = isTooDeep(line) ? "the JSON is nested too deeply" : "the line is not JSON";
    return { ok: false, problem: { rule: "term.json", message } };
  }
  return { ok: false, problem: wrong("", `must be a JSON object, and is ${kindOf(parsed)}`) };
}

/** Returns the value of the line; undefined when it is no JSON. */
function parse(line: string): Json | undefined {
  if (isTooDeep(line)) return undefined;
  try {
    return JSON.parse(line) as Json;
  } catch {
    return undefined;
  }
}

/** Fields that would be executed must have the right type; the rest is used as far as it can be understood. */
function decodeObject(object: JsonObject, before: readonly Violation[]): DecodedAnswer {
  const { command, task_complete, text, commands, is_task_complete, analysis, plan, ...unknown } = object;
  const violations = [...before];
  const rest: JsonObject = unknown;

  const asked = decodeAction(command, commands, violations);
  if ("rule" in asked) return { ok: false, problem: asked };
  const complete = decodeFlag(task_complete, is_task_complete);
  if (typeof complete === "string") return { ok: false, problem: wrong(complete, "must be true or false") };
  // An agent that is done has no use for the screen.
  const action: TermAction = complete && isIdle(asked) ? { kind: "none" } : asked;
  if (task_complete === null)
    violations.push(wrong("task_complete", "must be true or false; taken as false"));
  // `command` wins; the other field is kept with the unknown ones.
  if (action.kind === "command" && commands !== undefined) rest["commands"] = commands;
  if (text != null && typeof text !== "string") {
    violations.push(wrong("text", "must be a text or null"));
    rest["text"] = text;
  }
  if (analysis !== undefined && typeof analysis !== "string") rest["analysis"] = analysis;
  if (plan !== undefined && typeof plan !== "string") rest["plan"] = plan;

  const thought = [text, analysis].filter(isSaid).join("\n\n");
  return {
    ok: true,
    answer: {
      action,
      complete,
      ...(thought !== "" && { thought }),
      ...(isSaid(plan) && { plan }),
      ...(hasKeys(rest) && { rest }),
    },
    violations,
  };
}

/** Returns true for an answer that executes and types nothing. */
export function isIdle(action: TermAction): boolean {
  return action.kind === "none" || (action.kind === "keys" && action.keys.length === 0);
}

function decodeAction(
  command: Json | undefined,
  commands: Json | undefined,
  violations: Violation[],
): TermAction | Violation {
  if (typeof command === "string") {
    return command.trim() === "" ? decodeKeys(commands, violations) : { kind: "command", command };
  }
  if (command != null) return wrong("command", `must be a text or null, and is ${kindOf(command)}`);
  return decodeKeys(commands, violations);
}

function decodeKeys(commands: Json | undefined, violations: Violation[]): TermAction | Violation {
  if (commands == null) return { kind: "none" };
  if (!Array.isArray(commands)) return wrong("commands", `must be a list, and is ${kindOf(commands)}`);
  if (commands.length > MAX_TYPED) return wrong("commands", `must have at most ${MAX_TYPED} entries`);
  const keys: Keystrokes[] = [];
  for (const [index, entry] of commands.entries()) {
    if (!isJsonObject(entry) || typeof entry["keystrokes"] !== "string") {
      return wrong(`commands.${index}.keystrokes`, "must be a text");
    }
    const { keystrokes, duration } = entry;
    if (duration != null && (typeof duration !== "number" || !Number.isFinite(duration))) {
      violations.push(wrong(`commands.${index}.duration`, "must be a number of seconds; taken as 1"));
    }
    keys.push({ keystrokes, seconds: secondsOf(duration) });
  }
  // An empty list types nothing, and looks at the screen.
  return { kind: "keys", keys };
}

function secondsOf(duration: Json | undefined): number {
  if (typeof duration !== "number" || !Number.isFinite(duration)) return TYPING.usual;
  return Math.min(TYPING.most, Math.max(TYPING.least, duration));
}

/** Returns the name of the field that is no boolean, or the flag. */
function decodeFlag(flag: Json | undefined, legacy: Json | undefined): boolean | string {
  if (typeof flag === "boolean") return flag;
  if (flag != null) return "task_complete";
  if (typeof legacy === "boolean") return legacy;
  return legacy == null ? false : "is_task_complete";
}

function wrong(where: string, message: string): Violation {
  const place = where === "" ? "response" : `response.${where}`;
  return { rule: "term.schema", message: where === "" ? message : `${where} ${message}`, where: place };
}

function kindOf(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

function isSaid(value: Json | undefined): value is string {
  return typeof value === "string" && value !== "";
}

function hasKeys(object: JsonObject): boolean {
  for (const _ in object) return true;
  return false;
}

/** Encodes the instruction once. The line is without its break. */
export function createRequestEncoder(instruction: string): (request: StepRequest) => string {
  const begin = `{"instruction":${oneLine(JSON.stringify(instruction))},`;
  return (request) => begin + oneLine(JSON.stringify(request)).slice(1);
}
