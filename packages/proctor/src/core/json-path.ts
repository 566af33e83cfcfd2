// A small JSON path: `$.a.b`, `['a key']`, `[0]`, `[-1]`, `[*]`, `.*` and `..`. No filters, no slices.
import { isJsonObject, type Json } from "./json.ts";

type Selector = { kind: "key"; key: string } | { kind: "index"; index: number } | { kind: "all" };

/** `deep`: the selector applies to the node and to everything inside it. */
type Segment = Selector & { deep: boolean };

export type JsonPath = readonly Segment[];

const SEGMENT =
  /(\.\.|\.)([^.[\]'"*\s$]+|\*)|(\.\.)?\[\s*(?:(\*)|(-?\d{1,9})|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\s*\]/y;

const MAX_PATH_CHARS = 10_000;

/** Throws an Error that says at which character the path cannot be read. */
export function parseJsonPath(text: string): JsonPath {
  if (text.length > MAX_PATH_CHARS) throw new Error(`a path has at most ${MAX_PATH_CHARS} characters`);
  if (!text.startsWith("$")) throw new Error(`the path "${text}" does not begin with $`);
  const path: Segment[] = [];
  SEGMENT.lastIndex = 1;
  for (let at = 1; at < text.length; at = SEGMENT.lastIndex) {
    SEGMENT.lastIndex = at;
    const found = SEGMENT.exec(text);
    if (found === null) throw new Error(`the path "${text}" cannot be read from its character ${at + 1} on`);
    path.push(segmentOf(found));
  }
  return path;
}

function segmentOf(found: RegExpExecArray): Segment {
  const [, dots, name, bracketDots, star, index, single, double] = found;
  const deep = dots === ".." || bracketDots !== undefined;
  if (name === "*" || star !== undefined) return { kind: "all", deep };
  if (index !== undefined) return { kind: "index", index: Number(index), deep };
  return { kind: "key", key: name ?? unescape(single ?? double ?? ""), deep };
}

function unescape(text: string): string {
  return text.replaceAll(/\\(.)/g, "$1");
}

/** Returns every node that the path leads to, in the order of the document, each once. */
export function findByPath(root: Json, path: JsonPath): Json[] {
  let nodes: Json[] = [root];
  for (const segment of path) {
    const from = segment.deep ? withDescendants(nodes) : nodes;
    nodes = from.flatMap((node) => select(node, segment));
  }
  return nodes;
}

/** Returns each container once, however many ways lead to it: that keeps every step linear in the size of the document. */
function withDescendants(nodes: readonly Json[]): Json[] {
  const seen = new Set<Json>();
  const waiting = nodes.toReversed();
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (node === undefined || node === null || typeof node !== "object" || seen.has(node)) continue;
    seen.add(node);
    for (const child of childrenOf(node).toReversed()) waiting.push(child);
  }
  return [...seen];
}

function select(node: Json, selector: Selector): Json[] {
  switch (selector.kind) {
    case "all":
      return childrenOf(node);
    case "index":
      return Array.isArray(node) ? present(node.at(selector.index)) : [];
    case "key":
      return isJsonObject(node) && Object.hasOwn(node, selector.key) ? present(node[selector.key]) : [];
    default:
      return selector satisfies never;
  }
}

function childrenOf(node: Json): Json[] {
  if (Array.isArray(node)) return node;
  return isJsonObject(node) ? Object.values(node).flatMap(present) : [];
}

/** Returns a list, empty for undefined, which JSON does not have; a list of one keeps a list inside from being flattened. */
function present(node: Json | undefined): Json[] {
  return node === undefined ? [] : [node];
}
