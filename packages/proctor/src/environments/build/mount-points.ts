// Takes away the empty directories on which something was mounted while a layer was written.
import { lstat, rmdir } from "node:fs/promises";
import { join } from "node:path";
import type { Mount } from "../../core/ports/environments.ts";

/** Removes mount points below /run/proctor, which is Proctor's own; others stay, as they do in Docker. */
export async function removeMountPoints(upper: string, mounts: readonly Mount[]): Promise<void> {
  // A step may have replaced any of these directories by a link, and links are not followed.
  if (!(await isDirectory(join(upper, "run"))) || !(await isDirectory(join(upper, "run/proctor")))) return;
  for (const { target } of mounts) {
    if (/^\/run\/proctor\/[\w.-]+$/u.test(target)) await rmdir(join(upper, target)).catch(() => undefined);
  }
  await rmdir(join(upper, "run/proctor")).catch(() => undefined);
}

async function isDirectory(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isDirectory() ?? false;
}
