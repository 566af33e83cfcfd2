// Carries known fields of an object from one version's shape to the other's; fields that nobody knows stay. Notes what is lost, and where
// it stood.
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import type { Loss } from "./codec.ts";
import { withoutLegacy } from "./legacy.ts";
import { createTrail, type Trail } from "./trail.ts";

export interface Translation extends Trail {
  lose(message: string, field?: string): void;
}

export type Translator = (value: Json, translation: Translation) => Json;

export function createTranslation(losses: Loss[] = [], root: string = ""): Translation {
  const trail = createTrail(root);
  return { ...trail, lose: (message, field) => void losses.push({ path: trail.path(field), message }) };
}

/** Returns the object with those of these fields translated that it has, and without its notes of 0.3. */
export function translateFields(
  value: JsonObject,
  fields: Readonly<Record<string, Translator>>,
  translation: Translation = createTranslation(),
): JsonObject {
  const copy = withoutLegacy(value);
  for (const [name, translate] of Object.entries(fields)) {
    const given = value[name];
    if (given === undefined) continue;
    translation.enter(name);
    copy[name] = translate(given, translation);
    translation.leave();
  }
  return copy;
}

/** Translates every object of a list. */
export function each(translate: (value: JsonObject, translation: Translation) => Json): Translator {
  const one = only(translate);
  return (value, translation) => {
    if (!Array.isArray(value)) return value;
    return value.map((entry, index) => {
      translation.enter(index);
      const result = one(entry, translation);
      translation.leave();
      return result;
    });
  };
}

/** Translates objects alone. Other values were refused by the reader, or are not ours to judge. */
export function only(translate: (value: JsonObject, translation: Translation) => Json): Translator {
  return (value, translation) => (isJsonObject(value) ? translate(value, translation) : value);
}

/** Splits off the fields with these names. */
export function split(value: JsonObject, names: readonly string[]): [chosen: JsonObject, rest: JsonObject] {
  const entries = Object.entries(value);
  return [
    Object.fromEntries(entries.filter(([name]) => names.includes(name))),
    Object.fromEntries(entries.filter(([name]) => !names.includes(name))),
  ];
}

/** Returns the object without these fields, each of which is a loss. */
export function leaveOut(
  value: JsonObject,
  names: readonly string[],
  translation: Translation,
  why: string = "has no place in A2A 0.3, and is left out",
): JsonObject {
  const [lost, rest] = split(value, names);
  for (const name of Object.keys(lost)) {
    if (lost[name] !== undefined) translation.lose(why, name);
  }
  return rest;
}
