// Takes files that an agent left in its workspace as artifacts, where the run asks for them: those that match a pattern, and those
// that the agent made or changed.
import type { Artifact, FileArtifact } from "../core/artifact.ts";
import type { Workspace, WorkspaceFile, WorkspaceMark } from "../core/ports/workspaces.ts";
import { uuidV7 } from "../core/id.ts";
import { mediaTypeOf } from "../core/media-type.ts";
import type { Run } from "../core/run.ts";
import type { WorkspaceOptions } from "../core/run-options.ts";
import { asNotKept, complaint, omission, type KeepDeps } from "./keep-artifact.ts";
import { keepFile } from "./keep-file.ts";
import type { AttemptLog } from "./attempt-log.ts";

/** Most changed files that are kept. They are not chosen one by one: more of them are a build, not an answer. */
export const MAX_CHANGED_FILES = 100;
/** Bytes that the changed files may have together. */
const MAX_CHANGED_BYTES = 100 * 1024 * 1024;

interface FileCollection {
  collect(log: AttemptLog, deps: KeepDeps): Promise<void>;
}

/** Must be called before the agent starts: files that exist by then are not the agent's. */
export async function openCollection(
  { collect = [], collect_changed: changed = [] }: WorkspaceOptions,
  folder: Workspace | undefined,
): Promise<FileCollection> {
  const mark = folder && changed.length > 0 ? await folder.mark() : undefined;
  return {
    async collect(log, deps) {
      if (folder && collect.length > 0) await keepMatching(folder, collect, log, deps);
      if (folder && mark) await keepChanged(folder, mark, changed, log, deps);
    },
  };
}

async function keepMatching(
  folder: Workspace,
  patterns: readonly string[],
  log: AttemptLog,
  deps: KeepDeps,
): Promise<void> {
  const had = pathsOf(log.state.run.artifacts);
  for (const file of await folder.list(patterns, log.maxArtifacts)) {
    if (had.has(file.path)) continue;
    if (log.state.run.artifacts.length >= log.maxArtifacts || deps.work.signal.aborted) return;
    await keep(file, log, deps);
  }
}

async function keepChanged(
  folder: Workspace,
  mark: WorkspaceMark,
  patterns: readonly string[],
  log: AttemptLog,
  deps: KeepDeps,
): Promise<void> {
  const { files, complete } = await folder.changed(mark, patterns, MAX_CHANGED_FILES);
  const had = pathsOf(log.state.run.artifacts.filter(({ agent_created: byAgent }) => byAgent !== false));
  const missed: string[] = [];
  let room = MAX_CHANGED_BYTES;
  for (const file of files.filter(({ path }) => !had.has(path))) {
    if (deps.work.signal.aborted) return;
    if (file.sizeBytes > room || log.state.run.artifacts.length >= log.maxArtifacts) {
      missed.push(`${file.path} (${file.sizeBytes} bytes)`);
      continue;
    }
    room -= file.sizeBytes;
    await keep(file, log, deps);
  }
  if (!complete) missed.push(`more than ${MAX_CHANGED_FILES} files`);
  if (missed.length === 0) return;
  const text = `files of the workspace that were not kept: ${missed.join(", ")}`;
  await log.record({ type: "log", payload: { stream: "platform", text } });
}

/** Skips a client's file that the agent wrote again unchanged. */
async function keep(file: WorkspaceFile, log: AttemptLog, deps: KeepDeps): Promise<void> {
  const type = mediaTypeOf(file.path);
  const described: FileArtifact = {
    id: uuidV7(),
    type: "file",
    path: file.path,
    ...(type !== undefined && { content_type: type }),
  };
  let artifact: FileArtifact;
  try {
    const { facts, stored } = await keepFile(file, deps);
    if (isGiven(log.state.run, file.path, facts.sha256)) return;
    artifact = { ...described, ...stored };
  } catch (error) {
    const notKept = asNotKept(error, deps.work);
    artifact = { ...described, ...omission(notKept) };
    for (const payload of complaint(notKept, `artifact ${file.path}`)) {
      await log.record({ type: "violation", payload });
    }
  }
  await log.record({ type: "artifact.added", payload: { artifact } });
}

function isGiven({ artifacts }: Run, path: string, sha256: string): boolean {
  return artifacts.some(
    (artifact) =>
      artifact.agent_created === false &&
      artifact.type === "file" &&
      artifact.path === path &&
      artifact.content_hash === `sha256:${sha256}`,
  );
}

function pathsOf(artifacts: readonly Artifact[]): Set<string> {
  return new Set(artifacts.flatMap((artifact) => (artifact.type === "file" ? [artifact.path] : [])));
}
