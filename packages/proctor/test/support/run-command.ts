// A command of the built program, carried out in this process: the same arguments, streams and exit code without the start of a program, which is most of what
// a short command costs. A test of signals, of what is left behind, or of the program's own start uses program.ts.
import { createRequire } from "node:module";
import type { CliIo, CliOutput } from "../../src/cli/cli-io.ts";
import type { Ended, ProgramOptions } from "./program.ts";

/** What the compiler made of main.ts. It is loaded by Node itself, as in the program. */
const BUILT = "../../dist/cli/main.js";

export async function runCommand(
  args: readonly string[],
  { folder, env, input = "" }: Pick<ProgramOptions, "folder" | "env" | "input">,
): Promise<Ended> {
  const { main } = createRequire(import.meta.url)(BUILT) as {
    main: (argv: readonly string[], io: CliIo) => Promise<number>;
  };
  const stdout = collector();
  const stderr = collector();
  const stop = new AbortController();
  const leave = enter(folder);
  try {
    const code = await main(args, {
      stdout,
      stderr,
      stdin: from(input),
      env: { PATH: process.env["PATH"], HOME: folder, NO_COLOR: "1", ...env },
      cwd: folder,
      signal: stop.signal,
      interrupt: () => stop.abort(),
    });
    return { code, signal: null, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    leave();
  }
}

const inside = { folder: "", commands: 0, before: "" };

/** A program is started in its folder, and shows paths as seen from there. */
function enter(folder: string): () => void {
  if (inside.commands > 0 && inside.folder !== folder)
    throw new Error(`a command is at work in ${inside.folder}: start the program for another folder`);
  if (inside.commands === 0) inside.before = process.cwd();
  inside.commands += 1;
  inside.folder = folder;
  process.chdir(folder);
  return () => {
    inside.commands -= 1;
    if (inside.commands === 0) process.chdir(inside.before);
  };
}

function collector(): CliOutput & { text(): string } {
  const pieces: Uint8Array[] = [];
  return {
    write: (content) => pieces.push(typeof content === "string" ? Buffer.from(content) : content) > 0,
    text: () => Buffer.concat(pieces).toString(),
  };
}

async function* from(text: string): AsyncGenerator<Uint8Array> {
  if (text !== "") yield Buffer.from(text);
}
