// `{{ name }}` in the strings of a test. A tree is compiled once and filled in for every row: what holds no template is
// shared between all of them.
import { isJsonObject, type Json } from "../../core/json.ts";
import type { Path } from "../../runtime/yaml/yaml-locate.ts";
import { findValue, type Scope } from "./scope.ts";

export type Report = (path: Path, message: string, hint?: string) => void;

export interface Expander {
  /** It holds no template: the same for every scope. */
  fixed: boolean;
  expand(scope: Scope, report: Report): unknown;
}

/** A literal `\{{`, a template, or a `{{` that nobody closes. */
const TOKEN = /\\\{\{|\{\{\s*([^{}]*?)\s*\}\}|\{\{/g;

export function compile(value: unknown, path: Path = []): Expander {
  if (typeof value === "string") return value.includes("{{") ? compileText(value, path) : constant(value);
  if (Array.isArray(value)) return compileList(value, path);
  return isJsonObject(value) ? compileObject(value, path) : constant(value);
}

function constant(value: unknown): Expander {
  return { fixed: true, expand: () => value };
}

function compileList(list: readonly unknown[], path: Path): Expander {
  const items = list.map((item, index) => compile(item, [...path, index]));
  const expand = (scope: Scope, report: Report): unknown[] => items.map((item) => item.expand(scope, report));
  return freeze(items, list, expand);
}

function compileObject(object: object, path: Path): Expander {
  const keys = Object.keys(object);
  const values = Object.entries(object).map(([key, inner]) => compile(inner, [...path, key]));
  const expand = (scope: Scope, report: Report): object =>
    Object.fromEntries(values.map((value, index) => [keys[index], value.expand(scope, report)]));
  return freeze(values, object, expand);
}

function freeze(parts: readonly Expander[], original: unknown, expand: Expander["expand"]): Expander {
  if (!parts.every((part) => part.fixed)) return { fixed: false, expand };
  // Nothing to fill in; only an escaped brace may have changed something.
  const value = expand(new Map(), () => undefined);
  return constant(JSON.stringify(value) === JSON.stringify(original) ? original : value);
}

type Part = { text: string } | { name: string };

function compileText(text: string, path: Path): Expander {
  const parts: Part[] = [];
  let isOpen = false;
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [token, name] = match;
    parts.push({ text: text.slice(end, match.index) });
    end = match.index + token.length;
    if (name !== undefined) parts.push({ name });
    else {
      parts.push({ text: "{{" });
      isOpen ||= token === "{{";
    }
  }
  parts.push({ text: text.slice(end) });
  const given = parts.filter((part) => "name" in part || part.text !== "");
  const [first] = given;
  const only = given.length === 1 && first && "name" in first ? first.name : undefined;
  if (given.every((part) => "text" in part) && !isOpen) {
    return constant(given.map((part) => ("text" in part ? part.text : "")).join(""));
  }
  return {
    fixed: false,
    expand(scope, report) {
      if (isOpen) {
        report(
          path,
          `a template is not closed`,
          String.raw`write {{ name }}, or \{{ for the braces themselves`,
        );
      }
      // A string that is only a template keeps the value's type.
      if (only !== undefined) return findValue(only, scope, path, report);
      return given
        .map((part) => ("text" in part ? part.text : asText(findValue(part.name, scope, path, report))))
        .join("");
    },
  };
}

function asText(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
