// Takes files that an agent left in its workspace as artifacts, where the run asks for them.
import type { FileArtifact } from "../core/artifact.ts";
import type { Workspace, WorkspaceFile } from "../core/ports/workspaces.ts";
import { uuidV7 } from "../core/id.ts";
import type { Run } from "../core/run.ts";
import { asNotKept, complaint, omission, type KeepTools } from "./keep-artifact.ts";
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
  const files = await workspace.list(patterns, witness.maxArtifacts);
  for (const file of files) {
    if (had.has(file.path)) continue;
    if (witness.state.run.artifacts.length >= witness.maxArtifacts || tools.signal.aborted) return;
    await collect(file, witness, tools);
  }
}

async function collect(file: WorkspaceFile, witness: Witness, tools: KeepTools): Promise<void> {
  const described: FileArtifact = { id: uuidV7(), type: "file", path: file.path };
  let artifact: FileArtifact;
  try {
    artifact = { ...described, ...(await keepFile(file, tools)).stored };
  } catch (error) {
    const notKept = asNotKept(error, tools.signal);
    artifact = { ...described, ...omission(notKept) };
    for (const payload of complaint(notKept, `artifact ${file.path}`)) {
      await witness.record({ type: "violation", payload });
    }
  }
  await witness.record({ type: "artifact.added", payload: { artifact } });
}
