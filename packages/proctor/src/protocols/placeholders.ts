// Templates that say how an agent is asked: JSON, or the words of a command line, with `{task}` and its like in the texts. What is filled
// in is never read as a template or as JSON again, so a task cannot change the shape of a request.
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import { quote } from "../core/printable.ts";
import { suggest } from "../core/suggest.ts";
import type { Finding } from "../runtime/yaml/findings.ts";
import type { Turn } from "./turns.ts";

export interface FillValues {
  /** The text of the task. */
  task: string;
  /** Everything that is said now as one text: the task, its input data as JSON below it, and then a reviewer's feedback. */
  message: string;
  /** Input data of the task. */
  input: JsonObject | null;
  /** Feedback of a reviewer on the previous attempt. */
  feedback: JsonObject | null;
  conversation_id: Json;
  /** Earlier turns, oldest first. */
  history: Turn[];
}

const NAMES = ["task", "message", "input", "feedback", "conversation_id", "history"] as const;
type Name = (typeof NAMES)[number];

const PLACEHOLDER = /\{([a-z_]+)((?:\.[A-Za-z0-9_-]+)*)\}/g;
const ONLY_PLACEHOLDER = new RegExp(`^${PLACEHOLDER.source}$`);

/** Fills a template. A text that is one placeholder becomes the value itself; `{history}` as an item of a list becomes its turns, one by one. */
export function fillTemplate(template: Json, values: FillValues): Json {
  if (typeof template === "string") {
    const [, name = "", path = ""] = ONLY_PLACEHOLDER.exec(template) ?? [];
    return isName(name, path) ? valueOf(name, path, values) : fillText(template, values);
  }
  if (Array.isArray(template)) {
    return template.flatMap((item) => (item === "{history}" ? values.history : [fillTemplate(item, values)]));
  }
  if (!isJsonObject(template)) return template;
  const entries = Object.entries(template).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, fillTemplate(value, values)] as const],
  );
  return Object.fromEntries(entries);
}

/** Returns the text with its placeholders filled in: texts as they are, nothing for null, other values as JSON. */
export function fillText(template: string, values: FillValues): string {
  return template.replaceAll(PLACEHOLDER, (written, name: string, path: string) =>
    isName(name, path) ? textOfValue(valueOf(name, path, values)) : written,
  );
}

export function textOfValue(value: Json): string {
  if (value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Returns the names of the placeholders that a template has. */
export function placeholdersIn(template: Json | undefined): Set<Name> {
  const names = textsIn(template).flatMap(({ text }) =>
    [...text.matchAll(PLACEHOLDER)].flatMap(([, name = "", path = ""]) => (isName(name, path) ? [name] : [])),
  );
  return new Set(names);
}

/** Returns unknown placeholders that look like a known one. Other braces are text. */
export function mistypedPlaceholders(
  template: Json | undefined,
  path: readonly (string | number)[],
): Finding[] {
  return textsIn(template, path).flatMap(({ text, path: place }) =>
    [...text.matchAll(PLACEHOLDER)].flatMap(([written, name = "", rest = ""]): Finding[] => {
      const meant = isName(name, rest) ? undefined : suggest(name, NAMES);
      if (meant === undefined) return [];
      const hint = meant === name ? "only {input} has fields" : `did you mean {${meant}}?`;
      return [{ path: [...place], at: "value", message: `there is no ${quote(written)}`, hint }];
    }),
  );
}

function isName(name: string, path: string): name is Name {
  return (NAMES as readonly string[]).includes(name) && (path === "" || name === "input");
}

function valueOf(name: Name, path: string, values: FillValues): Json {
  let value: Json = values[name];
  for (const key of path.split(".").slice(1)) {
    const inside: Json | undefined = Array.isArray(value)
      ? value[Number(key)]
      : isJsonObject(value) && Object.hasOwn(value, key)
        ? value[key]
        : undefined;
    value = inside ?? null;
  }
  return value;
}

interface PlacedText {
  text: string;
  path: readonly (string | number)[];
}

function textsIn(template: Json | undefined, path: readonly (string | number)[] = []): PlacedText[] {
  if (typeof template === "string") return [{ text: template, path }];
  if (Array.isArray(template)) return template.flatMap((item, index) => textsIn(item, [...path, index]));
  if (!isJsonObject(template)) return [];
  return Object.entries(template).flatMap(([key, value]) => textsIn(value, [...path, key]));
}
