// The paths below a directory of a container, from the engine's archive of it.
import { posix } from "node:path";
import type Docker from "dockerode";
import { statusOf } from "./engine.ts";
import { readArchive } from "../../runtime/archive/read-archive.ts";

/** Lists a directory; the list is empty where there is no such directory. */
export async function listInside(container: Docker.Container, directory: string): Promise<string[]> {
  let stream: NodeJS.ReadableStream;
  try {
    stream = await container.getArchive({ path: directory });
  } catch (error) {
    if (statusOf(error) === 404) return [];
    throw error;
  }
  const paths: string[] = [];
  for await (const { header } of readArchive(stream)) {
    // The first part is the directory's own name.
    const below = header.name.split("/").slice(1).join("/").replace(/\/$/, "");
    if (below !== "") paths.push(posix.join(directory, below));
  }
  return paths;
}
