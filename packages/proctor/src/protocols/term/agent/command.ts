// How an agent's program is started: a command line as it is, or a file by its extension.
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { access, readFile, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { delimiter, extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { AgentSpec } from "../../../core/agent.ts";
import type { Failure } from "../../../core/failure.ts";
import { notStarted } from "../errors.ts";
import { compileRust } from "./compile-rust.ts";

export interface AgentCommand {
  command: readonly string[];
  /** Advice for when the program does not exist. */
  advice?: string;
}

export interface CommandOptions {
  /** True when the program runs in an environment: what is installed there is unknown here. */
  elsewhere: boolean;
  /** The `PATH` on which programs are looked for. */
  path: string | undefined;
  signal: AbortSignal;
}

const ADVICE = {
  python: "install Python 3 (on Debian: apt-get install python3)",
  node: "install Node.js 20.19 or newer",
  typescript: "use Node.js 22.18 or newer, or install tsx beside the agent (npm install tsx)",
} as const;

/** The first version of Node that runs TypeScript by itself. */
const NATIVE_TYPESCRIPT = [22, 18] as const;

export async function agentCommand(
  spec: AgentSpec,
  options: CommandOptions,
): Promise<AgentCommand | Failure> {
  const [program = "", ...args] = spec.command ?? [];
  const start = BY_EXTENSION[extname(program).toLowerCase()];
  if (start === undefined) return { command: await absolute(spec) };
  const file = resolve(spec.cwd ?? ".", program);
  const problem = await fileProblem(file);
  if (problem !== undefined) return notStarted(`${program}: ${problem}`, "not-found");
  return start(file, args, options);
}

type Start = (
  file: string,
  args: readonly string[],
  options: CommandOptions,
) => Promise<AgentCommand | Failure>;

const BY_EXTENSION: Record<string, Start> = {
  ".py": async (file, args, options) => {
    const missing = await missingProgram("python3", options);
    if (missing) return notStarted(`${missing}\n${ADVICE.python}`, "not-found");
    return { command: ["python3", "-u", file, ...args], advice: ADVICE.python };
  },
  ".js": startNode,
  ".mjs": startNode,
  ".ts": startTypeScript,
  ".rs": async (file, args, { elsewhere, signal }) => {
    if (elsewhere) {
      const next = "compile it and give the program";
      return notStarted(
        `${file} would be compiled on this machine, and its agent lives in an environment\n${next}`,
        "other",
      );
    }
    const source = await readFile(file);
    const key = createHash("sha256").update(source).digest("hex");
    const built = await compileRust({ file, source: source.toString("utf8"), key }, signal);
    return typeof built === "string" ? { command: [built, ...args] } : built;
  },
};

/** Returns the hub's own Node; in an environment, the one that is installed there. */
function nodeOf({ elsewhere }: CommandOptions): string {
  return elsewhere ? "node" : process.execPath;
}

function startNode(file: string, args: readonly string[], options: CommandOptions): Promise<AgentCommand> {
  return Promise.resolve({ command: [nodeOf(options), file, ...args], advice: ADVICE.node });
}

async function startTypeScript(
  file: string,
  args: readonly string[],
  options: CommandOptions,
): Promise<AgentCommand | Failure> {
  const tsx = findTsx(options.elsewhere ? [file] : [file, import.meta.url]);
  if (tsx !== undefined) {
    return { command: [nodeOf(options), "--import", tsx, file, ...args], advice: ADVICE.typescript };
  }
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [needMajor, needMinor] = NATIVE_TYPESCRIPT;
  const native = major > needMajor || (major === needMajor && minor >= needMinor);
  if (native || options.elsewhere) return startNode(file, args, options);
  return notStarted(`Node.js ${process.versions.node} runs no TypeScript\n${ADVICE.typescript}`, "not-found");
}

/** Looks for tsx next to the agent, or next to us where the agent can see it. */
function findTsx(places: readonly string[]): string | undefined {
  for (const from of places) {
    try {
      return pathToFileURL(createRequire(from).resolve("tsx")).href;
    } catch {
      // Not there.
    }
  }
  return undefined;
}

/** Resolves a file that the address names relative to its folder, whatever PATH says. */
async function absolute({ command = [], cwd }: AgentSpec): Promise<readonly string[]> {
  const [program = "", ...args] = command;
  if (program === "" || program.includes("/") || cwd === undefined) return command;
  const file = resolve(cwd, program);
  return (await isProgram(file)) ? [file, ...args] : command;
}

async function fileProblem(file: string): Promise<string | undefined> {
  try {
    const found = await stat(file);
    return found.isFile() ? undefined : "this is not a file";
  } catch {
    return "there is no such file";
  }
}

async function missingProgram(
  name: string,
  { elsewhere, path = "" }: CommandOptions,
): Promise<string | undefined> {
  if (elsewhere) return undefined;
  for (const folder of path.split(delimiter)) {
    if (folder !== "" && (await isProgram(join(folder, name)))) return undefined;
  }
  return `${name} was not found`;
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
