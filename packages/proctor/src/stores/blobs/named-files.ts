// Second names of blobs, next to the shards: `<uuid>_<anything>`. A name is a hard link where the file system has them, a copy otherwise.
import { copyFile, constants, link, rm } from "node:fs/promises";
import { join } from "node:path";
import { ProctorError } from "../../core/errors.ts";
import { errnoOf } from "../disk-error.ts";
import { syncDirectory } from "../sync-directory.ts";
import { noSuchBytes } from "./byte-range.ts";
import { isSha256 } from "./shards.ts";

interface NamedFiles {
  link(sha256: string, name: string): Promise<void>;
  unlink(name: string): Promise<void>;
  /** Returns true for a name that this process gave so recently that its record may not be written yet. */
  isFresh(name: string): boolean;
}

/** Files with other names are left alone: people may keep their own files in the directory. */
const NAME = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}_[^/\\\0]+$/i;
const MAX_NAME_BYTES = 255;
/** The errors of a file system that has no hard links, no more of them, or none across devices. */
const NO_LINKS = new Set(["EXDEV", "EPERM", "ENOTSUP", "EOPNOTSUPP", "EMLINK", "ENOSYS"]);

/** Milliseconds, longer than any record takes to be written. */
const FRESH_MS = 10 * 60_000;

export function isStoredName(name: string): boolean {
  return NAME.test(name) && Buffer.byteLength(name) <= MAX_NAME_BYTES;
}

/** Throws INVALID_REQUEST for a name of another form. */
export function requireStoredName(name: string): void {
  if (isStoredName(name)) return;
  throw new ProctorError(
    "INVALID_REQUEST",
    "a stored file's name must be a run's id, `_` and more, without /",
  );
}

export function nameTaken(name: string): ProctorError {
  return new ProctorError("NAME_TAKEN", `there is a file ${name} already`, { details: { name } });
}

export function createNamedFiles(directory: string, pathOf: (sha256: string) => string): NamedFiles {
  /** When each name was given, the oldest first. */
  const fresh = new Map<string, number>();

  function remember(name: string): void {
    const now = Date.now();
    for (const [oldest, at] of fresh) {
      if (at > now - FRESH_MS) break;
      fresh.delete(oldest);
    }
    fresh.set(name, now);
  }

  async function give(source: string, target: string): Promise<void> {
    try {
      await link(source, target);
    } catch (error) {
      if (!NO_LINKS.has(errnoOf(error) ?? "")) throw error;
      await copyFile(source, target, constants.COPYFILE_EXCL);
    }
  }

  return {
    isFresh: (name) => fresh.has(name),
    async link(sha256, name) {
      requireStoredName(name);
      if (!isSha256(sha256)) throw noSuchBytes(sha256);
      remember(name);
      try {
        await give(pathOf(sha256), join(directory, name));
      } catch (error) {
        if (errnoOf(error) === "ENOENT") throw noSuchBytes(sha256, error);
        if (errnoOf(error) !== "EEXIST") throw error;
        throw nameTaken(name);
      }
      await syncDirectory(directory);
    },
    async unlink(name) {
      if (!isStoredName(name)) return;
      await rm(join(directory, name), { force: true });
    },
  };
}
