// Walks a parsed document once: reports what Proctor's files must not contain, replaces variables in place, and remembers what
// each alias stands for.
import { isAlias, isMap, isScalar, isSeq } from "yaml";
import type { Node, Scalar, YAMLMap } from "yaml";
import { suggest } from "../../core/suggest.ts";
import { quote } from "../../core/printable.ts";
import { expandVariables } from "./variables.ts";
import type { Variables } from "./variables.ts";
import { keyName, start } from "./yaml-locate.ts";
import type { AliasTargets } from "./yaml-locate.ts";

const MAX_DEPTH = 100;
/** Hint for an unquoted `{{ name }}`, which YAML reads as two mappings. */
export const QUOTE_TEMPLATE = `put the template in quotes: "{{ name }}"`;
export const TOO_DEEP = `nested deeper than ${MAX_DEPTH} levels`;

interface Inspection {
  text: string;
  /** Values for `${NAME}`, which is text like any other when absent. */
  variables?: Variables;
  report(offset: number, message: string, hint?: string): void;
  /** Reports a problem that makes the whole document unusable. */
  ruin(offset: number, message: string): void;
  anchors: Map<string, Node>;
  /** The collections around the current node. */
  open: Set<unknown>;
  targets: AliasTargets;
}

export function inspectYaml(node: unknown, to: Inspection, depth = 0): void {
  if (isAlias(node)) {
    const target = to.anchors.get(node.source);
    if (target && to.open.has(target)) to.ruin(start(node), "this alias stands inside its own anchor");
    else if (target) to.targets.set(node, target);
    else to.ruin(start(node), `no anchor ${quote(node.source)} stands before this alias`);
    return;
  }
  if (depth > MAX_DEPTH && (isMap(node) || isSeq(node))) return to.ruin(start(node), TOO_DEEP);
  if ((isMap(node) || isSeq(node) || isScalar(node)) && node.anchor) to.anchors.set(node.anchor, node);
  to.open.add(node);
  if (isMap(node)) inspectMap(node, to, depth);
  else if (isSeq(node)) for (const item of node.items) inspectYaml(item, to, depth + 1);
  else if (isScalar(node)) inspectScalar(node, to);
  to.open.delete(node);
}

function inspectMap(map: YAMLMap, to: Inspection, depth: number): void {
  const seen = new Set<string>();
  for (const pair of map.items) {
    const name = keyName(pair);
    if (name === undefined || name === "__proto__") {
      const brace = name === undefined && to.text.startsWith("{{", start(map));
      to.report(
        start(pair.key),
        name === undefined ? "a key must be plain text" : `the key "__proto__" is not allowed`,
        brace ? QUOTE_TEMPLATE : undefined,
      );
    } else if (seen.has(name) && name !== "<<") {
      to.report(start(pair.key), `the key ${quote(name)} is here twice`, "remove one of the two");
    } else {
      seen.add(name);
    }
    inspectYaml(pair.value, to, depth + 1);
  }
}

function inspectScalar(scalar: Scalar, to: Inspection): void {
  const { value } = scalar;
  if (typeof value === "number") {
    if (!Number.isFinite(value)) to.report(start(scalar), "a number must be finite");
    else if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      to.report(
        start(scalar),
        "this number is too large to be kept exactly",
        "put it in quotes to keep it as text",
      );
    }
  }
  const { variables } = to;
  if (typeof value !== "string" || !variables) return;
  const { text, missing } = expandVariables(value, variables);
  scalar.value = text;
  for (const name of missing) {
    const offset = to.text.indexOf(`\${${name}`, start(scalar));
    const similar = suggest(name, Object.keys(variables));
    const set = `set ${name}, or give a default: \${${name}:value}`;
    const hint = similar === undefined ? set : `did you mean ${quote(similar)}?  Otherwise ${set}`;
    to.report(offset < 0 ? start(scalar) : offset, `the variable ${name} is not set`, hint);
  }
}
