// .dockerignore: which paths of a context do not exist for a build. The last pattern that matches decides; ! takes a path back.

export type Ignores = (path: string) => boolean;

export function parseIgnore(text: string): Ignores {
  const rules = text
    .split(/\r?\n/u)
    .filter((line) => !line.startsWith("#"))
    .map((line) => line.trim())
    .filter((line) => line !== "" && line !== "!")
    .map((line) => ({ keep: line.startsWith("!"), pattern: toPattern(line.replace(/^!/u, "").trim()) }));
  return (path) => {
    let ignored = false;
    for (const { keep, pattern } of rules) if (pattern.test(path)) ignored = !keep;
    return ignored;
  };
}

/** A pattern matches a path, and everything below what it matches. */
function toPattern(line: string): RegExp {
  const parts = line.split("/").filter((part) => part !== "" && part !== ".");
  let source = "";
  parts.forEach((part, index) => {
    const last = index === parts.length - 1;
    if (part === "**") source += last ? ".*" : "(?:[^/]+/)*";
    else source += component(part) + (last ? "" : "/");
  });
  return new RegExp(`^${source}(?:/.*)?$`, "su");
}

/** One component of a path with `*`, `?` and `[...]`, as an expression. */
export function component(part: string): string {
  return part.replaceAll(
    /\\(.)|\*+|\?|\[(\^?)([^\]]+)\]|[.+^${}()|[\]\\]/gu,
    (whole, escaped?: string, not?: string, set?: string) => {
      if (escaped !== undefined) return escaped.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
      if (whole.startsWith("*")) return "[^/]*";
      if (whole === "?") return "[^/]";
      if (set !== undefined) return `[${not ?? ""}${set.replaceAll(/[\\\]]/gu, String.raw`\$&`)}]`;
      return `\\${whole}`;
    },
  );
}
