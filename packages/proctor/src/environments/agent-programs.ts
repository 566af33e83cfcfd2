// The files that start an agent's program, as this machine finds them: the program itself, each file that its links lead to, and the
// interpreter that a script's first line names.
import { accessSync, closeSync, constants, openSync, readlinkSync, readSync, statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import type { AgentSpec } from "../core/agent.ts";

/** Number of links and interpreters that are followed; more than that can only be a circle. */
const MAX_HOPS = 16;
const FIRST_LINE_BYTES = 256;

/** Returns absolute paths in the order in which they are found; none where the program is not on this machine. */
export function agentPrograms({ command = [], cwd = process.cwd(), env = {} }: AgentSpec): string[] {
  const path = env["PATH"] ?? process.env["PATH"] ?? "";
  const found: string[] = [];
  const next = [findProgram(command[0] ?? "", path, cwd)];
  while (next.length > 0 && found.length < MAX_HOPS) {
    const file = next.shift();
    if (file === undefined || found.includes(file)) continue;
    found.push(file);
    const target = linkTarget(file);
    if (target === undefined) next.push(...interpreters(file).map((name) => findProgram(name, path, cwd)));
    else next.push(target);
  }
  return found;
}

function findProgram(name: string, path: string, cwd: string): string | undefined {
  if (name === "") return undefined;
  if (name.includes("/")) return isExecutable(resolve(cwd, name)) ? resolve(cwd, name) : undefined;
  const folders = path.split(delimiter).filter(isAbsolute);
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function linkTarget(file: string): string | undefined {
  try {
    return resolve(dirname(file), readlinkSync(file));
  } catch {
    return undefined;
  }
}

/** Returns the programs that the first line of a script names: `#!/usr/bin/env python3` names two. */
function interpreters(file: string): string[] {
  const line = firstLine(file);
  if (!line.startsWith("#!")) return [];
  const [program = "", ...words] = line.slice(2).trim().split(/\s+/);
  if (!/(?:^|\/)env$/.test(program)) return [program];
  const name = words.find((word) => !word.startsWith("-") && !word.includes("="));
  return name === undefined ? [program] : [program, name];
}

function firstLine(file: string): string {
  const buffer = Buffer.alloc(FIRST_LINE_BYTES);
  try {
    const handle = openSync(file, "r");
    try {
      const size = readSync(handle, buffer);
      return buffer.toString("latin1", 0, size).split("\n", 1)[0] ?? "";
    } finally {
      closeSync(handle);
    }
  } catch {
    return "";
  }
}
