// What a TypeScript module exports, and what it takes from other modules of the repository, read from its syntax tree.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseAst } from "rolldown/parseAst";

export interface ModuleUses {
  /** Names that others can import; "default" is one of them. */
  exports: Set<string>;
  /** Those of its exports that are types. */
  types: Set<string>;
  /** What it imports, as "file#name"; "file#*" when it takes everything, or nobody can say what. */
  uses: Set<string>;
  /** How often each name stands in it, its declaration included. */
  mentions: Map<string, number>;
}

/** A node of the tree; what it holds depends on its type. */
interface Node {
  type: string;
  [key: string]: unknown;
}

/** `file` is the name under which others know it, `path` where it is. */
export function moduleUses(file: string, path: string): ModuleUses {
  // `parseAst` has types for JavaScript, and reads TypeScript as well.
  const program = parseAst(readFileSync(path, "utf8"), { lang: "ts" }, path) as unknown as Node;
  const found: ModuleUses = { exports: new Set(), types: new Set(), uses: new Set(), mentions: new Map() };
  visit(program, [], (node, parents) => look(node, parents, file, found));
  return found;
}

function visit(
  node: Node,
  parents: readonly Node[],
  look: (node: Node, parents: readonly Node[]) => void,
): void {
  look(node, parents);
  const inner = [node, ...parents];
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, inner, look);
  }
}

function look(
  node: Node,
  parents: readonly Node[],
  file: string,
  { exports, types, uses, mentions }: ModuleUses,
): void {
  const use = (from: unknown, name: string): void => {
    const target = isNode(from) ? from["value"] : undefined;
    if (typeof target === "string" && target.startsWith("."))
      uses.add(`${join(dirname(file), target)}#${name}`);
  };
  switch (node.type) {
    case "Identifier":
      mentions.set(nameOf(node), (mentions.get(nameOf(node)) ?? 0) + 1);
      return;
    case "ImportDeclaration":
      for (const specifier of nodes(node["specifiers"])) {
        if (specifier.type === "ImportNamespaceSpecifier") use(node["source"], "*");
        else
          use(
            node["source"],
            specifier.type === "ImportSpecifier" ? nameOf(specifier["imported"]) : "default",
          );
      }
      return;
    case "ExportAllDeclaration":
      return use(node["source"], "*");
    case "ExportDefaultDeclaration":
      exports.add("default");
      return;
    case "ExportNamedDeclaration":
      for (const specifier of nodes(node["specifiers"])) {
        exports.add(nameOf(specifier["exported"]));
        use(node["source"], nameOf(specifier["local"]));
      }
      if (isNode(node["declaration"])) {
        for (const name of declared(node["declaration"])) {
          exports.add(name);
          if (node["exportKind"] === "type") types.add(name);
        }
      }
      return;
    case "TSImportType":
      return use(
        node["source"] ?? node["argument"],
        isNode(node["qualifier"]) ? firstName(node["qualifier"]) : "*",
      );
    case "ImportExpression":
      for (const name of takenFrom(node, parents)) use(node["source"], name);
      return;
    default:
  }
}

/** The names that are taken from what `import()` resolves with: of the object at once, or by a pattern. */
function takenFrom(call: Node, [parent, ...above]: readonly Node[]): string[] {
  if (parent?.type === "AwaitExpression") {
    const [holder] = above;
    if (holder?.type === "VariableDeclarator" && isNode(holder["id"])) return keysOf(holder["id"]);
    return member(parent, holder) ?? ["*"];
  }
  const [then] = above;
  if (member(call, parent)?.[0] !== "then" || then?.type !== "CallExpression") return ["*"];
  const [callback] = nodes(then["arguments"]);
  const [taken] = nodes(callback?.["params"]);
  return taken === undefined ? ["*"] : keysOf(taken);
}

function member(object: Node, holder: Node | undefined): string[] | undefined {
  const isMember =
    holder?.type === "MemberExpression" && holder["object"] === object && holder["computed"] === false;
  return isMember ? [nameOf(holder["property"])] : undefined;
}

function keysOf(pattern: Node): string[] {
  if (pattern.type !== "ObjectPattern") return ["*"];
  return nodes(pattern["properties"]).map((property) =>
    property.type === "Property" ? nameOf(property["key"]) : "*",
  );
}

function declared(declaration: Node): string[] {
  if (isNode(declaration["id"])) return [nameOf(declaration["id"])];
  return nodes(declaration["declarations"]).flatMap(({ id }) => {
    if (!isNode(id)) return [];
    return id.type === "ObjectPattern"
      ? nodes(id["properties"]).map(({ value }) => nameOf(value))
      : [nameOf(id)];
  });
}

function firstName(name: Node): string {
  return isNode(name["left"]) ? firstName(name["left"]) : nameOf(name);
}

/** Of an identifier, or of a name in quotes. */
function nameOf(node: unknown): string {
  if (!isNode(node)) return "*";
  const name = node["name"] ?? node["value"];
  return typeof name === "string" ? name : "*";
}

function nodes(value: unknown): Node[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}
