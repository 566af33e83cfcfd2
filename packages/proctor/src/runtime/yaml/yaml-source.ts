// A parsed YAML text that still knows where everything stands. Only plain data comes out: what YAML allows beyond JSON
// (odd keys, tags, unsafe numbers, endless nesting) is a problem here, so that no caller has to think of it.
import { LineCounter, parseDocument } from "yaml";
import type { Document } from "yaml";
import type { Position, Problem } from "./problem.ts";
import type { Variables } from "./variables.ts";
import { inspectYaml, TOO_DEEP } from "./yaml-inspect.ts";
import { locate } from "./yaml-locate.ts";
import type { AliasTargets, Path } from "./yaml-locate.ts";
import { syntaxProblems } from "./yaml-syntax.ts";

export interface YamlSource {
  file: string;
  /** Value of the document; undefined when the text holds nothing. */
  value: unknown;
  problems: Problem[];
  /** Returns the position of the value at the path, or of the nearest thing around it that exists. */
  valueAt(path: Path): Position;
  /** Returns the position of the last key of the path. */
  keyAt(path: Path): Position;
}

const MAX_ALIAS_COUNT = 100;

/** Parses a text. Without variables (null), `${NAME}` is not replaced: variables in data are not expanded. */
export function parseYaml(file: string, text: string, variables: Variables | null = {}): YamlSource {
  const lines = new LineCounter();
  const problems: Problem[] = [];
  const report = (offset: number, message: string, hint?: string): void => {
    const { line, col } = lines.linePos(offset);
    const place = { file, line: Math.max(line, 1), col: Math.max(col, 1) };
    problems.push(hint === undefined ? { ...place, message } : { ...place, message, hint });
  };
  const empty: YamlSource = { file, value: undefined, problems, valueAt: () => START, keyAt: () => START };

  let document: Document.Parsed;
  try {
    // Duplicate keys are found below in linear time; the parser compares every key with every other.
    document = parseDocument(text, {
      lineCounter: lines,
      prettyErrors: false,
      uniqueKeys: false,
      schema: "core",
      merge: true,
      resolveKnownTags: false,
      logLevel: "error",
    });
  } catch (error) {
    report(0, error instanceof RangeError ? TOO_DEEP : `cannot be read as YAML: ${String(error)}`);
    return empty;
  }
  for (const { offset, message, hint } of syntaxProblems([...document.errors, ...document.warnings], text)) {
    report(offset, message, hint);
  }
  // After a syntax error the parser only guesses, and problems found in guesses confuse.
  if (problems.length > 0) return empty;

  const targets: AliasTargets = new Map();
  let ruined = false;
  const ruin = (offset: number, message: string): void => {
    ruined = true;
    report(offset, message);
  };
  inspectYaml(document.contents, {
    text,
    ...(variables && { variables }),
    report,
    ruin,
    anchors: new Map(),
    open: new Set(),
    targets,
  });
  if (ruined) return empty;

  try {
    const value: unknown =
      document.contents === null ? null : document.toJS({ maxAliasCount: MAX_ALIAS_COUNT });
    const place = (path: Path, part: "key" | "value"): Position =>
      lines.linePos(locate(document.contents, path, part, targets));
    return {
      file,
      value: value ?? undefined,
      problems,
      valueAt: (path) => place(path, "value"),
      keyAt: (path) => place(path, "key"),
    };
  } catch (error) {
    // Aliases of aliases can multiply.
    report(0, `the aliases in this file cannot be resolved: ${error instanceof Error ? error.message : "?"}`);
    return empty;
  }
}

const START: Position = { line: 1, col: 1 };
