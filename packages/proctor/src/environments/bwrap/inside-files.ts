// Copies in and out of an environment by a tar that runs in it: its paths mean what they mean inside, and none is ever resolved on this
// machine. What comes out is trusted in nothing.
import { lstat, readdir } from "node:fs/promises";
import { posix } from "node:path";
import { pipeline } from "node:stream/promises";
import { ProctorError } from "../../core/errors.ts";
import type { CopiedOut, Environment, EnvironmentProcess } from "../../core/ports/environments.ts";
import { packTree } from "../archive/pack-tree.ts";
import { unpackOut } from "../archive/unpack-out.ts";
import { firstWords } from "../../runtime/processes/first-words.ts";

const UNPACK = 'mkdir -p -- "$1" && exec tar -x -p --no-same-owner -f - -C "$1"';
const PACK = `
if [ -d "$1" ] && [ ! -L "$1" ]; then exec tar -c -f - -C "$1" .; fi
[ -e "$1" ] || [ -L "$1" ] || exit 44
cd -- "\${1%/*}/" && exec tar -c -f - -- "\${1##*/}"`;
const MISSING = 44;
/** Milliseconds of silence after which a tar counts as stuck. */
const SILENT_MS = 60_000;

export type InsideFiles = Pick<Environment, "copyIn" | "copyOut">;

/** Copies files in and out; `start` runs a program as root, with everything writable. */
export function insideFiles(start: (command: readonly string[]) => EnvironmentProcess): InsideFiles {
  return {
    async copyIn(source, target) {
      const stat = await lstat(source).catch((cause: unknown) => {
        throw new ProctorError("FILE_UNREADABLE", `nothing to copy: ${source}`, { cause });
      });
      const to = posix.resolve("/", target);
      const [base, name] = stat.isDirectory() ? [to, ""] : [posix.dirname(to), posix.basename(to)];
      await feed(
        start(["/bin/sh", "-c", UNPACK, "sh", base]),
        await packTree(source, { name }),
        `nothing could be copied to ${to}`,
      );
    },
    async copyOut(source, target, limits): Promise<CopiedOut> {
      if ((await readdir(target)).length > 0) throw new Error(`not an empty directory: ${target}`);
      const path = posix.resolve("/", source);
      const program = start(["/bin/sh", "-c", PACK, "sh", path]);
      program.stdin.end();
      const said = firstWords(program.stderr);
      try {
        const copied = await unpackOut(untilSilent(program), target, { ...limits, strip: false });
        const { code } = await program.exited;
        if (code === MISSING)
          throw new ProctorError("FILE_UNREADABLE", `there is no ${path} in the environment`);
        // Exit code 1 means that a file changed while it was read.
        if (code > 1)
          throw new ProctorError("ENVIRONMENT_UNAVAILABLE", `${path} could not be copied out: ${await said}`);
        return copied;
      } finally {
        program.signal("SIGKILL");
      }
    },
  };
}

/** Gives a program its input and expects it to succeed. */
export async function feed(
  program: EnvironmentProcess,
  input: AsyncIterable<unknown>,
  failure: string,
): Promise<void> {
  program.stdout.resume();
  const said = firstWords(program.stderr);
  // A program that ends early is reported by its exit code; a failure of the input ends the program.
  const broken = await pipeline(input, program.stdin).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (broken !== undefined && !isPipeError(broken)) {
    program.signal("SIGKILL");
    await program.exited;
    throw broken;
  }
  const { code } = await program.exited;
  if (code !== 0)
    throw new ProctorError("ENVIRONMENT_UNAVAILABLE", `${failure}: ${(await said) || `exit code ${code}`}`);
}

function isPipeError(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    ["ERR_STREAM_PREMATURE_CLOSE", "EPIPE"].includes(String(error.code))
  );
}

async function* untilSilent(program: EnvironmentProcess): AsyncGenerator {
  const timer = setTimeout(() => program.signal("SIGKILL"), SILENT_MS);
  try {
    for await (const piece of program.stdout) {
      timer.refresh();
      yield piece;
    }
  } finally {
    clearTimeout(timer);
  }
}
