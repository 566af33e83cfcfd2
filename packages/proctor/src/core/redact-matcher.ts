// Finds patterns in text: an automaton whose states are made when a text first reaches them, so that creating one costs
// next to nothing and reading costs one table look-up per character.
import type { Pattern } from "./redact-patterns.ts";
import { END, type SpellingNode } from "./redact-spelling.ts";

/** The match that a text has at one position, if any. */
export interface Found {
  /** End of the longest match that starts there, or -1. */
  end: number;
  pattern: Pattern | undefined;
  /** True when the text ended where more of it could have made a (longer) match. */
  open: boolean;
}

export interface Matcher {
  test(text: string): boolean;
  /** Returns the next position from `from` on where a match may start; the length of the text when there is none. */
  nextStart(text: string, from: number): number;
  /** Returns the match at `start`, in an object that the next call overwrites. */
  matchAt(text: string, start: number): Readonly<Found>;
}

interface Item {
  readonly order: number;
  readonly index: number;
  readonly node: SpellingNode;
}

interface State {
  readonly items: readonly Item[];
  readonly accepts: Pattern | undefined;
  readonly next: Map<number, State | undefined>;
}

/** Enough for any honest text; a text made to visit more starts the table over. */
const MAX_STATES = 10_000;
const ASCII = 128;
const MAY_START = 1;
const CANNOT_START = 2;

/** Creates a matcher. `patterns` are in order of precedence: the first names a match that several share. */
export function createMatcher(patterns: readonly Pattern[]): Matcher {
  const states = new Map<string, State>();
  const found: Found = { end: -1, pattern: undefined, open: false };
  const rootItems = patterns.map((pattern, order): Item => ({ order, index: 0, node: pattern.spelling(0) }));
  const startCodes = new Set(rootItems.flatMap((item) => item.node.edges.map((edge) => edge.code)));
  const startTable = Uint8Array.from({ length: ASCII }, (_, code) => (startCodes.has(code) ? 1 : 0));
  /** Whether a match may start with these two characters: unknown until a text holds them. */
  const pairs = new Uint8Array(ASCII * ASCII);
  let root = createState(rootItems, undefined);

  function createState(items: readonly Item[], accepts: Pattern | undefined): State {
    return { items, accepts, next: new Map() };
  }

  function intern(items: Map<string, Item>, accepts: Pattern | undefined): State | undefined {
    if (items.size === 0 && accepts === undefined) return undefined;
    const key = `${[...items.keys()].sort().join()}/${accepts === undefined ? "" : patterns.indexOf(accepts)}`;
    const known = states.get(key);
    if (known !== undefined) return known;
    if (states.size >= MAX_STATES) {
      states.clear();
      root = createState(rootItems, undefined);
    }
    const created = createState([...items.values()], accepts);
    states.set(key, created);
    return created;
  }

  function computeStep(state: State, code: number): State | undefined {
    const items = new Map<string, Item>();
    let accepts: number | undefined;
    for (const { order, index, node } of state.items) {
      const pattern = patterns[order];
      if (pattern === undefined) continue;
      for (const edge of node.edges) {
        if (code < edge.code || code > (edge.last ?? edge.code)) continue;
        const done = edge.to === END ? index + 1 : index;
        if (edge.to === END && done >= pattern.acceptFrom) accepts = Math.min(accepts ?? order, order);
        if (done === pattern.length) continue;
        const next = edge.to === END ? pattern.spelling(done) : edge.to;
        items.set(`${order}.${done}.${next.id}`, { order, index: done, node: next });
      }
    }
    return intern(items, accepts === undefined ? undefined : patterns[accepts]);
  }

  function step(state: State, code: number): State | undefined {
    const known = state.next.get(code);
    if (known !== undefined || (code < ASCII && state.next.has(code))) return known;
    const next = computeStep(state, code);
    // Dead ends outside ASCII are too many to remember.
    if (next !== undefined || code < ASCII) state.next.set(code, next);
    return next;
  }

  function canStart(code: number, following: number): boolean {
    if (following >= ASCII) return true;
    const pair = code * ASCII + following;
    const known = pairs[pair];
    if (known === MAY_START || known === CANNOT_START) return known === MAY_START;
    const first = step(root, code);
    const may = first !== undefined && (first.accepts !== undefined || step(first, following) !== undefined);
    pairs[pair] = may ? MAY_START : CANNOT_START;
    return may;
  }

  function nextStart(text: string, from: number): number {
    const last = text.length - 1;
    for (let index = from; index <= last; index++) {
      const code = text.charCodeAt(index);
      if (code >= ASCII) {
        if (startCodes.has(code)) return index;
      } else if (startTable[code] === 1 && (index === last || canStart(code, text.charCodeAt(index + 1)))) {
        return index;
      }
    }
    return text.length;
  }

  function matchAt(text: string, start: number): Found {
    found.end = -1;
    found.pattern = undefined;
    let state: State | undefined = root;
    let index = start;
    while (index < text.length) {
      state = step(state, text.charCodeAt(index));
      if (state === undefined) break;
      index++;
      if (state.accepts !== undefined) {
        found.end = index;
        found.pattern = state.accepts;
      }
    }
    found.open = state !== undefined && state.items.length > 0;
    return found;
  }

  function test(text: string): boolean {
    for (let start = nextStart(text, 0); start < text.length; start = nextStart(text, start + 1)) {
      if (matchAt(text, start).end !== -1) return true;
    }
    return false;
  }

  return { test, nextStart, matchAt };
}
