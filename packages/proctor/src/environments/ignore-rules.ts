// The rules of a .dockerignore file: which paths of a build's directory do not exist for the build. The last rule that fits decides; a
// rule that fits a
// directory fits everything below it.

/** What a rule says about a path. `descend`: the directory is left out, but a later rule may take back something in it. */
export type IgnoreVerdict = "keep" | "skip" | "descend";

interface Rule {
  pattern: RegExp;
  wanted: boolean;
}

export function readIgnoreRules(text: string): (path: string) => IgnoreVerdict {
  const rules = text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .filter((line) => !line.startsWith("#"))
    .flatMap((line) => readRule(line.trim()));
  const exceptions = rules.some(({ wanted }) => wanted);
  return (path) => {
    const parts = path.split("/");
    const ways = parts.map((_, index) => parts.slice(0, index + 1).join("/"));
    const last = rules.findLast(({ pattern }) => ways.some((way) => pattern.test(way)));
    if (last === undefined || last.wanted) return "keep";
    return exceptions ? "descend" : "skip";
  };
}

function readRule(line: string): Rule[] {
  const wanted = line.startsWith("!");
  const clean = (wanted ? line.slice(1).trim() : line)
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/");
  if (clean === "") return [];
  try {
    return [{ pattern: new RegExp(`^${expression(clean)}$`, "su"), wanted }];
  } catch {
    // An invalid class matches nothing.
    return [];
  }
}

/** Returns the regular expression of a pattern: `**` for any directories, `*` and `?` within a name, classes, and escapes by backslash. */
function expression(pattern: string): string {
  return pattern.replace(/\*\*\/|\*\*|\*|\?|\[\^?[^\]]*\]|\\.|[.+^${}()|[\]\\]/gsu, (token) => {
    if (token === "**/") return "(?:.*/)?";
    if (token === "**") return ".*";
    if (token === "*") return "[^/]*";
    if (token === "?") return "[^/]";
    if (token.startsWith("[") && token.length > 1) return token.replaceAll("\\", "\\\\");
    return `\\${token.at(-1)}`;
  });
}
