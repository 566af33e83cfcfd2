// Writes a tar stream that came out of an environment below an empty directory of this machine. Nothing in the stream is
// trusted: no link is made, no name leaves the directory, no file is written twice, no limit is exceeded.
import { copyFile, lstat, mkdir, open, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { ProctorError } from "../../core/errors.ts";
import type { CopiedOut } from "../../core/ports/environments.ts";
import { readArchive, type ArchiveMember } from "../../runtime/archive/read-archive.ts";

interface UnpackOptions {
  maxBytes: number;
  maxFiles?: number;
  /** True when the first part of each name is the directory itself, which is left out here. */
  strip: boolean;
}

const MAX_FILES = 100_000;
/** Number of reasons that are listed one by one; the rest is counted. */
const LISTED = 1000;

export async function unpackOut(
  stream: AsyncIterable<unknown>,
  target: string,
  options: UnpackOptions,
): Promise<CopiedOut> {
  const { maxBytes, maxFiles = MAX_FILES, strip } = options;
  const written = new Set<string>();
  const copied: CopiedOut = { files: 0, bytes: 0, leftOut: [] };
  let unlisted = 0;
  let entries = 0;

  function leaveOut(name: string, reason: string): void {
    if (copied.leftOut.length < LISTED) copied.leftOut.push(`${printable(name)}: ${reason}`);
    else unlisted++;
  }

  /** Returns the path for a name; undefined for one that may not be used. */
  function place(name: string): string | undefined {
    const parts = name.split("/").filter((part) => part !== "" && part !== ".");
    if (name.startsWith("/") || name.includes("\0") || parts.includes("..")) return undefined;
    return parts.slice(strip ? 1 : 0).join("/");
  }

  function count(bytes: number): void {
    copied.files++;
    copied.bytes += bytes;
    if (copied.bytes > maxBytes) throw tooMuch(`more than ${maxBytes} bytes`);
    if (copied.files > maxFiles) throw tooMuch(`more than ${maxFiles} files`);
  }

  async function take({ header, content }: ArchiveMember): Promise<void> {
    const name = place(header.name);
    if (name === undefined) return leaveOut(header.name, "its name leads elsewhere");
    const path = join(target, name);
    switch (header.type) {
      case "directory":
        if (name !== "") await makeDirectory(target, name);
        return;
      case "file":
      case "contiguous-file":
        if (written.has(name)) return leaveOut(name, "it is there twice");
        // The size is known, and is counted before the file is written.
        count(header.size);
        await makeDirectory(target, dirname(name));
        await writeFile(path, header, content);
        written.add(name);
        return;
      case "link": {
        const original = place(header.linkname);
        if (original === undefined || !written.has(original))
          return leaveOut(name, "a hard link to something else");
        if (written.has(name)) return leaveOut(name, "it is there twice");
        count((await lstat(join(target, original))).size);
        await makeDirectory(target, dirname(name));
        await copyFile(join(target, original), path);
        written.add(name);
        return;
      }
      case "symlink":
        return leaveOut(name, "a link");
      default:
        return leaveOut(name, "neither a file nor a directory");
    }
  }

  for await (const member of readArchive(stream)) {
    if (++entries > maxFiles * 4 + LISTED) throw tooMuch("too many entries");
    try {
      await take(member);
    } catch (error) {
      if (ProctorError.is(error) || !isNameError(error)) throw error;
      // The name may be too long for this machine, or a file may be in the place of a directory.
      leaveOut(member.header.name, error.code);
    }
  }
  if (unlisted > 0) copied.leftOut.push(`and ${unlisted} more`);
  return copied;
}

async function makeDirectory(target: string, name: string): Promise<void> {
  if (name !== "" && name !== ".") await mkdir(join(target, name), { recursive: true });
}

async function writeFile(
  path: string,
  { mode, mtime }: ArchiveMember["header"],
  content: AsyncIterable<Uint8Array>,
): Promise<void> {
  const file = await open(path, "wx", mode & 0o777);
  await pipeline(content, file.createWriteStream());
  await utimes(path, mtime, mtime);
}

function tooMuch(what: string): ProctorError {
  return new ProctorError("PAYLOAD_TOO_LARGE", `not copied out: ${what}`);
}

const NAME_ERRORS = new Set(["ENAMETOOLONG", "ENOTDIR", "EISDIR", "EEXIST", "EINVAL", "EILSEQ"]);

function isNameError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && "code" in error && NAME_ERRORS.has(String(error.code));
}

function printable(name: string): string {
  return JSON.stringify(name).slice(1, -1);
}
