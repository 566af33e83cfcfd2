// Where something stands in a TOML file. The parser does not say it, so the lines are looked at once more: headers, then keys. What
// is not found is placed at the nearest thing above it that is.
import type { Position } from "../runtime/yaml/problem.ts";

type Path = readonly (string | number | symbol)[];

const HEADER = /^\s*(\[\[?)\s*([^\]]+?)\s*\]\]?/;
const KEY = /^(\s*)((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=/;

export function locateToml(text: string): (path: Path) => Position {
  const places = new Map<string, Position>();
  const counts = new Map<string, number>();
  let section: string[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    const header = HEADER.exec(line);
    if (header) {
      section = withIndices(names(header[2] ?? ""), header[1] === "[[", counts);
      remember(section, { line: index + 1, col: 1 });
      continue;
    }
    const key = KEY.exec(line);
    if (key)
      remember([...section, ...names(key[2] ?? "")], { line: index + 1, col: (key[1] ?? "").length + 1 });
  }

  function remember(path: readonly string[], position: Position): void {
    for (let length = 1; length <= path.length; length += 1) {
      const name = nameOf(path.slice(0, length));
      if (!places.has(name)) places.set(name, position);
    }
  }

  return (path) => {
    for (let length = path.length; length > 0; length -= 1) {
      const found = places.get(nameOf(path.slice(0, length)));
      if (found) return found;
    }
    return { line: 1, col: 1 };
  };
}

/** Adds the indices of lists: `[[steps]]` begins the next entry, and `[steps.agent]` belongs to the last one. */
function withIndices(path: readonly string[], isList: boolean, counts: Map<string, number>): string[] {
  const placed: string[] = [];
  for (const [depth, name] of path.entries()) {
    placed.push(name);
    const list = nameOf(placed);
    if (isList && depth === path.length - 1) counts.set(list, (counts.get(list) ?? -1) + 1);
    const index = counts.get(list);
    if (index !== undefined) placed.push(String(index));
  }
  return placed;
}

function names(path: string): string[] {
  return path.split(/\s*\.\s*/).map((name) => name.replaceAll(/^["']|["']$/g, ""));
}

function nameOf(path: Path): string {
  return JSON.stringify(path.map(String));
}
