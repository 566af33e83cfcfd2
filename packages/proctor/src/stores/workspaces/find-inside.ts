// Opens a file of a workspace by a name that an agent chose. The name may lie: `..`, links, pipes, devices and links that
// change while we look all end in a plain answer, never in bytes from elsewhere.
import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import type { WorkspaceFile } from "../../core/ports/workspaces.ts";

const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export async function findInside(
  root: string,
  name: string,
): Promise<WorkspaceFile | "outside" | "missing" | "not-a-file"> {
  if (name.includes("\0") || /^[a-z][a-z0-9+.-]*:\/\//i.test(name)) return "outside";
  const asked = resolve(root, name);
  if (!isInside(root, asked)) return "outside";
  const real = await realpath(asked).catch(() => undefined);
  if (real === undefined) return "missing";
  if (!isInside(root, real)) return "outside";
  return describe(root, real);
}

async function describe(root: string, real: string): Promise<WorkspaceFile | "missing" | "not-a-file"> {
  const file = await openRegular(real);
  if (typeof file === "string") return file;
  const { size } = await file.stat();
  await file.close();
  return {
    path: relative(root, real).split(sep).join("/"),
    sizeBytes: size,
    async *read() {
      const again =
        (await realpath(real).catch(() => undefined)) === real ? await openRegular(real) : "missing";
      if (typeof again === "string") throw new Error("the file is gone");
      // Closes the handle at its end and when nobody reads on.
      yield* again.createReadStream() as AsyncIterable<Uint8Array>;
    },
  };
}

async function openRegular(
  path: string,
): Promise<Awaited<ReturnType<typeof open>> | "missing" | "not-a-file"> {
  const file = await open(path, FLAGS).catch((error: NodeJS.ErrnoException) =>
    error.code === "ENOENT" ? "missing" : "not-a-file",
  );
  if (typeof file === "string") return file;
  if ((await file.stat()).isFile()) return file;
  await file.close();
  return "not-a-file";
}

export function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
