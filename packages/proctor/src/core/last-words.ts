// What a program said before its run failed, as lines for people, and what to try where its words suggest it. Every place
// that shows a failure shows these lines. The lines are as the agent wrote them: whoever prints them makes them safe.
import type { Failure } from "./failure.ts";

const MAX_LINES = 10;
const ENVIRONMENT = "agents do not inherit your shell's environment:";
const MISSING_MODULE =
  /ModuleNotFoundError|ImportError: No module|ERR_MODULE_NOT_FOUND|Cannot find (?:module|package)/;
/** Patterns of messages about a missing variable, with its name where the program gives it. */
const MISSING_VARIABLE = [
  /KeyError: ["']([A-Z][A-Z0-9_]{2,})["']/,
  /(?:environment variable|env var)s? ["'`]?([A-Z][A-Z0-9_]{2,})/i,
  /\b([A-Z][A-Z0-9_]*_(?:API_KEY|KEY|TOKEN|URL|SECRET))\b/,
];

/** Returns the beginning of stdout and the end of stderr, which usually show what is wrong. Empty when neither is known. */
export function lastWords({ details = {} }: Failure): string[] {
  const stderr = linesOf(details["stderr"]);
  const stdout = linesOf(details["stdout"]);
  const hint = hintFor(stderr.join("\n"));
  return [
    ...quoted("it printed", stdout.slice(0, MAX_LINES)),
    ...quoted("stderr", stderr.slice(-MAX_LINES)),
    ...(hint === undefined ? [] : [hint]),
  ];
}

function linesOf(said: unknown): string[] {
  return typeof said === "string" && said.trim() !== "" ? said.trimEnd().split(/\r?\n/) : [];
}

function quoted(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${line}`)];
}

function hintFor(said: string): string | undefined {
  if (MISSING_MODULE.test(said)) {
    const name = /ModuleNotFoundError|ImportError/.test(said) ? "PYTHONPATH" : "NODE_PATH";
    return `${ENVIRONMENT} if the module is found through ${name}, pass it on with --env ${name}, or with env in the suite`;
  }
  for (const pattern of MISSING_VARIABLE) {
    const name = pattern.exec(said)?.[1];
    if (name !== undefined)
      return `${ENVIRONMENT} pass the variable on with --env ${name}, or with env in the suite`;
  }
  return undefined;
}
