// Runs a script as a program in an environment: input on stdin and in a file, output on stdout, log on stderr.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Json } from "../../core/json.ts";
import type { Environment, EnvironmentResult } from "../../core/ports/environments.ts";
import type { ScriptFailure, ScriptLanguage, ScriptLimits, ScriptTool } from "../../core/script-tool.ts";
import { shorten } from "../../core/shorten.ts";
import { lastJson } from "./last-json.ts";

export interface PlaceRequest {
  tool: Pick<ScriptTool, "environment" | "image" | "limits">;
  /** The program and its arguments. */
  command: readonly string[];
  /** Directory of this machine with the script and its input, which becomes the working directory. */
  folder: string;
  signal: AbortSignal;
}

/** Opens a place for a program, which the caller has to destroy. Throws ENVIRONMENT_UNAVAILABLE. */
export type OpenProgramPlace = (
  request: PlaceRequest,
) => Promise<Pick<Environment, "run" | "destroy" | "facts">>;

export type ProgramAnswer = { log: string[] } & (
  | { ok: true; output: Json }
  | { ok: false; code: ScriptFailure; message: string }
);

type ProgramLanguage = Exclude<ScriptLanguage, "javascript">;

/** Name of the script's file by language, and the command that starts it. An image brings programs of its own. */
const PROGRAMS: Record<ProgramLanguage, { file: string; start: (inImage: boolean) => string }> = {
  node: { file: "main.mjs", start: (inImage) => (inImage ? "node" : process.execPath) },
  python: { file: "main.py", start: () => "python3" },
  shell: { file: "main.sh", start: () => "sh" },
};
const INPUT_FILE = "input.json";
const MAX_LOG_LINES = 1000;
const MAX_LINE_CHARS = 2000;
const MAX_MESSAGE_CHARS = 2000;
/** Exit code of a program that was killed: 128 + SIGKILL. */
const KILLED = 137;

interface ProgramOptions {
  limits: Required<ScriptLimits>;
  openPlace: OpenProgramPlace;
  /** Directory of this machine in which the files of the program are prepared. */
  scratch: string;
  signal: AbortSignal;
}

/** Never rejects for anything the program does. Throws ENVIRONMENT_UNAVAILABLE, and the signal's reason. */
export async function runProgram(
  tool: ScriptTool & { language: ProgramLanguage },
  input: Json,
  { limits, openPlace, scratch, signal }: ProgramOptions,
): Promise<ProgramAnswer> {
  const { file, start } = PROGRAMS[tool.language];
  const command = [start(tool.image !== undefined), file];
  const text = JSON.stringify(input);
  const folder = await mkdtemp(join(scratch, "call-"));
  try {
    await writeFile(join(folder, file), tool.source);
    await writeFile(join(folder, INPUT_FILE), text);
    const place = await openPlace({ tool, command, folder, signal });
    try {
      const result = await place.run({
        command,
        input: text,
        timeoutMs: limits.time_ms,
        maxOutputBytes: limits.output_bytes,
        signal,
      });
      return answerOf(result, limits, place.facts.enforced.includes("memory_mb"));
    } finally {
      await place.destroy();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function answerOf(
  { code, stdout, stderr, truncated, timedOut }: EnvironmentResult,
  limits: Required<ScriptLimits>,
  memoryLimited: boolean,
): ProgramAnswer {
  const log = linesOf(stderr);
  const fail = (failure: ScriptFailure, message: string): ProgramAnswer => ({
    ok: false,
    code: failure,
    message,
    log,
  });
  if (timedOut) return fail("TOO_SLOW", "");
  if (code === KILLED && memoryLimited) return fail("TOO_MUCH_MEMORY", "it was killed");
  if (code !== 0) {
    const last = shorten(log.at(-1) ?? "", MAX_MESSAGE_CHARS);
    return fail("SCRIPT_FAILED", `it ended with exit code ${code}${last === "" ? "" : `: ${last}`}`);
  }
  if (truncated && Buffer.byteLength(stdout) >= limits.output_bytes) return fail("TOO_MUCH_OUTPUT", "");
  // The output of a program that prints nothing is null.
  const output = stdout.trim() === "" ? null : lastJson(stdout);
  if (output !== undefined) return { ok: true, output, log };
  return fail("INVALID_OUTPUT", "what it printed ends with no JSON document; write messages to stderr");
}

function linesOf(text: string): string[] {
  const lines = text.trimEnd().split("\n");
  const kept = lines.slice(-MAX_LOG_LINES).map((line) => shorten(line, MAX_LINE_CHARS));
  return text.trim() === "" ? [] : kept;
}
