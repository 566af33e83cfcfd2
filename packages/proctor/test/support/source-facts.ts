// What the sources say about themselves, for the test that holds the documents to them.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { createProgram } from "../../src/cli/program.ts";
import { all } from "./markdown.ts";

const source = fileURLToPath(new URL("../../src", import.meta.url));

/** Every command with its full name. */
export function commandTree(): { path: string; command: Command }[] {
  const stdout = { write: () => true };
  const io = {
    stdout,
    stderr: stdout,
    stdin: process.stdin,
    env: {},
    cwd: ".",
    signal: new AbortController().signal,
    interrupt: () => undefined,
  };
  const visit = (command: Command, path: string): { path: string; command: Command }[] => [
    { path, command },
    ...command.commands.flatMap((sub) => visit(sub, `${path} ${sub.name()}`)),
  ];
  return visit(
    createProgram(io, () => Promise.resolve()),
    "proctor",
  ).slice(1);
}

/** The keys of an interface in event.ts, each with the fields of its payload. */
export function payloadsIn(code: string, name: string): Map<string, string[]> {
  const [body = ""] = all(code, new RegExp(`interface ${name} \\{\\n([^]*?)\\n\\}`, "g"));
  const entries = body.replaceAll(/\/\*\*[^]*?\*\//g, "").split(/^ {2}(?=["a-z])/m);
  return new Map(
    entries.flatMap((entry) => {
      const [, type, rest = ""] = /^"?([a-z._]+)"?: ([^]*)/.exec(entry) ?? [];
      return type === undefined ? [] : [[type, all(rest, /\b([a-z_]+)\??:/g)] as const];
    }),
  );
}

export function sourceFiles(layer = "."): string[] {
  return readdirSync(join(source, layer), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !/\.(?:test|case)\.ts$/.test(file))
    .map((file) => join(source, layer, file));
}
