// Files that clients give to runs and take back. Bytes are written before their record, and removed after it; what a crash leaves
// behind is removed at the next start.
import { atMost } from "../core/at-most.ts";
import { contentSha256, type Artifact, type FileArtifact } from "../core/artifact.ts";
import { ProctorError } from "../core/errors.ts";
import type { EventDraft } from "../core/event.ts";
import { uuidV7 } from "../core/id.ts";
import type { BlobStore } from "../core/ports/blob-store.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { NewFile } from "../core/ports/hub.ts";
import type { Store, StoredFiles } from "../core/ports/store.ts";
import type { Run } from "../core/run.ts";
import { dropBlobs } from "../core/drop-blobs.ts";
import type { StepFolds } from "./step-folds.ts";

interface FilesDeps {
  store: Store;
  blobs: BlobStore;
  folds: StepFolds;
  clock: Clock;
  /** Resolves with the run. Throws RUN_NOT_FOUND. */
  existing(id: string): Promise<Run>;
  /** Resolves with the artifact. Throws ARTIFACT_NOT_FOUND. */
  artifact(runId: string, artifactId: string): Promise<Artifact>;
  append(id: string, draft: EventDraft): Promise<Run>;
}

export interface Files {
  add(runId: string, file: NewFile): Promise<Artifact>;
  remove(runId: string, artifactId: string): Promise<void>;
  /** Removes files whose records are gone. Never throws: what remains is removed at the next start. */
  drop(files: StoredFiles): Promise<void>;
}

const MAX_NAME_BYTES = 255;
const MAX_PATH_BYTES = 1024;

export function createFiles(deps: FilesDeps): Files {
  const { store, blobs } = deps;

  async function drop({ hashes, names }: StoredFiles): Promise<void> {
    try {
      for (const name of names) await blobs.unlink(name);
      await dropBlobs(deps, hashes);
    } catch {
      // The records are gone already; the next start removes the files.
    }
  }

  async function checkStep(runId: string, stepId: string): Promise<void> {
    const { state } = await deps.folds.read(runId);
    if (state.steps.some(({ id }) => id === stepId)) return;
    throw new ProctorError("STEP_NOT_FOUND", `run ${runId} has no step ${stepId}`, {
      details: { run_id: runId, step_id: stepId },
    });
  }

  async function record(runId: string, file: NewFile, artifact: FileArtifact): Promise<void> {
    const { stepId } = file;
    if (artifact.stored_as !== undefined) {
      await blobs.link(contentSha256(artifact) ?? "", artifact.stored_as);
    }
    try {
      const step = stepId === undefined ? {} : { step_id: stepId };
      await deps.append(runId, { type: "artifact.added", payload: { artifact, ...step, by: "client" } });
    } catch (error) {
      await drop(await store.unreferenced({ hashes: [], names: namesOf(artifact) }).catch(() => NO_FILES));
      throw error;
    }
  }

  return {
    drop,
    async add(runId, file) {
      const { stepId, storedAs, fileName } = file;
      await deps.existing(runId);
      refuseName(fileName);
      if (storedAs?.startsWith(`${runId}_`) === false) throw wrong("storedAs", `must begin with ${runId}_`);
      if (stepId !== undefined) await checkStep(runId, stepId);
      const ref = await blobs.put(atMost(file.content, file.maxBytes));
      let kept = false;
      try {
        // After the content: a form may send the path after the file.
        const path = refusePath(file.relativePath);
        const artifact: FileArtifact = {
          id: uuidV7(),
          type: "file",
          path,
          file_name: fileName,
          content_type: file.contentType,
          size_bytes: ref.sizeBytes,
          content_hash: `sha256:${ref.sha256}`,
          created_at: new Date(deps.clock.now()).toISOString(),
          agent_created: false,
          ...(stepId !== undefined && { step_id: stepId }),
          ...(storedAs !== undefined && { stored_as: storedAs }),
        };
        await record(runId, file, artifact);
        kept = true;
        return artifact;
      } finally {
        blobs.release(ref);
        if (!kept) await drop({ hashes: [ref.sha256], names: [] });
      }
    },
    async remove(runId, artifactId) {
      const artifact = await deps.artifact(runId, artifactId);
      await deps.append(runId, { type: "artifact.removed", payload: { artifact_id: artifactId } });
      const sha256 = contentSha256(artifact);
      const names = namesOf(artifact).filter((name) => name.startsWith(`${runId}_`));
      await drop({ hashes: sha256 === undefined ? [] : [sha256], names });
    },
  };
}

const NO_FILES: StoredFiles = { hashes: [], names: [] };

function namesOf({ agent_created, stored_as }: Artifact): string[] {
  return agent_created === false && stored_as !== undefined ? [stored_as] : [];
}

/** Refuses a name that could lead somewhere, even if a caller checked it: names are shown to people and given to agents. */
function refuseName(name: string): void {
  const isBase = name !== "" && name !== "." && name !== ".." && !/[/\\\0]/.test(name);
  if (!isBase || Buffer.byteLength(name) > MAX_NAME_BYTES) {
    throw wrong("fileName", `must be a name without folders, of at most ${MAX_NAME_BYTES} bytes`);
  }
}

function refusePath(path: string): string {
  const parts = path.split("/");
  const leads = parts.some((part) => part === "" || part === "." || part === "..");
  if (!leads && !/[\\\0]|^[A-Za-z]:/.test(path) && Buffer.byteLength(path) <= MAX_PATH_BYTES) return path;
  throw wrong("relativePath", `must be a relative path without \`..\`, of at most ${MAX_PATH_BYTES} bytes`);
}

function wrong(path: string, what: string): ProctorError {
  return new ProctorError("INVALID_REQUEST", `${path} ${what}`, { details: [{ path, message: what }] });
}
