// The messages of the YAML parser, in words for readers who do not know its grammar.
import type { YAMLError } from "yaml";
import { QUOTE_TEMPLATE } from "./yaml-inspect.ts";

interface SyntaxProblem {
  offset: number;
  message: string;
  hint?: string;
}

type Said = [message: string, hint?: string];

const COLUMNS = "entries of one mapping or list begin in the same column";
const QUOTES = "put the whole value in quotes";

/** After an error the parser guesses, so what it says about the next line is left out. */
export function syntaxProblems(errors: readonly YAMLError[], text: string): SyntaxProblem[] {
  const problems: SyntaxProblem[] = [];
  let guessedTo = -1;
  for (const error of errors) {
    const [offset] = error.pos;
    if (offset <= guessedTo) continue;
    const [message, hint] = explain(error, errors);
    const said = hint ?? (isTemplateLine(text, offset) ? QUOTE_TEMPLATE : undefined);
    problems.push({ offset, message, ...(said !== undefined && { hint: said }) });
    guessedTo = endOfLine(text, endOfLine(text, offset) + 1);
  }
  return problems;
}

function explain({ code, message, pos }: YAMLError, all: readonly YAMLError[]): Said {
  switch (code) {
    case "TAB_AS_INDENT":
      return ["a tab is used for indentation", "indent with spaces"];
    case "MULTIPLE_DOCS":
      return ["a second document starts here", "one file holds one document; remove the line ---"];
    case "TAG_RESOLVE_FAILED":
      return [message, "tags are not supported; write plain text, numbers, lists and mappings"];
    case "BAD_INDENT":
      return message.startsWith("All ") ? ["the indentation is wrong here", COLUMNS] : [message];
    case "BLOCK_AS_IMPLICIT_KEY": {
      if (message.includes("sequence")) return ["the indentation is wrong here", COLUMNS];
      const next = all.some((other) => other.code === "MULTILINE_IMPLICIT_KEY" && other.pos[0] === pos[0]);
      if (next) return ["the line below this one is indented too far", COLUMNS];
      return [`this value holds ": ", which begins a mapping`, QUOTES];
    }
    case "BAD_SCALAR_START":
      return [message, QUOTES];
    case "BAD_DQ_ESCAPE":
      return [message, String.raw`in double quotes write \\ for a backslash, or use single quotes`];
    default:
      return message.includes("without - indicator") ? ["the indentation is wrong here", COLUMNS] : [message];
  }
}

/** Returns whether the line at the offset has a value that begins with `{{`. */
function isTemplateLine(text: string, offset: number): boolean {
  const from = text.lastIndexOf("\n", offset - 1) + 1;
  return /[:\-[,]\s*\{\{/.test(text.slice(from, endOfLine(text, offset)));
}

function endOfLine(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end < 0 ? text.length : end;
}
