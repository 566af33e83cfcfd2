// A Dockerfile as a list of instructions. dockerfile-ast finds where each begins and ends; what its words mean is decided later.
import { problem, type Place } from "./problem.ts";

export interface Instruction extends Place {
  /** Keyword of the instruction in capitals. */
  keyword: string;
  /** Flags in front of the text, such as `--from=build`. */
  flags: Flag[];
  /** The text after keyword and flags: continued lines joined, comments and here-documents removed. */
  text: string;
  /** Words of the exec form; absent where the instruction is not a list of strings. */
  list?: string[];
  heredocs: Heredoc[];
  /** The lines as they stand in the file, without keyword and flags, for a shell that reads here-documents itself. */
  raw: string;
  /** All lines of the instruction in the file. */
  lines: string[];
}

interface Flag {
  name: string;
  value: string;
}

export interface Heredoc {
  name: string;
  content: string;
  /** True when variables are replaced, because the name was not quoted. */
  expand: boolean;
}

export interface ParsedDockerfile {
  instructions: Instruction[];
  escape: string;
}

const MAX_CHARACTERS = 1_000_000;
const KEYWORDS = new Set(
  "ADD ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL MAINTAINER ONBUILD RUN SHELL STOPSIGNAL USER VOLUME WORKDIR".split(
    " ",
  ),
);
const READS_HEREDOCS = new Set(["RUN", "COPY", "ADD"]);

/** Parses the text of a Dockerfile; `file` is its name in errors. */
export async function parseDockerfile(source: string, file: string): Promise<ParsedDockerfile> {
  const text = source.replace(/^\uFEFF/u, "").replaceAll("\r\n", "\n");
  if (text.length > MAX_CHARACTERS) throw problem({ file, line: 1 }, "it is longer than 1 MB", "shorten it");
  const { DockerfileParser } = await import("dockerfile-ast");
  const parsed = DockerfileParser.parse(text);
  const escape = parsed.getEscapeCharacter();
  const lines = text.split("\n");
  const instructions = parsed.getInstructions().map((found) => {
    const { start, end } = found.getRange();
    const place = { file, line: start.line + 1 };
    const keyword = found.getKeyword();
    if (!KEYWORDS.has(keyword)) {
      throw problem(
        place,
        `there is no instruction ${keyword.slice(0, 40)}`,
        "correct it, or continue the line before with \\",
      );
    }
    const own = lines.slice(start.line, end.line + 1);
    const body = own.join("\n").trimStart().slice(keyword.length);
    return readInstruction(place, keyword, body, own, escape);
  });
  if (instructions.length === 0)
    throw problem({ file, line: 1 }, "it has no instruction", "begin it with FROM");
  return { instructions, escape };
}

function readInstruction(
  place: Place,
  keyword: string,
  body: string,
  lines: string[],
  escape: string,
): Instruction {
  const all = body.split("\n");
  const joined = joinLines(all, escape);
  const { flags, rest: text } = takeFlags(joined.text);
  const heredocs = READS_HEREDOCS.has(keyword) ? readHeredocs(place, text, all.slice(joined.used)) : [];
  const raw = [text, ...all.slice(joined.used)].join("\n");
  const list = heredocs.length === 0 ? readList(text) : undefined;
  return { ...place, keyword, flags, text, heredocs, raw, lines, ...(list && { list }) };
}

/** Returns one logical line. A line that ends with the escape character goes on; comments and empty lines between are left out. */
function joinLines(lines: readonly string[], escape: string): { text: string; used: number } {
  let text = "";
  let used = 0;
  for (const line of lines) {
    used += 1;
    if (used > 1 && (line.trim() === "" || line.trimStart().startsWith("#"))) continue;
    const end = line.trimEnd();
    if (!end.endsWith(escape)) return { text: (text + line).trim(), used };
    text += end.slice(0, -1);
  }
  return { text: text.trim(), used };
}

function takeFlags(text: string): { flags: Flag[]; rest: string } {
  const flags: Flag[] = [];
  let rest = text;
  for (;;) {
    const found = /^--([a-z-]+)(?:=("[^"]*"|\S*))?(?:\s+|$)/u.exec(rest);
    if (!found) return { flags, rest };
    flags.push({ name: found[1] ?? "", value: (found[2] ?? "").replaceAll('"', "") });
    rest = rest.slice(found[0].length);
  }
}

function readHeredocs(place: Place, command: string, lines: readonly string[]): Heredoc[] {
  const heredocs: Heredoc[] = [];
  let at = 0;
  for (const found of command.matchAll(
    /(?<!<)<<(?<dash>-?)(?<quote>['"]?)(?<name>[A-Za-z_]\w*)\k<quote>(?![\w'"])/gu,
  )) {
    const { dash = "", quote = "", name = "" } = found.groups ?? {};
    const strip = (line: string): string => (dash === "-" ? line.replace(/^\t+/u, "") : line);
    const from = at;
    while (at < lines.length && strip(lines[at] ?? "") !== name) at += 1;
    if (at >= lines.length) {
      // This is a here-document of the shell inside of quotes, or an unclosed one; without lines there is nothing to read.
      if (lines.length === 0) return [];
      throw problem(
        place,
        `the here-document ${name} is never closed`,
        `end it with a line that says ${name} and nothing else`,
      );
    }
    const content = lines
      .slice(from, at)
      .map((line) => `${strip(line)}\n`)
      .join("");
    heredocs.push({ name, content, expand: quote === "" });
    at += 1;
  }
  return heredocs;
}

function readList(text: string): string[] | undefined {
  if (!text.startsWith("[")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && value.every((item) => typeof item === "string") ? value : undefined;
  } catch {
    // As in Docker, what is not a list is a command.
    return undefined;
  }
}
