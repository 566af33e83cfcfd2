// The recorded call that is most like one that was not recorded, and how the two differ, in lines for people.
import { isJsonObject, type Json } from "../../core/json.ts";
import type { RecordedCall } from "./recording.ts";

interface NearestCall {
  input: Json;
  differences: string[];
}

const MAX_COMPARED = 200;
const MAX_LEAVES = 2000;
const MAX_LINES = 20;
const MAX_VALUE_CHARS = 200;

export function nearestCall(input: Json, recorded: readonly RecordedCall[]): NearestCall | undefined {
  const called = leavesOf(input);
  let best: NearestCall | undefined;
  for (const call of recorded.slice(0, MAX_COMPARED)) {
    const differences = compare(leavesOf(call.input), called);
    if (best === undefined || differences.length < best.differences.length) {
      best = { input: call.input, differences };
    }
  }
  if (best === undefined || best.differences.length <= MAX_LINES) return best;
  const more = best.differences.length - MAX_LINES;
  return { ...best, differences: [...best.differences.slice(0, MAX_LINES), `… and ${more} more`] };
}

function compare(recorded: ReadonlyMap<string, string>, called: ReadonlyMap<string, string>): string[] {
  const paths = new Set([...recorded.keys(), ...called.keys()]);
  return [...paths].flatMap((path) => {
    const before = recorded.get(path);
    const now = called.get(path);
    if (before === now) return [];
    if (before === undefined) return [`${path}: not recorded, called with ${shorten(now)}`];
    if (now === undefined) return [`${path}: recorded with ${shorten(before)}, missing in the call`];
    return [`${path}: recorded with ${shorten(before)}, called with ${shorten(now)}`];
  });
}

function shorten(json = ""): string {
  return json.length > MAX_VALUE_CHARS ? `${json.slice(0, MAX_VALUE_CHARS)}…` : json;
}

/** Returns the values that contain no others by their path. */
function leavesOf(root: Json): Map<string, string> {
  const leaves = new Map<string, string>();
  const waiting: [string, Json][] = [["$", root]];
  while (waiting.length > 0 && leaves.size < MAX_LEAVES) {
    const [path, value] = waiting.pop() ?? ["", null];
    const inner = entriesOf(path, value);
    if (inner.length === 0) leaves.set(path, JSON.stringify(value));
    else waiting.push(...inner.slice(0, MAX_LEAVES).toReversed());
  }
  return leaves;
}

function entriesOf(path: string, value: Json): [string, Json][] {
  if (Array.isArray(value)) return value.map((entry, index) => [`${path}[${index}]`, entry]);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, entry]): [string, Json][] =>
    entry === undefined
      ? []
      : [[/^[\w-]+$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`, entry]],
  );
}
