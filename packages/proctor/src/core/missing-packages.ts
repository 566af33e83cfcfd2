// How the stand-ins for apt, pip, uv and npm say that a package cannot be had, and how the verifier reads it. There is one wording: two
// would drift apart, and then a package that the tests lack would count against the agent.

/** Follows the name of the package; the tool that was asked for it follows in parentheses. */
export const MISSING_WORDS = "is not on this machine, and there is no way to get it here";
/** Names a file to which each such line is appended, so that redirections and long outputs lose none. */
export const MISSING_FILE_VARIABLE = "PROCTOR_MISSING_FILE";

export interface MissingPackage {
  name: string;
  /** The tool that was asked for the package: `apt`, `pip`, `uv` or `npm`. */
  kind: string;
}

const LINE = new RegExp(`proctor: ([^\\n"\\\\]{1,300}?) ${MISSING_WORDS} \\((\\w+)\\)`, "g");

export function findMissing(text: string): MissingPackage[] {
  const found = new Map<string, MissingPackage>();
  for (const [line, name = "", kind = ""] of text.matchAll(LINE)) found.set(line, { name, kind });
  return [...found.values()];
}

const INSTALL: Readonly<Record<string, string>> = {
  apt: "apt-get install",
  pip: "pip install",
  uv: "pip install",
  npm: "npm install -g",
};

/** Returns a sentence about what `who` needs, and what to do next. */
export function tellMissing(who: string, missing: readonly MissingPackage[]): string {
  const names = missing.map(({ name, kind }) => `${name} (${kind})`).join(", ");
  const kinds = [...new Set(missing.map(({ kind }) => kind))];
  const commands = kinds.map((kind) => {
    const packages = missing.filter((one) => one.kind === kind).map(({ name }) => name.replace(/ \(.*$/, ""));
    return `${INSTALL[kind] ?? kind} ${packages.join(" ")}`;
  });
  return `${who} ${names}, which this machine does not have: run with --network host, or install here: ${commands.join("; ")}`;
}
