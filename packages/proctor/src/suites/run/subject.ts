// An ended run as checks see it. A short log is held, so that many checks read it once.
import type { Artifact } from "../../core/artifact.ts";
import type { RunEvent } from "../../core/event.ts";
import type { Hub } from "../../core/ports/hub.ts";
import type { WorkspaceView } from "../../core/ports/workspaces.ts";
import { possibleMetrics } from "../../core/metrics.ts";
import { readLog } from "../../core/read-log.ts";
import type { Run } from "../../core/run.ts";
import type { CheckServices, CheckSubject } from "../check.ts";
import { lineText, threadLines } from "../talk/thread-lines.ts";

const MAX_ARTIFACT_BYTES = 32 * 1024 * 1024;
/** Logs up to here are held while a run is judged. */
export const MAX_HELD_EVENTS = 1000;

export interface SubjectDeps {
  hub: Hub;
  services: CheckServices;
  signal: AbortSignal;
}

/** `log` is the whole log, when the caller has read it already. */
export function subjectOf(
  run: Run,
  folder: string,
  { hub, services, signal }: SubjectDeps,
  log?: readonly RunEvent[],
): CheckSubject {
  const held = log ? undefined : holdLog(run.id, hub);
  let workspace: Promise<WorkspaceView> | undefined;
  const events = (): AsyncIterable<RunEvent> => (log ? replay(log) : held!.read());
  return {
    run: { ...run, metrics: possibleMetrics(run.metrics) },
    events,
    transcript: async () => (await threadLines(run, events())).map(lineText).join("\n"),
    openArtifact: (artifact) => hub.readArtifact(run.id, artifact.id),
    readArtifact: (artifact) => readBytes(run.id, artifact, hub),
    workspace: () => (workspace ??= hub.openWorkspace(run.id)),
    folder,
    services,
    signal,
  };
}

async function* replay(events: readonly RunEvent[]): AsyncGenerator<RunEvent> {
  yield* events;
}

function holdLog(runId: string, hub: Hub): { read(): AsyncIterable<RunEvent> } {
  let held: RunEvent[] | undefined;
  return {
    async *read() {
      if (held) return yield* held;
      const seen: RunEvent[] = [];
      for await (const event of readLog(hub, runId)) {
        if (seen.length <= MAX_HELD_EVENTS) seen.push(event);
        yield event;
      }
      if (seen.length <= MAX_HELD_EVENTS) held = seen;
    },
  };
}

async function readBytes(runId: string, artifact: Artifact, hub: Hub): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of await hub.readArtifact(runId, artifact.id)) {
    size += chunk.byteLength;
    if (size > MAX_ARTIFACT_BYTES) throw new Error("it is larger than 32 MB");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
