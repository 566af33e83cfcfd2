// An ended run as checks see it. A short log is held, so that many checks read it once.
import type { Artifact } from "../../core/artifact.ts";
import type { RunEvent } from "../../core/event.ts";
import type { Hub } from "../../core/ports/hub.ts";
import type { OpenKeptWorkspace, Workspace } from "../../core/ports/workspaces.ts";
import { possibleMetrics } from "../../core/metrics.ts";
import type { Run } from "../../core/run.ts";
import type { CheckServices, CheckSubject } from "../check.ts";

const PAGE = 500;
const MAX_ARTIFACT_BYTES = 32 * 1024 * 1024;
/** Logs up to here are held while a run is judged. */
export const MAX_HELD_EVENTS = 1000;

export interface SubjectDeps {
  hub: Hub;
  services: CheckServices;
  openWorkspace: OpenKeptWorkspace;
  signal: AbortSignal;
}

/** `log` is the whole log, when the caller has read it already. */
export function subjectOf(
  run: Run,
  folder: string,
  { hub, services, openWorkspace, signal }: SubjectDeps,
  log?: readonly RunEvent[],
): CheckSubject {
  const held = log ? undefined : holdLog(run.id, hub);
  let workspace: Promise<Workspace> | undefined;
  const subject: CheckSubject = {
    run: { ...run, metrics: possibleMetrics(run.metrics) },
    events: () => (log ? replay(log) : held!.read()),
    openArtifact: (artifact) => hub.readArtifact(run.id, artifact.id),
    readArtifact: (artifact) => readBytes(run.id, artifact, hub),
    workspace: () => (workspace ??= findWorkspace(subject, openWorkspace)),
    folder,
    services,
    signal,
  };
  return subject;
}

async function findWorkspace(subject: CheckSubject, open: OpenKeptWorkspace): Promise<Workspace> {
  const path = await keptPath(subject);
  if (path === undefined) throw new Error("the run's workspace was not kept");
  const found = await open(subject.run.id, path);
  if (!found) throw new Error("the run's workspace is not on this machine, or gone");
  return found;
}

export async function keptPath(subject: Pick<CheckSubject, "events">): Promise<string | undefined> {
  for await (const event of subject.events()) {
    if (event.type === "workspace.kept") return event.payload.path;
  }
  return undefined;
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
      for await (const event of readLog(runId, hub)) {
        if (seen.length <= MAX_HELD_EVENTS) seen.push(event);
        yield event;
      }
      if (seen.length <= MAX_HELD_EVENTS) held = seen;
    },
  };
}

export async function* readLog(runId: string, hub: Hub): AsyncGenerator<RunEvent> {
  let after = -1;
  for (;;) {
    const page = await hub.events(runId, { after, limit: PAGE });
    yield* page;
    const last = page.at(-1);
    if (!last || last.type === "run.ended") return;
    after = last.sequence;
  }
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
