// A snapshot laid over the files of a fresh environment, by programs that run in it.
import { Readable } from "node:stream";
import type { Profile } from "../../core/environment.ts";
import type { EnvironmentProcess } from "../../core/ports/environments.ts";
import { decodeSnapshot } from "../snapshot/decode-snapshot.ts";
import { encodeSnapshot } from "../snapshot/encode-snapshot.ts";
import { feed } from "./inside-files.ts";

const REMOVE = "exec xargs -0 -r rm -rf --";
const EMPTY = `exec xargs -0 -r sh -c 'for dir do [ ! -d "$dir" ] || find "$dir" -mindepth 1 -delete; done' sh`;

/** Applies a snapshot; `start` runs a program as root, in `/`, with everything writable. */
export async function applySnapshot(
  start: (command: readonly string[]) => EnvironmentProcess,
  stream: AsyncIterable<Uint8Array>,
  profile: Profile,
): Promise<void> {
  const failure = "a snapshot could not be restored";
  const { removed, opaque, entries } = await decodeSnapshot(stream);
  const each = async (script: string, paths: readonly string[]): Promise<void> => {
    if (paths.length > 0)
      await feed(start(["/bin/sh", "-c", script]), Readable.from([Buffer.from(paths.join("\0"))]), failure);
  };
  // Directories are emptied first, because the removed files may include the program that removes.
  await each(EMPTY, opaque);
  await each(REMOVE, removed);
  const owner = profile === "multi-user" ? ["--same-owner", "--numeric-owner"] : ["--no-same-owner"];
  const content = encodeSnapshot(
    { removed: [], opaque: [], entries },
    { maxBytes: Number.POSITIVE_INFINITY },
  );
  await feed(
    start(["tar", "-x", "-p", ...owner, "-f", "-", "-C", "/", "--exclude=.proctor"]),
    content,
    failure,
  );
}
