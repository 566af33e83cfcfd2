// Removes a directory with everything in it, also what its owner made unreadable for himself.
import { chmod, rm } from "node:fs/promises";
import { walk } from "./walk.ts";

export async function removeTree(folder: string): Promise<void> {
  const remove = (): Promise<void> =>
    rm(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 20 });
  try {
    await remove();
  } catch {
    await makeEnterable(folder);
    await remove();
  }
}

async function makeEnterable(folder: string): Promise<void> {
  await chmod(folder, 0o700).catch(() => undefined);
  for await (const { path, type } of walk(folder)) {
    // The walk goes into it right after this.
    if (type === "directory") await chmod(path, 0o700).catch(() => undefined);
  }
}
