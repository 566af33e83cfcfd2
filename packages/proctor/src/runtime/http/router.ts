// Finds the endpoint for a method and a path, or says why there is none. Paths are made of literal segments and `{name}` segments, and a
// literal wins. One that ends with `/*` takes everything at and below it that no other path takes.
import { ProctorError } from "../../core/errors.ts";

export interface Endpoint {
  /** HTTP method; `*` takes every method, and GET also takes HEAD. */
  method: string;
  path: string;
}

export type Found<E> = { endpoint: E; params: Readonly<Record<string, string>> } | Refusal;

export interface Refusal {
  endpoint: undefined;
  /** The error: NOT_FOUND, METHOD_NOT_ALLOWED, or INVALID_REQUEST for a malformed percent escape. */
  error: ProctorError;
  /** Headers of the refusal: `Allow` when the path exists for other methods. */
  headers: Readonly<Record<string, string>>;
}

export interface Router<E> {
  /** Finds the endpoint. `path` is still percent-encoded and has no query; parameters are decoded. Never throws. */
  find(method: string, path: string): Found<E>;
  /** Returns whether an endpoint takes the path, with any method. Ignores malformed escapes. */
  knows(path: string): boolean;
}

interface Entry<E> {
  endpoint: E;
  /** Names of the parameters, in the order of the path. */
  names: readonly string[];
}

type Methods<E> = Map<string, Entry<E>>;

interface Node<E> {
  literal: Map<string, Node<E>>;
  param: Node<E> | undefined;
  methods: Methods<E>;
  /** Endpoints for every path below this node that no other node takes. */
  below: Methods<E> | undefined;
}

/** `hint` says where to look instead; it is the second line of the error for a path that does not exist. */
export function createRouter<E extends Endpoint>(endpoints: readonly E[], hint: string): Router<E> {
  const root = createNode<E>();
  for (const endpoint of endpoints) add(root, endpoint);

  return {
    find(method, path) {
      const { methods, values } = walk(root, path);
      if (methods === undefined)
        return refusal(new ProctorError("NOT_FOUND", `there is nothing at this path\n${hint}`));
      const entry =
        methods.get(method) ?? (method === "HEAD" ? methods.get("GET") : undefined) ?? methods.get("*");
      if (entry === undefined) {
        const allow = [...methods.keys(), ...(methods.has("GET") ? ["HEAD"] : [])].join(", ");
        return refusal(new ProctorError("METHOD_NOT_ALLOWED", `this path takes ${allow}`), { allow });
      }
      const params: Record<string, string> = {};
      let index = 0;
      try {
        for (const name of entry.names) params[name] = decode(values[index++] ?? "");
      } catch {
        return refusal(new ProctorError("INVALID_REQUEST", "the path has a malformed percent escape"));
      }
      return { endpoint: entry.endpoint, params };
    },
    knows: (path) => walk(root, path).methods !== undefined,
  };
}

function add<E extends Endpoint>(root: Node<E>, endpoint: E): void {
  const { method, path } = endpoint;
  const takesBelow = path.endsWith("/*");
  const names: string[] = [];
  let node = root;
  for (const segment of (takesBelow ? path.slice(0, -2) : path).slice(1).split("/")) {
    const [, name] = /^\{(\w+)\}$/.exec(segment) ?? [];
    if (name === undefined) {
      const next = node.literal.get(segment) ?? createNode<E>();
      node.literal.set(segment, next);
      node = next;
    } else {
      names.push(name);
      node = node.param ??= createNode<E>();
    }
  }
  const methods = takesBelow ? (node.below ??= new Map()) : node.methods;
  if (methods.has(method)) throw new Error(`two endpoints take ${method} ${path}`);
  methods.set(method, { endpoint, names });
}

/** Returns the endpoints that take the path, and the texts of its parameters in order. */
function walk<E>(root: Node<E>, path: string): { methods: Methods<E> | undefined; values: string[] } {
  const values: string[] = [];
  let node: Node<E> | undefined = root;
  let below: Methods<E> | undefined;
  let start = 1;
  while (node !== undefined && start <= path.length) {
    const slash = path.indexOf("/", start);
    const end = slash === -1 ? path.length : slash;
    const segment = path.slice(start, end);
    const literal: Node<E> | undefined = node.literal.get(segment);
    if (literal === undefined && node.param !== undefined && segment !== "") {
      values.push(segment);
      node = node.param;
    } else node = literal;
    below = node?.below ?? below;
    start = end + 1;
  }
  return { methods: node !== undefined && node.methods.size > 0 ? node.methods : below, values };
}

function createNode<E>(): Node<E> {
  return { literal: new Map(), param: undefined, methods: new Map(), below: undefined };
}

function decode(text: string): string {
  return text.includes("%") ? decodeURIComponent(text) : text;
}

function refusal(error: ProctorError, headers: Refusal["headers"] = {}): Refusal {
  return { endpoint: undefined, error, headers };
}
