// What binds distant places of a file together: names that must be unique, and names that must exist. Looks at raw
// values, so that these problems are reported together with all others.
import { suggest } from "../core/suggest.ts";
import { isJsonObject } from "../core/json.ts";
import type { Finding } from "./findings.ts";
import { quote } from "./printable.ts";

/** The second entry of a list with the same name. */
export function findDuplicates(root: unknown, list: string, key: string, noun: string): Finding[] {
  const seen = new Map<string, number>();
  const findings: Finding[] = [];
  for (const [index, name] of namesIn(root, list, key)) {
    const first = seen.get(name);
    if (first === undefined) seen.set(name, index);
    else {
      const message = `${noun} ${quote(name)} is here twice`;
      const hint = `entry ${first + 1} of "${list}" has the same ${key}`;
      findings.push({ path: [list, index, key], at: "value", message, hint });
    }
  }
  return findings;
}

/** Tests may only name agents that the suite declares. */
export function findUnknownAgents(root: unknown): Finding[] {
  const declared = namesIn(root, "agents", "name").map(([, name]) => name);
  const known = new Set(declared);
  return entriesOf(root, "tests").flatMap((test, index) => {
    const seen = new Set<string>();
    return entriesOf(test, "agents").flatMap((name, position): Finding[] => {
      const path = ["tests", index, "agents", position];
      if (typeof name !== "string") return [];
      if (seen.has(name)) return [{ path, at: "value", message: `agent ${quote(name)} is named twice` }];
      seen.add(name);
      if (known.has(name)) return [];
      const similar = suggest(name, declared);
      const hint = similar === undefined ? `declare it under "agents"` : `did you mean ${quote(similar)}?`;
      return [{ path, at: "value", message: `unknown agent ${quote(name)}`, hint }];
    });
  });
}

function namesIn(root: unknown, list: string, key: string): [number, string][] {
  return entriesOf(root, list).flatMap((entry, index): [number, string][] => {
    const name = isJsonObject(entry) ? entry[key] : undefined;
    return typeof name === "string" ? [[index, name]] : [];
  });
}

function entriesOf(root: unknown, list: string): unknown[] {
  const entries = isJsonObject(root) ? root[list] : undefined;
  return Array.isArray(entries) ? entries : [];
}
