// A new name in a directory is on disk only after the directory itself was synced.
import { open } from "node:fs/promises";
import { errnoOf } from "./disk-error.ts";

/** Codes of file systems and platforms that cannot sync a directory. */
const UNSUPPORTED = new Set(["EINVAL", "ENOTSUP", "EISDIR", "EPERM"]);

export async function syncDirectory(directory: string): Promise<void> {
  try {
    await using handle = await open(directory, "r");
    await handle.sync();
  } catch (error) {
    if (!UNSUPPORTED.has(errnoOf(error) ?? "")) throw error;
  }
}
