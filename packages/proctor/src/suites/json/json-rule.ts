// One statement about a JSON value: what a path leads to, and how that should be.
import { z } from "zod";
import { canonicalJson } from "../../core/canonical-json.ts";
import { findByPath, parseJsonPath } from "../../core/json-path.ts";
import type { Json } from "../../core/json.ts";
import { addError } from "../../runtime/yaml/findings.ts";
import { json } from "../../runtime/yaml/scalars.ts";
import { parsePattern } from "../../core/parse-pattern.ts";
import { shown } from "../texts/words.ts";

export const payloadRuleShape = {
  path: z.string().min(1),
  equals: json.optional(),
  exists: z.literal(true).optional(),
  absent: z.literal(true).optional(),
};

interface JsonRule {
  path: string;
  equals?: Json | undefined;
  exists?: true | undefined;
  absent?: true | undefined;
  matches?: string | undefined;
  contains?: Json | undefined;
}

const OPERATORS = ["equals", "exists", "absent", "matches", "contains"] as const;

/** `known` lists the operators that may be used here. */
export function checkRule(
  rule: JsonRule,
  context: z.RefinementCtx,
  known: readonly string[] = OPERATORS,
): void {
  try {
    parseJsonPath(rule.path);
  } catch (error) {
    addError(context, error, ["path"]);
  }
  if (OPERATORS.filter((operator) => rule[operator] !== undefined).length !== 1) {
    context.addIssue({ code: "custom", message: `give exactly one of ${known.join(", ")}` });
  }
  try {
    if (rule.matches !== undefined) parsePattern(rule.matches);
  } catch (error) {
    addError(context, error, ["matches"]);
  }
}

/** Whether the rule holds, and what was found. A pattern may take long: call it within a CPU limit. */
export function applyRule(
  rule: JsonRule,
  value: Json | undefined,
): { holds: boolean; message: string; found: Json[] } {
  const nodes = value === undefined ? [] : findByPath(value, parseJsonPath(rule.path));
  const words =
    nodes.length === 0
      ? "nothing"
      : nodes
          .slice(0, 3)
          .map((node) => shown(node))
          .join(", ");
  const say = (holds: boolean, expected: string) => ({
    holds,
    message: `${rule.path}: ${expected} expected, found ${words}${nodes.length > 3 ? ", …" : ""}`,
    found: nodes,
  });
  if (rule.absent) return say(nodes.length === 0, "nothing");
  if (rule.matches !== undefined) {
    const expression = parsePattern(rule.matches);
    return say(
      nodes.some((node) => expression.test(textOf(node))),
      `/${rule.matches}/`,
    );
  }
  if (rule.contains !== undefined)
    return say(nodes.some(holder(rule.contains)), `something with ${shown(rule.contains)}`);
  if (rule.equals !== undefined) {
    const wanted = canonicalJson(rule.equals);
    return say(
      nodes.some((node) => canonicalJson(node) === wanted),
      shown(rule.equals),
    );
  }
  return say(nodes.length > 0, "something");
}

/** Tests whether a text contains a text, or a list a value. */
function holder(wanted: Json): (node: Json) => boolean {
  const key = canonicalJson(wanted);
  return (node) => {
    if (Array.isArray(node)) return node.some((entry) => canonicalJson(entry) === key);
    return typeof node === "string" && typeof wanted === "string" && node.includes(wanted);
  };
}

function textOf(node: Json): string {
  return typeof node === "string" ? node : JSON.stringify(node);
}
