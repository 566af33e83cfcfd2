// Finds the answer in what a model wrote. Around it there may be prose, a fenced block, or further answers that the model imagined.
import { ResponseError } from "./errors.ts";
import { excerpt, isObject, type Json, type JsonObject } from "./json.ts";

const MARKS = ["command", "commands", "task_complete", "is_task_complete"];

/** Returns the fields of the first answer, because later ones were written without seeing its output. `is_task_complete` gets its new name. */
export function findAnswer(text: string): JsonObject {
  if (typeof text !== "string") throw new ResponseError(`a model's text is needed, not ${typeof text}`);
  for (const found of objectsIn(text)) {
    if (MARKS.some((mark) => Object.hasOwn(found, mark))) return checked(found);
  }
  throw new ResponseError(
    `the model's text holds no answer (JSON with \`command\` and \`task_complete\`): ${excerpt(text)}`,
  );
}

/** Yields the outermost objects of a text. Nothing inside a broken one is taken for an answer, because it may be half of one. */
function* objectsIn(text: string): Generator<JsonObject> {
  const begin = /\{(?=\s*["}])/g;
  for (let found = begin.exec(text); found !== null; found = begin.exec(text)) {
    const end = endOf(text, found.index);
    if (end === undefined) return;
    const value = parse(text.slice(found.index, end));
    if (isObject(value)) yield value;
    begin.lastIndex = end;
  }
}

function endOf(text: string, start: number): number | undefined {
  const token = /"[^"\\]*(?:\\[^][^"\\]*)*"?|[{}]/g;
  token.lastIndex = start;
  let depth = 0;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    if (found[0] === "{") depth += 1;
    if (found[0] === "}") depth -= 1;
    if (depth === 0) return token.lastIndex;
  }
}

/** Parses JSON with unescaped control characters in strings, because models write line breaks like that. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text.replaceAll(/"[^"\\]*(?:\\[^][^"\\]*)*"/g, escapeControls));
  } catch {
    return undefined;
  }
}

const escapeControls = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- control characters are what it escapes
  text.replaceAll(/[\u0000-\u001F]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });

function checked({ is_task_complete, ...fields }: JsonObject): JsonObject {
  if (is_task_complete !== undefined) fields["task_complete"] ??= is_task_complete;
  const { command, commands } = fields;
  if (command == null && commands !== undefined && !(Array.isArray(commands) && commands.every(isTyped))) {
    throw new ResponseError("the model's `commands` is not a list of {keystrokes, duration}");
  }
  return fields;
}

const isTyped = (command: Json): boolean =>
  isObject(command) &&
  typeof command["keystrokes"] === "string" &&
  (command["duration"] == null || typeof command["duration"] === "number");
