// Copies in and out of a container through its engine: nothing inside has to help, and the engine keeps links from leading out.
import { lstat } from "node:fs/promises";
import { posix } from "node:path";
import { Readable } from "node:stream";
import type Docker from "dockerode";
import { ProctorError } from "../../core/errors.ts";
import type { CopiedOut, Environment } from "../../core/ports/environments.ts";
import { reasonOf, statusOf } from "./engine.ts";
import { packTree } from "../archive/pack-tree.ts";
import { statInside } from "./stat-inside.ts";
import { unpackOut } from "../archive/unpack-out.ts";

export type Files = Pick<Environment, "copyIn" | "copyOut">;

export function engineFiles(container: Docker.Container): Files {
  async function copyIn(source: string, target: string): Promise<void> {
    const directory = await isDirectory(source);
    const to = absolute(target);
    const { base, missing } = await existing(container, directory ? to : posix.dirname(to));
    const names = directory ? missing : [...missing, posix.basename(to)];
    const parents = names.slice(0, -1).map((_, index) => names.slice(0, index + 1).join("/"));
    await put(container, base, await packTree(source, { name: names.join("/"), parents }));
  }

  async function copyOut(
    source: string,
    target: string,
    limits: { maxBytes: number; maxFiles?: number },
  ): Promise<CopiedOut> {
    const path = absolute(source);
    const stat = await statInside(container, path);
    if (!stat) throw missingInside(path);
    if (stat.type === "link") return { files: 0, bytes: 0, leftOut: [`${posix.basename(path)}: a link`] };
    const stream = await container.getArchive({ path });
    const archive = Readable.from(stream);
    try {
      return await unpackOut(archive, target, { ...limits, strip: stat.type === "directory" });
    } finally {
      archive.destroy();
    }
  }

  return { copyIn, copyOut };
}

/** Unpacks a tar stream at a directory that exists. */
export async function put(container: Docker.Container, directory: string, stream: Readable): Promise<void> {
  try {
    const answer = await container.putArchive(stream, { path: directory });
    // The answer is small, and reading it frees the connection.
    for await (const _piece of answer);
  } catch (error) {
    if (statusOf(error) === undefined) throw error;
    throw new ProctorError(
      "ENVIRONMENT_UNAVAILABLE",
      `nothing could be copied to ${directory}: ${reasonOf(error)}`,
    );
  } finally {
    stream.destroy();
  }
}

/** Resolves with the deepest existing directory of the path, and the names below it that are missing. */
async function existing(
  container: Docker.Container,
  path: string,
): Promise<{ base: string; missing: string[] }> {
  const missing: string[] = [];
  let base = path;
  while (base !== "/" && (await statInside(container, base)) === undefined) {
    missing.unshift(posix.basename(base));
    base = posix.dirname(base);
  }
  return { base, missing };
}

export async function isDirectory(source: string): Promise<boolean> {
  try {
    return (await lstat(source)).isDirectory();
  } catch (error) {
    throw new ProctorError("FILE_UNREADABLE", `${source} cannot be copied: it is missing or cannot be read`, {
      cause: error,
    });
  }
}

export function absolute(path: string): string {
  if (!path.startsWith("/") || path.includes("\0")) {
    throw new ProctorError(
      "INVALID_REQUEST",
      `a path in an environment is absolute: ${JSON.stringify(path)}`,
    );
  }
  const normal = posix.normalize(path);
  return normal.length > 1 ? normal.replace(/\/$/, "") : normal;
}

export function missingInside(path: string): ProctorError {
  return new ProctorError("FILE_UNREADABLE", `there is no ${path} in the environment`);
}
