// Puts the files of a COPY or ADD into an environment, through programs inside: no path of the image is ever followed on this machine.
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import type { Environment } from "../../../core/ports/environments.ts";
import { packArchive } from "../../../runtime/archive/pack-archive.ts";
import type { Entry, Source } from "../context/list-sources.ts";
import type { CopyStep } from "../plan.ts";
import { problem } from "../problem.ts";
import { archiveFlag } from "./archive.ts";
import { numericOwner } from "./owner.ts";
import { pipeInto } from "./pipe-into.ts";

/** Unpacks the stream: $1 is the directory, $2 its owner when it is new, $3 how the stream is compressed. */
const UNPACK = `umask 022
if [ ! -d "$1" ]; then mkdir -p "$1" && chown "$2" "$1" || exit 1; fi
exec tar -C "$1" --no-overwrite-dir --keep-directory-symlink --numeric-owner -xp$3 -f -`;

/** Writes a file: $1 is the file, or an existing directory, $2 its owner, $3 its name in a directory, $4 its mode, $5 its time. */
const WRITE = `umask 022
goal=$1
if [ -d "$goal" ]; then goal=$goal/$3; fi
mkdir -p "$(dirname "$goal")" && rm -f "$goal" && cat >"$goal" && chown "$2" "$goal" && chmod "$4" "$goal" && touch -d "@$5" "$goal"`;

export async function copyStep(
  environment: Environment,
  step: CopyStep,
  sources: readonly Source[],
  signal: AbortSignal,
): Promise<void> {
  const owner =
    step.owner === undefined ? { uid: 0, gid: 0 } : await numericOwner(environment, step.owner, step.at);
  const chown = `${owner.uid}:${owner.gid}`;
  const plain: Source[] = [];
  for (const source of sources) {
    const [entry] = source.entries;
    const flag =
      step.unpack && source.type === "file" && entry?.source ? await archiveFlag(entry.source) : undefined;
    if (flag === undefined || entry?.source === undefined) plain.push(source);
    else
      await pipe(["/bin/sh", "-c", UNPACK, "add", step.target, chown, flag], createReadStream(entry.source));
  }
  const [only] = plain;
  if (only === undefined) return;
  const [file] = only.entries;
  if (plain.length === 1 && only.type === "file" && file && !step.target.endsWith("/")) {
    const mode = (step.mode ?? file.mode).toString(8);
    const time = String(Math.floor(file.mtimeMs / 1000));
    await pipe(["/bin/sh", "-c", WRITE, "copy", step.target, chown, only.name, mode, time], bytesOf(file));
    return;
  }
  await pipe(["/bin/sh", "-c", UNPACK, "copy", step.target, chown, ""], await pack(plain, owner, step.mode));

  async function pipe(command: string[], input: Readable): Promise<void> {
    const { code, message } = await pipeInto(environment, command, input, signal);
    if (code === 0) return;
    throw problem(
      step.at,
      `${step.at.keyword} to ${step.target} failed: ${message || `exit code ${code}`}`,
      "correct the line",
    );
  }
}

function bytesOf({ content, source, sizeBytes }: Entry): Readable {
  if (content !== undefined) return Readable.from([Buffer.from(content)]);
  if (source === undefined || sizeBytes === 0) return Readable.from([]);
  // A file that has grown meanwhile is only read up to the hashed size.
  return createReadStream(source, { end: sizeBytes - 1 });
}

function pack(
  sources: readonly Source[],
  owner: { uid: number; gid: number },
  mode: number | undefined,
): Promise<Readable> {
  return packArchive(async (writer) => {
    for (const { name, type, entries } of sources) {
      for (const entry of entries) {
        const header = {
          ...owner,
          name: type === "file" ? name : entry.path,
          mode: entry.type === "link" ? 0o777 : (mode ?? entry.mode),
          mtime: new Date(entry.mtimeMs),
        };
        if (entry.type === "directory") await writer.add({ ...header, type: "directory" });
        else if (entry.type === "link")
          await writer.add({ ...header, type: "symlink", linkname: entry.target ?? "" });
        else await writer.addFile({ ...header, type: "file", size: entry.sizeBytes }, bytesOf(entry));
      }
    }
  });
}
