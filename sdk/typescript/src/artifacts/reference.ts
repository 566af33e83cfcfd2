// A file that stays in the workspace, and what the response says about it.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { AgentError, describeThrown } from "../protocol/errors.ts";
import type { ReferenceArtifact } from "../protocol/messages.ts";
import { contentTypeOf } from "./content-type.ts";

/** Takes size and hash from the file as it is now. `path` is relative to the workspace and must not lead out of it. */
export async function reference(
  task: { readonly workspace: string | undefined; readonly signal?: AbortSignal },
  path: string,
  contentType?: string,
): Promise<ReferenceArtifact> {
  if (task.workspace === undefined) throw new AgentError("INTERNAL_ERROR", "the task has no workspace");
  const inside = await pathInside(task.workspace, path);
  const hash = createHash("sha256");
  let size = 0;
  await pipeline(
    createReadStream(resolve(task.workspace, inside)),
    async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        hash.update(chunk);
        size += chunk.length;
      }
    },
    ...(task.signal ? [{ signal: task.signal }] : []),
  );
  return {
    type: "reference",
    path: inside.split(sep).join("/"),
    content_type: contentType ?? contentTypeOf(path, false),
    size_bytes: size,
    content_hash: `sha256:${hash.digest("hex")}`,
  };
}

/** Follows symbolic links first, so that a link cannot lead out of the workspace. */
async function pathInside(workspace: string, path: string): Promise<string> {
  let inside: string;
  try {
    inside = relative(await realpath(workspace), await realpath(resolve(workspace, path)));
  } catch (error) {
    throw new AgentError(
      "INTERNAL_ERROR",
      `no such file in the workspace: ${path} (${describeThrown(error)})`,
    );
  }
  if (inside === "" || inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside)) {
    throw new AgentError("INTERNAL_ERROR", `not inside the workspace: ${path}`);
  }
  return inside;
}
