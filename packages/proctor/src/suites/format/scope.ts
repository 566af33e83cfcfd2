// The values that templates can name, and how one is found.
import { isJsonObject, type Json } from "../../core/json.ts";
import { didYouMean } from "../../core/suggest.ts";
import { quote } from "../../core/printable.ts";
import type { Path } from "../../runtime/yaml/yaml-locate.ts";
import type { Report } from "./template.ts";

export type Scope = ReadonlyMap<string, Json>;

const SHOWN = 20;

/** By its whole name, else step by step: `user.name`, `list.0`. What is not there is reported. */
export function findValue(name: string, scope: Scope, path: Path, report: Report): Json | undefined {
  const whole = scope.get(name);
  if (whole !== undefined) return whole;
  const [head = "", ...steps] = name.split(".");
  let value = scope.get(head);
  if (value === undefined) {
    report(path, `unknown variable ${quote(name)}`, hintFor(head, [...scope.keys()]));
    return undefined;
  }
  let walked = head;
  for (const step of steps) {
    const keys: string[] = typeof value === "object" && value !== null ? Object.keys(value) : [];
    const next: Json | undefined = keys.includes(step) ? inside(value, step) : undefined;
    if (next === undefined) {
      report(path, `${quote(walked)} has no ${quote(step)}`, hintFor(step, keys));
      return undefined;
    }
    value = next;
    walked += `.${step}`;
  }
  return value;
}

function inside(value: Json, step: string): Json | undefined {
  if (Array.isArray(value)) return value[Number(step)];
  return isJsonObject(value) ? value[step] : undefined;
}

function hintFor(word: string, known: readonly string[]): string {
  const more = known.length > SHOWN ? ", …" : "";
  const otherwise =
    known.length === 0
      ? String.raw`nothing is known here; write \{{ for the braces themselves`
      : `known here: ${known.slice(0, SHOWN).join(", ")}${more}`;
  return didYouMean(word, known, otherwise);
}
