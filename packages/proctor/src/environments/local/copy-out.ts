// Copies out of a local environment: plain files and directories only, within limits, below an empty directory.
import { constants } from "node:fs";
import { lstat, mkdir, open, readdir } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { pipeline } from "node:stream/promises";
import { ProctorError } from "../../core/errors.ts";
import type { CopiedOut } from "../../core/ports/environments.ts";
import { typeOf, walk } from "./walk.ts";
import type { Entry } from "./walk.ts";

const MAX_FILES = 100_000;

/** `source`: a path of this machine that is known to be inside. */
export async function copyOut(
  source: string,
  target: string,
  { maxBytes, maxFiles = MAX_FILES }: { maxBytes: number; maxFiles?: number },
): Promise<CopiedOut> {
  if ((await readdir(target)).length > 0) throw new Error(`not an empty directory: ${target}`);
  const copied: CopiedOut = { files: 0, bytes: 0, leftOut: [] };
  const tooMuch = (what: string): ProctorError =>
    new ProctorError("PAYLOAD_TOO_LARGE", `not copied out: more than ${what}`);

  async function take({ path, type, stats }: Entry, name: string): Promise<void> {
    const place = join(target, name);
    if (type === "directory") {
      await mkdir(place, { recursive: true });
      return;
    }
    if (type !== "file") {
      copied.leftOut.push(`${name}: ${type === "link" ? "a link" : "neither a file nor a directory"}`);
      return;
    }
    if (++copied.files > maxFiles) throw tooMuch(`${maxFiles} files`);
    await mkdir(dirname(place), { recursive: true });
    // A file may grow while it is read, or be a link by now.
    const from = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
      () => undefined,
    );
    if (from === undefined) {
      copied.leftOut.push(`${name}: it cannot be read`);
      return;
    }
    const to = await open(place, "wx", Number(stats.mode & 0o777n)).catch(async (error: unknown) => {
      await from.close();
      throw error;
    });
    await pipeline(from.createReadStream(), counted, to.createWriteStream());
  }

  async function* counted(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      copied.bytes += chunk.length;
      if (copied.bytes > maxBytes) throw tooMuch(`${maxBytes} bytes`);
      yield chunk;
    }
  }

  const stats = await lstat(source, { bigint: true }).catch((error: unknown) => {
    throw new ProctorError("FILE_UNREADABLE", `there is no ${source} in the environment`, { cause: error });
  });
  const type = typeOf(stats);
  if (type !== "directory") await take({ path: source, type, stats }, basename(source));
  else for await (const entry of walk(source)) await take(entry, relative(source, entry.path));
  return copied;
}
