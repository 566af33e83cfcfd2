// Names that must be unique in a list of a file. Looks at raw values, so that these problems are reported together with all
// others. Suites, which have several files, have their own: format/relations.ts.
import { isJsonObject } from "../core/json.ts";
import type { Finding } from "../runtime/yaml/findings.ts";
import { quote } from "../core/printable.ts";

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
