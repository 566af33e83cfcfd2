// Files that came inside a message become files of the run: its agent finds them in its workspace.
import type { Hub } from "../../../core/ports/hub.ts";
import type { Run } from "../../../core/run.ts";
import type { MessageFile } from "./messages.ts";

type Files = Pick<Hub, "addFile" | "remove">;

/** Files that are already there are not added again. A new run whose files are refused is removed. Throws the error that refuses them. */
export async function addFiles(hub: Files, run: Run, files: readonly MessageFile[]): Promise<void> {
  const known = new Set(
    run.artifacts.flatMap((artifact) => (artifact.type === "file" ? [artifact.path] : [])),
  );
  try {
    for (const { path, contentType, bytes } of files) {
      if (known.has(path)) continue;
      await hub.addFile(run.id, {
        fileName: path.split("/").at(-1) ?? path,
        relativePath: path,
        contentType,
        maxBytes: bytes.length,
        content: once(bytes),
      });
    }
  } catch (error) {
    if (run.status === "created") await hub.remove(run.id);
    throw error;
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
