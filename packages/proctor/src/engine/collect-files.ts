// Takes files that an agent left in its workspace as artifacts, where the run asks for them.
import { MAX_ARTIFACTS } from "../core/artifact.ts";
import type { Workspace } from "../core/ports/workspaces.ts";
import { uuidV7 } from "../core/id.ts";
import type { Run } from "../core/run.ts";
import type { KeepTools } from "./keep-artifact.ts";
import { keepFile } from "./keep-file.ts";
import type { Witness } from "./witness.ts";

export async function collectFiles(
  { options }: Run,
  workspace: Workspace | undefined,
  witness: Witness,
  tools: KeepTools,
): Promise<void> {
  const patterns = options.workspace?.collect ?? [];
  if (workspace === undefined || patterns.length === 0) return;
  const { artifacts } = witness.state.run;
  const had = new Set(artifacts.flatMap((artifact) => (artifact.type === "file" ? [artifact.path] : [])));
  const files = await workspace.list(patterns, MAX_ARTIFACTS);
  for (const file of files) {
    if (had.has(file.path)) continue;
    if (witness.state.run.artifacts.length >= MAX_ARTIFACTS) return;
    const { stored } = await keepFile(file, tools);
    await witness.record({
      type: "artifact.added",
      payload: { artifact: { id: uuidV7(), type: "file", path: file.path, ...stored } },
    });
  }
}
