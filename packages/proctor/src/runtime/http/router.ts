// Finds the endpoint for a path. Patterns are made of literal segments and `{name}` segments; a literal wins.

export interface Match<T> {
  /** By method; `*` takes every method. */
  endpoints: ReadonlyMap<string, T>;
  params: Record<string, string>;
}

export interface Router<T> {
  add(method: string, pattern: string, endpoint: T): void;
  /** Everything at and below `path`, unless a pattern says more about it. */
  addBelow(path: string, endpoint: T): void;
  find(path: string): Match<T> | undefined;
}

interface Node<T> {
  literal: Map<string, Node<T>>;
  param: { name: string; node: Node<T> } | undefined;
  endpoints: Map<string, T>;
  /** Takes what nothing below this node takes. */
  below: Map<string, T> | undefined;
}

export function createRouter<T>(): Router<T> {
  const root = createNode<T>();

  function nodeAt(pattern: string): Node<T> {
    let node = root;
    for (const segment of pattern.slice(1).split("/")) {
      const [, name] = /^\{(\w+)\}$/.exec(segment) ?? [];
      if (name === undefined) {
        const next = node.literal.get(segment) ?? createNode<T>();
        node.literal.set(segment, next);
        node = next;
      } else {
        node.param ??= { name, node: createNode<T>() };
        node = node.param.node;
      }
    }
    return node;
  }

  return {
    add(method, pattern, endpoint) {
      nodeAt(pattern).endpoints.set(method, endpoint);
    },
    addBelow(path, endpoint) {
      nodeAt(path).below = new Map([["*", endpoint]]);
    },
    find(path) {
      const params: Record<string, string> = {};
      let node: Node<T> | undefined = root;
      let below: Map<string, T> | undefined;
      let start = 1;
      while (node !== undefined && start <= path.length) {
        const slash = path.indexOf("/", start);
        const end = slash === -1 ? path.length : slash;
        const segment = path.slice(start, end);
        const literal: Node<T> | undefined = node.literal.get(segment);
        if (literal === undefined && node.param !== undefined && segment !== "") {
          params[node.param.name] = segment;
          node = node.param.node;
        } else node = literal;
        below = node?.below ?? below;
        start = end + 1;
      }
      if (node !== undefined && node.endpoints.size > 0) return { endpoints: node.endpoints, params };
      return below && { endpoints: below, params: {} };
    },
  };
}

function createNode<T>(): Node<T> {
  return { literal: new Map(), param: undefined, endpoints: new Map(), below: undefined };
}
