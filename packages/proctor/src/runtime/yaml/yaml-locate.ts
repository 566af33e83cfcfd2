// Finds where in the text the value or the key at a path stands.
import { isAlias, isMap, isScalar, isSeq } from "yaml";
import type { Alias, Node, Pair, YAMLMap } from "yaml";

export type Path = readonly PropertyKey[];
export type AliasTargets = Map<Alias, Node>;

const MAX_MERGES = 100;

/** Returns the offset of the value or key at the path, or of the nearest thing around it. */
export function locate(root: unknown, path: Path, part: "key" | "value", targets: AliasTargets): number {
  let node = root;
  let offset = start(root);
  for (const [index, step] of path.entries()) {
    while (isAlias(node)) node = targets.get(node);
    const pair = isMap(node) ? findPair(node, String(step), targets) : undefined;
    const next: unknown = isSeq(node) ? node.items[Number(step)] : pair?.value;
    if (pair && part === "key" && index === path.length - 1) return start(pair.key);
    if (next === undefined) return offset;
    node = next;
    // A key without a value has nothing to point at.
    const nothing = pair && isScalar(next) && next.value === null && next.source === "";
    offset = start(nothing ? pair.key : next);
  }
  return offset;
}

/** Returns the pair with this key, in the mapping itself or in one that is merged into it with `<<`. */
function findPair(map: YAMLMap, name: string, targets: AliasTargets, depth = 0): Pair | undefined {
  const own = pairsOf(map).get(name);
  if (own || depth > MAX_MERGES || !pairsOf(map).has("<<")) return own;
  for (const pair of map.items) {
    if (keyName(pair) !== "<<") continue;
    const value = isAlias(pair.value) ? targets.get(pair.value) : pair.value;
    for (const item of isSeq(value) ? value.items : [value]) {
      const merged = isAlias(item) ? targets.get(item) : item;
      const found = isMap(merged) ? findPair(merged, name, targets, depth + 1) : undefined;
      if (found) return found;
    }
  }
  return undefined;
}

/** Index of each mapping: one with many wrong keys is searched for each of them. */
const indexes = new WeakMap<YAMLMap, Map<string, Pair>>();

function pairsOf(map: YAMLMap): Map<string, Pair> {
  const known = indexes.get(map);
  if (known) return known;
  const index = new Map(map.items.map((pair) => [keyName(pair) ?? "", pair]));
  indexes.set(map, index);
  return index;
}

/** Returns undefined for a key that is not text. */
export function keyName({ key }: Pair): string | undefined {
  const value = isScalar(key) ? key.value : undefined;
  // The parser makes a symbol of `<<`.
  if (typeof value === "symbol") return value.description;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" ? value : undefined;
}

export function start(node: unknown): number {
  return (isScalar(node) || isMap(node) || isSeq(node) || isAlias(node)) && node.range ? node.range[0] : 0;
}
