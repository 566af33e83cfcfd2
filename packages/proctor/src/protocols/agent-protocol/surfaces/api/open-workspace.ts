// The folder that a task names as its workspace: made below the configured root, and nowhere else, whatever links there are.
import { mkdir, realpath, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { wrongField } from "../shared/read-fields.ts";
import { normalizePath } from "../shared/relative-path.ts";

/** Returns the absolute path. Throws INVALID_REQUEST for a folder that is not below the root. */
export async function openWorkspace(root: string, name: string): Promise<string> {
  const path = normalizePath(name, "workspace");
  if (path === "") throw wrongField("workspace", "must name a folder below the configured root");
  await mkdir(root, { recursive: true });
  const realRoot = await realpath(root);
  let current = realRoot;
  for (const segment of path.split("/")) {
    current = await enter(realRoot, join(current, segment));
  }
  return current;
}

/** Makes the folder where it is missing and follows it where it is a link, one level at a time: nothing is made outside. */
async function enter(root: string, path: string): Promise<string> {
  try {
    await mkdir(path);
  } catch (cause) {
    if (codeOf(cause) !== "EEXIST") throw unusable(cause);
  }
  const real = await realpath(path).catch((cause: unknown) => {
    throw unusable(cause);
  });
  if (!real.startsWith(root + sep))
    throw wrongField("workspace", "leads out of the configured root through a link");
  if (!(await stat(real)).isDirectory()) throw wrongField("workspace", "is not a folder");
  return real;
}

/** Returns how a task shows its workspace to clients: its name below the root, and its place only where that may be known. */
export function workspaceDocument(
  root: string,
  path: string,
  exposeUri: boolean,
): { name: string; path?: string } {
  const name = relative(root, path).split(sep).join("/");
  const isBelow = !name.startsWith("..") && !name.startsWith("/");
  return { name: isBelow ? name : "(outside)", ...(exposeUri && { path }) };
}

function unusable(cause: unknown): unknown {
  const code = codeOf(cause);
  if (code !== "EEXIST" && code !== "ENOTDIR" && code !== "ELOOP" && code !== "ENOENT") return cause;
  return wrongField("workspace", "is not a folder");
}

function codeOf(cause: unknown): string | undefined {
  return (cause as NodeJS.ErrnoException | undefined)?.code;
}
