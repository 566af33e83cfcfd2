// The options of an agent's protocol as flags: `--options <json>`, and `--option key=value` on top of them.
import { ProctorError } from "../../../core/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import { parseJson } from "../../../core/parse-json.ts";
import { parsePairs } from "../key-values.ts";
import type { AddAgentFlags } from "./flags.ts";

/** Returns undefined when neither flag is given. What the options mean is for the agent's protocol to check. */
export function parseOptions({ options, option }: AddAgentFlags): JsonObject | undefined {
  if (options === undefined && option === undefined) return undefined;
  const pairs = Object.entries(parsePairs("--option", option ?? []));
  return {
    ...(options !== undefined && parseObject(options)),
    ...Object.fromEntries(pairs.map(([key, text]) => [key, parseValue(text)])),
  };
}

function parseObject(text: string): JsonObject {
  const value = tryJson(text);
  if (isJsonObject(value)) return value;
  throw new ProctorError(
    "USAGE",
    `--options takes a JSON object\nfor example: --options '{"answer": "data.reply"}'`,
  );
}

/** Only an object or a list is read as JSON: `answer=true` names a field. */
function parseValue(text: string): Json {
  const value = /^\s*[[{]/.test(text) ? tryJson(text) : undefined;
  return value === undefined ? text : value;
}

function tryJson(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    if (ProctorError.is(error)) return undefined;
    throw error;
  }
}
