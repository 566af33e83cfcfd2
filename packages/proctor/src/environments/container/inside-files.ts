// Copies in and out of a container that cannot be written but for its memory file system and its mounts: an engine refuses to copy there,
// so the image's own tar does it. Its word is trusted as little as the engine's.
import { posix } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ProctorError } from "../../core/errors.ts";
import type { CopiedOut, Environment, EnvironmentProcess } from "../../core/ports/environments.ts";
import { absolute, isDirectory, missingInside, type Files } from "./engine-files.ts";
import { packTree } from "../archive/pack-tree.ts";
import { unpackOut } from "../archive/unpack-out.ts";
import { firstWords } from "../../runtime/processes/first-words.ts";

/** Checks the target before anything is sent, because an engine may lose the message of a program that leaves its input unread. */
const MAKE = 'mkdir -p -- "$1" && [ -w "$1" ] || { echo "$1 cannot be written" >&2; exit 1; }';
const UNPACK = 'exec tar -xof - -C "$1"';
const PACK = `
if [ -d "$1/$2" ] && [ ! -L "$1/$2" ]; then exec tar -cf - -C "$1/$2" .; fi
[ -e "$1/$2" ] || [ -L "$1/$2" ] || exit 44
exec tar -cf - -C "$1" -- "$2"`;
const MISSING = 44;

export function insideFiles(start: Environment["start"]): Files {
  const run = (script: string, ...args: string[]): EnvironmentProcess =>
    start({ command: ["/bin/sh", "-c", script, "sh", ...args], cwd: "/", user: "0" });

  return {
    async copyIn(source, target) {
      const directory = await isDirectory(source);
      const to = absolute(target);
      const name = directory ? "" : posix.basename(to);
      const base = directory ? to : posix.dirname(to);
      const made = run(MAKE, base);
      made.stdin.end();
      made.stdout.resume();
      await expectSuccess(made, base, firstWords(made.stderr));
      const program = run(UNPACK, base);
      program.stdout.resume();
      const said = firstWords(program.stderr);
      const stream = await packTree(source, { name });
      // A program that ends early is reported by its exit code.
      await pipeline(stream, program.stdin).catch((error: unknown) => {
        if (!(error instanceof Error && "code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE"))
          throw error;
      });
      await expectSuccess(program, base, said);
    },
    async copyOut(source, target, limits): Promise<CopiedOut> {
      const path = absolute(source);
      const program = run(PACK, posix.dirname(path), posix.basename(path));
      program.stdin.end();
      const said = firstWords(program.stderr);
      const stream = Readable.from(program.stdout);
      try {
        const copied = await unpackOut(stream, target, { ...limits, strip: false });
        const { code } = await program.exited;
        if (code === MISSING) throw missingInside(path);
        if (code !== 0)
          throw new ProctorError("ENVIRONMENT_UNAVAILABLE", `${path} could not be copied out: ${await said}`);
        return copied;
      } finally {
        stream.destroy();
        program.signal("SIGKILL");
      }
    },
  };
}

async function expectSuccess(
  { exited }: EnvironmentProcess,
  base: string,
  said: Promise<string>,
): Promise<void> {
  const { code } = await exited;
  if (code !== 0)
    throw new ProctorError("ENVIRONMENT_UNAVAILABLE", `nothing could be copied to ${base}: ${await said}`);
}
