// Variables of ACTS (its section 8): `{{name}}`, `{{step.variable}}`, `{{step.response}}`, `{{env.NAME}}` and `{{$uuid}}`. A text that is nothing but a
// variable becomes its value, whatever that is; elsewhere the value is written into the text. Pure.
import { isJsonObject, type Json } from "../../../core/json.ts";
import { valueAt } from "./path.ts";

const REFERENCE = /\{\{\s*([^{}]*?)\s*\}\}/g;
const ONLY_REFERENCE = /^\s*\{\{\s*([^{}]*?)\s*\}\}\s*$/;

export type Reference =
  | { kind: "uuid" }
  | { kind: "environment"; name: string }
  /** `path` leads into the response. */
  | { kind: "step"; step: string; name: string; path?: string }
  | { kind: "variable"; name: string };

/** Returns undefined for a text that is not a reference. */
export function parseReference(expression: string): Reference | undefined {
  if (expression === "$uuid") return { kind: "uuid" };
  const [, environment] = /^env\.([A-Za-z_]\w*)$/.exec(expression) ?? [];
  if (environment !== undefined) return { kind: "environment", name: environment };
  const [, step, name, path] = /^([\w-]+)\.([A-Za-z_]\w*)([.[].*)?$/.exec(expression) ?? [];
  if (step !== undefined && name !== undefined) {
    if (path !== undefined && name !== "response") return undefined;
    return { kind: "step", step, name, ...(path !== undefined && { path: path.replace(/^\./, "") }) };
  }
  return /^[A-Za-z_][\w-]*$/.test(expression) ? { kind: "variable", name: expression } : undefined;
}

/** Returns what stands in the braces of a text. */
export function referencesIn(text: string): string[] {
  return [...text.matchAll(REFERENCE)].map(([, expression = ""]) => expression);
}

/** The source of an assertion may stand without braces. */
export function sourceReference(source: string): string {
  return ONLY_REFERENCE.exec(source)?.[1] ?? source.trim();
}

/** Values that a test knows while it runs. */
export interface Scope {
  variables: Readonly<Record<string, string>>;
  environment: Readonly<Record<string, string>>;
  /** Values that steps captured, by the steps' ids. */
  captured: Map<string, Record<string, Json>>;
  /** Responses that steps got, by the steps' ids. */
  responses: Map<string, Json>;
  newId(): string;
}

/** A variable that has no value. The test cannot be tried; it says nothing about the agent. */
export class UnknownVariable extends Error {
  override readonly name = "UnknownVariable";
}

export function resolve(expression: string, scope: Scope, open: readonly string[] = []): Json {
  const reference = parseReference(expression);
  const value = reference && valueOf(reference, scope, open);
  if (value !== undefined) return value;
  const hint = reference?.kind === "environment" ? `; give it with --env ${reference.name}=…` : "";
  throw new UnknownVariable(`{{${expression}}} has no value${hint}`);
}

function valueOf(reference: Reference, scope: Scope, open: readonly string[]): Json | undefined {
  switch (reference.kind) {
    case "uuid":
      return scope.newId();
    case "environment":
      return scope.environment[reference.name];
    case "step": {
      const { step, name, path } = reference;
      if (name !== "response") return scope.captured.get(step)?.[name];
      const response = scope.responses.get(step);
      return path === undefined || response === undefined ? response : valueAt(response, path);
    }
    case "variable": {
      const { name } = reference;
      const text = Object.hasOwn(scope.variables, name) ? scope.variables[name] : undefined;
      if (text === undefined || open.includes(name)) return undefined;
      return inText(text, scope, [...open, name]);
    }
  }
}

/** Returns the value with every variable in it filled in; keys of mappings stay as they are. */
export function substitute(value: Json, scope: Scope): Json {
  if (typeof value === "string") return inText(value, scope, []);
  if (Array.isArray(value)) return value.map((each) => substitute(each, scope));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, each]) => [key, each && substitute(each, scope)] as const);
  return Object.fromEntries(entries);
}

/** Returns a text with its variables written into it, even where it is nothing but one. */
export function fillText(text: string, scope: Scope): string {
  return withValues(text, scope, []);
}

function inText(text: string, scope: Scope, open: readonly string[]): Json {
  const only = ONLY_REFERENCE.exec(text)?.[1];
  return only === undefined ? withValues(text, scope, open) : resolve(only, scope, open);
}

function withValues(text: string, scope: Scope, open: readonly string[]): string {
  return text.replaceAll(REFERENCE, (_whole, expression: string) => {
    const value = resolve(expression, scope, open);
    return typeof value === "string" ? value : JSON.stringify(value);
  });
}
